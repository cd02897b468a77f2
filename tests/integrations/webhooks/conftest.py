"""Drafting loads its models before a test's transaction is open."""

from tests.briefs.conftest import _warm

__all__ = ["_warm"]
