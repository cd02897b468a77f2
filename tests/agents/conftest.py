"""A model server, and a step to call for."""

from tests.llm.conftest import gateway, make_step, server, step, tenant

__all__ = ["gateway", "make_step", "server", "step", "tenant"]  # fixtures
