"""Batches that a test does in its own thread, without a tick."""

from collections.abc import Sequence
from concurrent.futures import Future
from typing import TypeVar

from research.db.sql_batcher import Batcher, _Part

W = TypeVar("W")
R = TypeVar("R")


def do_batch(batcher: Batcher[W, R], wanted: Sequence[W]) -> list[R | Exception]:
    """Do requests of one tenant in one transaction, and return the outcome of each."""
    futures: list[Future[R]] = [Future() for _ in wanted]
    _Part(batcher.tenant_of(wanted[0]), batcher, list(wanted), futures).do_in_own_transaction()
    return [future.exception() or future.result() for future in futures]
