"""A step to act for, where no row of it is needed."""

from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True)
class ActingStep:
    tenant_id: UUID
    run_id: UUID
    step_id: UUID
    key: str
    fence: int = 1


STEP = ActingStep(UUID(int=1), UUID(int=2), UUID(int=3), "1.planning/plan")
