"""A report taken step by step in the test's own thread, so that something can be said or break in between."""

from collections.abc import Callable

from research.accounts.people import PersonalAccount
from research.db.tenancy import tenant_context
from research.engine.claim_and_finish_steps import StepOutcome, claim, finish
from research.engine.claimed_step import ClaimedStep
from research.engine.leases import Leases
from research.engine.pipeline_registry import pipeline_for
from research.engine.run_step import execute
from research.engine.states.transitions import advance
from research.models import Queue, Run
from research.runs.start_and_cancel import start_run

MAX_STEPS = 400
EVERYTHING = frozenset(Queue)


def begin(account: PersonalAccount, topic: str, **config: object) -> Run:
    """It asks nobody, unless told otherwise."""
    with tenant_context(account.tenant_id):
        asked = {"reviews": "never", **config}
        return start_run(owner=account.user, kind="report", topic=topic, config=asked)


def now(run: Run) -> Run:
    """The run as its row is now."""
    with tenant_context(run.tenant_id):
        return Run.objects.get(pk=run.pk)


def take(run: Run) -> ClaimedStep | None:
    """The oldest step that can be done, claimed."""
    found = claim(run.tenant_id, run.pk, queues=EVERYTHING, owner="test", most=1)
    return found[0] if found else None


def do(run: Run, step: ClaimedStep) -> None:
    """A claimed step, to its end."""
    if step.is_state:
        advance(step, EVERYTHING)
    else:
        result = execute(pipeline_for(run.kind), step, Leases(run.tenant_id))
        finish([StepOutcome(step, result)], EVERYTHING)


def go_until(run: Run, stops: Callable[[Run], bool]) -> Run:
    """Step by step, until `stops` holds before the next one, or nothing can be done."""
    for _ in range(MAX_STEPS):
        run = now(run)
        step = None if run.is_finished or stops(run) else take(run)
        if step is None:
            return run
        do(run, step)
    raise AssertionError("the run goes round in circles")


def go_on(run: Run) -> Run:
    return go_until(run, lambda _run: False)


def to_state(run: Run, state: str) -> Run:
    """Until the run is in the state, before any of its work."""
    found = go_until(run, lambda one: one.state == state)
    assert found.state == state, found.state
    return found
