"""Results of a request to Parallel, without an import of its client."""

from collections.abc import Mapping
from dataclasses import dataclass


class ParallelAway(Exception):
    """Parallel gave no usable answer now; str() says why. A later try may succeed."""


class ParallelRefused(Exception):
    """Parallel refuses this request for good; str() says why."""


@dataclass(frozen=True, slots=True)
class TaskSnapshot:
    """The state of a task. `result` None: it has not ended."""

    status: str
    result: Mapping[str, object] | None
