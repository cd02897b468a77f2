"""A step that this process holds under a lease."""

from dataclasses import dataclass, field
from uuid import UUID

from research.engine.pipeline_registry import JsonObject


@dataclass(frozen=True, slots=True)
class ClaimedStep:
    """A step that this process may finish as long as the stored fencing token equals `fence`."""

    id: UUID
    tenant_id: UUID
    run_id: UUID
    key: str
    handler: str
    queue: str
    attempt: int
    max_attempts: int
    fence: int
    failures: int  # orderly shutdowns of workers, after which the step was tried again
    time_left_s: float | None  # until its state's time is up; None: it belongs to a state still to come
    input: JsonObject
    # time.monotonic() before the claim, a lower bound of the start of the lease
    asked_at: float = field(compare=False)

    @property
    def is_spent(self) -> bool:
        """True if too many workers died while they executed the step: it fails without another try."""
        return self.attempt > self.max_attempts

    @property
    def is_state(self) -> bool:
        """True if the step represents a visit of a state: state transitions execute it, not a handler."""
        return self.handler.startswith("state.")
