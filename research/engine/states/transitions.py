"""Moves a run from state to state, by compare-and-set on state and version, in one transaction with all consequences.

Every transaction that writes a run's steps locks the run's row first. So counters, indexes and fan-in are safe, and no
two transactions can deadlock.
"""

from uuid import UUID

from django.db.models import F, Q
from django.db.models.functions import Coalesce, Extract, Now

from research.db.bulk_sql import rows_of
from research.db.tenancy import tenant_context
from research.engine.claimed_step import ClaimedStep
from research.engine.db_time import seconds_from_now
from research.engine.error_boundary import attempt, drop_broken_connection
from research.engine.insert_steps import insert_steps, place_draft
from research.engine.lease_timing import RUN_LIMIT_S
from research.engine.outbox import enqueue, enqueue_knowledge
from research.engine.pipeline_registry import JsonObject, Pipeline, pipeline_for
from research.engine.states.state_context import RunContext, belongs_to_visit, read_context, visit_key
from research.engine.states.state_escalation import ask_on_entering, ask_on_leaving, close_questions
from research.engine.states.state_exit_conditions import evidence_is_insufficient
from research.engine.states.state_exit_reasons import (
    CANCELLED,
    NEEDS_MISSING,
    NO_EXIT,
    PAUSE_IS_OVER,
    RUN_LIMIT,
    STATE_LIMIT,
    ExitReason,
    facts_for,
    store_exit_reason,
)
from research.engine.states.state_instructions import close_instructions
from research.engine.states.state_machine import STATES, Exit, exit_for, next_used, rolls_back_to
from research.engine.states.state_replanning import TRIGGERS, Cause
from research.engine.states.state_run_authorship import keep_authorship
from research.engine.states.state_source_stats import store_sufficiency
from research.engine.states.step_failure_mail import mail_failure
from research.engine.states.step_failures import Failure, state_retry_delay_s
from research.llm.budgets.budget_credit_funding import close as close_budgets
from research.llm.call_store.close_model_calls import close_calls
from research.models import (
    FINISHED,
    MAX_ATTEMPTS,
    UNFINISHED_STEPS,
    WAITING,
    Queue,
    Run,
    State,
    Step,
    StepStatus,
)
from research.models.schemas import RunOutcome
from research.runtime.fault_injection import FaultPoint, crash_point
from research.runtime.logs import logger

NOTHING_STANDS = "Nothing that was found stands up to being checked against its source."
log = logger(__name__)


class LostRace(RuntimeError):
    """Raised if the run changed although its row was locked: some code changed it without the lock."""


# Long columns that ending a step does not need.
LONG = frozenset(
    {
        "topic", "config", "plan", "outline", "result", "sufficiency", "estimate", "token_usage", "degradations",
        "prompt_versions",
    }
)  # fmt: skip


def lock_run(run_id: UUID, without: frozenset[str] = frozenset()) -> Run | None:
    """Lock the run's row until the end of the transaction, which must be open. References to it stay possible.

    The columns `without` are loaded at first use.
    """
    rows = rows_of(Run, "WHERE id = %(id)s FOR NO KEY UPDATE", {"id": run_id}, without)
    return rows[0] if rows else None


def advance(step: ClaimedStep, served: frozenset[Queue]) -> None:
    """Execute the step that represents a visit of a state: take the first exit that holds.

    An error here, which is a bug, ends the run with the reason. Does nothing if another process has claimed the step.
    `served` are the queues whose steps the caller claims without a message.
    """
    failure = attempt(lambda: _advance(step, served))
    if failure is not None:
        fail_visit(step, failure)


def _advance(step: ClaimedStep, served: frozenset[Queue]) -> None:
    with tenant_context(step.tenant_id):
        pass_state(step, served)


