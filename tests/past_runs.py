"""Runs that have ended, with the steps of their states as if each had taken so many seconds."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.utils import timezone

from research.db.tenancy import tenant_context
from research.engine.states.state_context import visit_key
from research.models import AgentRole, Queue, Run, State, Step, StepStatus
from tests.people import Person

USUAL = (("planning", 10.0), ("collecting", 40.0), ("reading", 400.0), ("verifying", 90.0))


def make_past_run(
    person: Person,
    visits: Sequence[tuple[str, float]] = USUAL,
    *,
    ago: timedelta = timedelta(days=1),
    **columns: object,
) -> Run:
    """Finished `ago`. Each visit has ten steps, which end one after the other."""
    total = sum(seconds for _state, seconds in visits)
    begun = timezone.now() - ago - timedelta(seconds=total)
    with tenant_context(person.tenant.pk):
        values: dict[str, object] = {
            "owner": person.user,
            "topic": "Was it asked before?",
            "created_at": begun,
            "sources_found": 10,
            "state": State.COMPLETED,
            "started_at": begun,
            "completed_at": begun + timedelta(seconds=total),
        }
        run = Run.objects.create(**values | columns)
        _add_visits(run, visits, begun)
    return run


def _add_visits(run: Run, visits: Sequence[tuple[str, float]], begun: datetime) -> None:
    index = Step.objects.filter(run=run).count()
    for version, (state, seconds) in enumerate(visits, 1):
        key, end = f"{version}.{state}", begun + timedelta(seconds=seconds)
        _add_step(run, index, key, f"state.{state}", begun, end)
        for part in range(10):
            done = begun + timedelta(seconds=seconds * (part + 1) / 10)
            _add_step(run, index + part + 1, f"{key}/{part}", "report.read", begun, done)
        index, begun = index + 11, end


def _add_step(run: Run, index: int, key: str, handler: str, begun: datetime, end: datetime | None) -> Step:
    return Step.objects.create(
        run=run,
        step_index=index,
        key=key,
        handler=handler,
        agent_role=AgentRole.EXTRACTOR,
        queue=Queue.CONTROL,
        status=StepStatus.COMPLETED if end else StepStatus.PENDING,
        created_at=begun,
        completed_at=end,
    )


def put_into(run: Run, state: State, seconds: float, *, done: int = 0, parts: int = 0) -> None:
    """The run has been in this state for so long, with so many of its steps done."""
    entered = timezone.now() - timedelta(seconds=seconds)
    with tenant_context(run.tenant_id):
        Run.objects.filter(pk=run.pk).update(
            state=state, version=9, state_entered_at=entered, started_at=entered, completed_at=None
        )
        run.refresh_from_db()
        index = Step.objects.filter(run=run).count() + 1
        for part in range(parts):
            end = timezone.now() if part < done else None
            _add_step(run, index + part, f"{visit_key(run)}/{part}", "report.read", entered, end)
