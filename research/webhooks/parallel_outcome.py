"""The outcomes of a request to Parallel. Lightweight: code that only waits for them needs no client."""

from collections.abc import Mapping
from dataclasses import dataclass


class ParallelAway(Exception):
    """It gave no answer that could be used now; str() says why. A later try may."""


class ParallelRefused(Exception):
    """It will not give this answer, however often it is asked; str() says why."""


@dataclass(frozen=True, slots=True)
class TaskSnapshot:
    """A task as it is now. `result` None: it has not ended."""

    status: str
    result: Mapping[str, object] | None