def pass_state(step: ClaimedStep, served: frozenset[Queue]) -> None:
    """Do what `advance` does in the current transaction, and raise its errors."""
    run = lock_run(step.run_id)
    if run is None or not _close_visit(step, StepStatus.COMPLETED):
        return
    if run.cancel_at is not None:
        store_exit_reason(run, ExitReason(CANCELLED, State.CANCELLED))
        end(run, State.CANCELLED)
    elif run.state == State.RETRYING:
        to = State(str(step.input["state"]))
        store_exit_reason(run, ExitReason(PAUSE_IS_OVER, to, {"attempt": run.attempt}))
        enter(run, to, served, attempt=run.attempt)
    else:
        _leave(run, served)
    crash_point(FaultPoint.TRANSITION_BEFORE_COMMIT)


def fail_visit(step: ClaimedStep, failure: Failure) -> None:
    """End the run because its state's step failed."""
    drop_broken_connection()
    with tenant_context(step.tenant_id):
        run = lock_run(step.run_id)
        if run is not None and _close_visit(step, StepStatus.FAILED, failure):
            end(run, State.FAILED, failure.code, failure.message)


def _close_visit(step: ClaimedStep, status: StepStatus, failure: Failure | None = None) -> bool:
    """Set the status of the state's step under our fencing token; return False if the lease is no longer ours."""
    ours = Step.objects.filter(pk=step.id, fence=step.fence, status=StepStatus.RUNNING)
    output = {"failures": [failure.record(step.attempt)]} if failure else {}
    return bool(
        ours.update(
            status=status,
            lease_until=None,
            lease_owner="",
            completed_at=Now(),
            output=output,
            error_code=failure.code if failure else "",
            error_message=failure.message if failure else "",
        )
    )


def reconsider(tenant_id: UUID, run_id: UUID, served: frozenset[Queue] = frozenset()) -> None:
    """Check the run's limits and exits now, though its work may not be done. Safe to repeat at any time."""
    with tenant_context(tenant_id):
        run = lock_run(run_id)
        if run is None or run.is_finished or run.paused_at is not None:
            return
        if run.cancel_at is not None:
            end_if_idle(run)
        elif not run.is_waiting and Run.objects.filter(pk=run.pk, deadline__lt=Now()).exists():
            store_exit_reason(run, ExitReason(RUN_LIMIT, State.FAILED, {"limit_s": RUN_LIMIT_S}))
            end(run, State.FAILED, "RUN_TIME_LIMIT", "The run exceeded its time limit.")
        elif run.state not in (State.CREATED, State.RETRYING):
            _leave(run, served)


def force_cancel(tenant_id: UUID, run_id: UUID) -> None:
    """End a cancelled run whose steps do not end. Their fencing tokens no longer match, so that they store nothing."""
    with tenant_context(tenant_id):
        run = lock_run(run_id)
        if run is not None and not run.is_finished and run.cancel_at is not None:
            end_if_idle(run, force=True)


def _leave(run: Run, served: frozenset[Queue]) -> None:
    recipe = pipeline_for(run.kind)
    spec = STATES[State(run.state)]
    context = read_context(run, retries=spec.retries, policy=recipe.policy(run))
    store_sufficiency(run, context.sources.sufficiency)
    found = exit_for(context, frozenset(recipe.states))
    if found is not None:
        _follow(run, found, context, recipe, served)
    elif context.work.time_share >= 1:
        message = f"{State(run.state).label} exceeded its time limit ({spec.limit_s} s)."
        store_exit_reason(run, ExitReason(STATE_LIMIT, State.FAILED, {"limit_s": spec.limit_s}))
        end(run, State.FAILED, "STATE_TIME_LIMIT", message)
    elif context.work.is_done and not run.is_waiting:
        _retry(run, context, recipe, served)


def _follow(run: Run, found: Exit, context: RunContext, recipe: Pipeline, served: frozenset[Queue]) -> None:
    used = frozenset(recipe.states)
    to = next_used(found.to, used)
    because = found.when.__name__
    log.info("exit", run=str(run.pk), state=str(run.state), because=because, to=str(to))
    store_exit_reason(run, ExitReason(because, to, facts_for(context, because)))
    ask_on_leaving(run, context, to, used)
    if to is State.FAILED:
        code = context.work.failure_code or found.code
        end(run, to, code, context.work.failure_message or _reason(found))
    elif to in FINISHED:
        _say_what_is_missing(run, because)
        end(run, to)
    else:
        cause = Cause(TRIGGERS[because], context.state, context.note) if to is State.REPLANNING else None
        enter(run, to, served, note=cause.to_json() if cause else None)
        ask_on_entering(run, context, used)


def _say_what_is_missing(run: Run, because: str) -> None:
    """Mark the outcome as insufficient if evidence turned out to be missing only after the analysis.

    The report is then short, and says so.
    """
    if because != evidence_is_insufficient.__name__ or run.is_insufficient:
        return
    outcome = RunOutcome.model_validate(run.outcome)
    outcome.insufficient, outcome.summary = True, []
    outcome.reasons = [*outcome.reasons, NOTHING_STANDS]
    run.result = outcome.model_dump(mode="json")
    Run.objects.filter(pk=run.pk).update(result=run.result)


def _reason(found: Exit) -> str:
    return found.when.__name__.replace("_", " ").capitalize() + "."


def _retry(run: Run, context: RunContext, recipe: Pipeline, served: frozenset[Queue]) -> None:
    """Try the state again after a stored pause, because all is done and no exit holds.

    If something that the state needs is missing, the state that makes it is tried instead.
    """
    back = rolls_back_to(context, frozenset(recipe.states))
    tried = run.attempt + _rollbacks(run)
    tries: JsonObject = {"attempt": tried, "retries": context.retries}
    exit_ = NEEDS_MISSING if back else NO_EXIT
    if tried >= context.retries:
        store_exit_reason(run, ExitReason(exit_, State.FAILED, tries))
        code = context.work.failure_code or "RETRIES_SPENT"
        end(run, State.FAILED, code, context.work.failure_message or "No attempts are left.")
        return
    store_exit_reason(run, ExitReason(exit_, State.RETRYING, tries))
    attempt, to = (0, back) if back else (run.attempt + 1, run.state)
    delay_s = state_retry_delay_s(tried)
    enter(run, State.RETRYING, served, attempt=attempt, note={"state": to}, delay_s=delay_s)


def _rollbacks(run: Run) -> int:
    """Return how often the run went back from its present state."""
    visits = Step.objects.filter(run=run, handler=f"state.{run.state}")
    return visits.filter(output__exit=NEEDS_MISSING, output__to=State.RETRYING).count()


def enter(
    run: Run,
    to: State,
    served: frozenset[Queue],
    *,
    attempt: int = 0,
    note: JsonObject | None = None,
    delay_s: float = 0,
) -> None:
    """Enter a state that is not an end, and insert its steps. `note` is stored on the state's own step."""
    skip_steps(run, belongs_to_visit(run) | Q(key=visit_key(run)), "The run continued without it.")
    _move(run, to, attempt=attempt)
    if to in WAITING:
        return
    if to is State.EXPORTING:  # its files show that
        keep_authorship(run)
    visit = visit_step(run, run.step_count)
    visit.input, visit.not_before = note or {}, seconds_from_now(delay_s) if delay_s else None
    visit.save()
    run.step_count += 1
    _open(run, visit, served)


def visit_step(run: Run, index: int) -> Step:
    """Build the unsaved step that represents the run's current visit."""
    state = State(run.state)
    return Step(
        run=run,
        step_index=index,
        key=visit_key(run),
        queue=Queue.CONTROL,
        handler=f"state.{state}",
        agent_role=STATES[state].role,
        max_attempts=MAX_ATTEMPTS,
    )


def _open(run: Run, visit: Step, served: frozenset[Queue]) -> None:
    """Insert the state's steps, and adopt those that were started early for it."""
    recipe = pipeline_for(run.kind)
    drafts = recipe.steps_for(run, State(run.state)) if run.state in recipe.states else ()
    steps = insert_steps(run, [place_draft(draft, visit.key, visit.pk) for draft in drafts])
    early = Step.objects.filter(
        run=run, parent=None, key__startswith=f"{run.state}/", status__in=UNFINISHED_STEPS
    ).update(parent=visit)
    children = sum(step.parent_id == visit.pk for step in steps) + early
    Step.objects.filter(pk=visit.pk).update(pending_children=children)
    Run.objects.filter(pk=run.pk).update(step_count=run.step_count)
    ready = [step.queue for step in steps] + ([] if children else [Queue.CONTROL])
    enqueue(run.pk, [queue for queue in ready if queue not in served], visit.key)


MOVED = (
    "state", "version", "attempt", "revision_count", "replan_count", "state_entered_at", "state_deadline", "deadline",
)  # fmt: skip


def _move(run: Run, to: State, *, attempt: int) -> None:
    """Move the run by compare-and-set. Time spent waiting for a person is added to its deadline."""
    limit = STATES[to].limit_s
    here = Run.objects.filter(pk=run.pk, state=run.state, version=run.version)
    if run.is_waiting:
        here.update(deadline=F("deadline") + (Now() - F("state_entered_at")))
    moved = here.update(
        state=to,
        version=F("version") + 1,
        attempt=attempt,
        revision_count=_revisions(run, to),
        replan_count=run.replan_count + (to is State.REPLANNING),
        state_entered_at=Now(),
        state_deadline=seconds_from_now(limit) if limit else None,
        snapshot_version=F("snapshot_version") + 1,
        started_at=Coalesce(F("started_at"), Now()),
        deadline=Coalesce(F("deadline"), seconds_from_now(RUN_LIMIT_S)),
        updated_at=Now(),
    )
    if not moved:
        raise LostRace(f"run {run.pk} is no longer {run.state} in version {run.version}")
    run.refresh_from_db(fields=MOVED)


def _revisions(run: Run, to: State) -> int:
    """Return the revision count of the current report; 0 after replanning, which starts another report."""
    if to is State.REPLANNING:
        return 0
    return run.revision_count + ((run.state, to) == (State.VERIFYING, State.SYNTHESIZING))


def end(run: Run, state: State, code: str = "", message: str = "") -> None:
    """End the run: keep its results, skip the unfinished steps, and charge what it used."""
    skip_steps(run, Q(), message or "The run had ended.")
    ended = Run.objects.filter(pk=run.pk, state=run.state, version=run.version).update(
        state=state,
        version=F("version") + 1,
        failure_code=code,
        failure_message=message,
        completed_at=Now(),
        duration_seconds=Extract(Now() - Coalesce(F("started_at"), F("created_at")), "epoch"),
        state_entered_at=Now(),
        state_deadline=None,
        estimated_seconds_remaining=None,
        snapshot_version=F("snapshot_version") + 1,
        updated_at=Now(),
    )
    if not ended:
        raise LostRace(f"run {run.pk} is no longer {run.state} in version {run.version}")
    keep_authorship(run)
    close_instructions(run.pk)
    if state == State.COMPLETED:
        enqueue_knowledge(run.pk, f"{run.version}")
    else:  # advice about a finished report can still be decided
        close_questions(run.pk)
    close_budgets(run.pk)
    close_calls(run.pk)
    mail_failure(run, code, message, is_over=True)
    log.info("run_ended", run=str(run.pk), was=str(run.state), state=str(state), code=code)
    run.state, run.version = state, run.version + 1


def end_if_idle(run: Run, *, force: bool = False) -> None:
    """End a cancelled run as soon as none of its steps is being executed, or at once with `force`."""
    working = Step.objects.filter(run=run, lease_until__gt=Now())
    if force or not working.exists():
        end(run, State.CANCELLED)


def skip_steps(run: Run, which: Q, reason: str) -> None:
    """Skip unfinished steps. Their fencing tokens grow, so that a worker that executes one stores nothing."""
    Step.objects.filter(which, run=run, status__in=UNFINISHED_STEPS).update(
        status=StepStatus.SKIPPED,
        fence=F("fence") + 1,
        lease_until=None,
        lease_owner="",
        pending_children=0,
        error_message=reason,
        completed_at=Now(),
    )
