"""A Hypothesis state machine over the real SQL of claim, finish, crash, heartbeat, redelivery and people's answers.

The model is a tree of steps and a list of answers; whatever order things happen in, each step's result is stored once,
by the latest fence, a step that waits is ready exactly when its children have ended, a run that waits for a person has
its question, and each answer counts once. When a run has ended, the next begins.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from research.db.tenancy import create_tenant, tenant_context
from research.engine.claim_and_finish_steps import StepOutcome, claim, finish, renew
from research.engine.claimed_step import ClaimedStep
from research.engine.pipeline_registry import StepDraft, StepResult, register
from research.engine.run_step import SPENT
from research.engine.states.state_context import visit_key
from research.engine.states.step_failures import Failure
from research.engine.states.transitions import advance
from research.engine.sweeper import sweep_tenant
from research.models import (
    FINISHED,
    UNFINISHED_STEPS,
    AgentRole,
    Escalation,
    EscalationStatus,
    Queue,
    ReviewAct,
    Run,
    State,
    Step,
    StepStatus,
)
from research.models.schemas import StoredDecision
from research.review.decide_review_items import DecisionRefused, decide_whole
from research.review.lock_escalation_for_review import may_replan
from research.runs.start_and_cancel import cancel_run, pause_run, resume_run, start_run
from tests.engine.asking_toy import Asking, save_for
from tests.engine.rows import let_leases_expire
from tests.engine.toy import ToyPipeline
from tests.often import IS_FULL

MAX_STEPS = 40
EVENTS = 10_000 if IS_FULL else 150
IN_A_ROW = 30
LATE = 8  # results, before a run is cancelled
OPEN, EXPIRED = EscalationStatus.OPEN, EscalationStatus.EXPIRED
PEOPLE = ("ada", "bob")
ANSWERS = {
    ReviewAct.ACCEPT: EscalationStatus.APPROVED,
    ReviewAct.REJECT: EscalationStatus.REJECTED,
    ReviewAct.REPLAN: EscalationStatus.REVISED,
}
# Where an answer to the question about the plan, and to that about gaps, leads.
LEADS = {
    (State.HUMAN_REVIEW_PLAN, ReviewAct.ACCEPT): State.COLLECTING,
    (State.HUMAN_REVIEW_PLAN, ReviewAct.REJECT): State.FAILED,
    (State.HUMAN_REVIEW_PLAN, ReviewAct.REPLAN): State.REPLANNING,
    (State.HUMAN_REVIEW_PLAN, EXPIRED): State.FAILED,
    (State.HUMAN_REVIEW_GAPS, ReviewAct.ACCEPT): State.COMPLETED,
    (State.HUMAN_REVIEW_GAPS, ReviewAct.REJECT): State.FAILED,
    (State.HUMAN_REVIEW_GAPS, ReviewAct.REPLAN): State.REPLANNING,
    (State.HUMAN_REVIEW_GAPS, EXPIRED): State.COMPLETED,
}


@contextmanager
def roll_back_at_end() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


class Durability(RuleBasedStateMachine):
    """Workers that claim, finish, die, wake up as zombies and hear messages twice; people who answer, or do not."""

    recipe: Asking

    def __init__(self) -> None:
        super().__init__()
        self._transaction = roll_back_at_end()
        self._transaction.__enter__()
        self.people = {name: User.objects.create_user(name) for name in PEOPLE}
        self.tenant = create_tenant("Toys").pk
        self.recipe.applied.clear()
        self.held: list[ClaimedStep] = []  # by anyone, alive or thought dead, of whatever run
        self.stored: dict[UUID, dict[str, int]] = {}
        self.answers: dict[UUID, EscalationStatus] = {}
        self.counting: list[UUID] = []  # questions whose answers must take effect
        self.late: set[UUID] = set()  # questions whose time is up, though nobody has looked yet
        self.number = 0
        self._start()

    def _start(self) -> None:
        with tenant_context(self.tenant):
            self.run = start_run(owner=self.people["ada"], kind="technical", topic="How many words?")
        self.began = self.number
        self.is_paused = self.is_cancelled = False

    def teardown(self) -> None:
        self._transaction.__exit__(None, None, None)

    @initialize(asked=st.integers(0, 2))
    def a_run_has_come_so_far(self, asked: int) -> None:
        """Else most examples would end before anybody is asked. 0: it has just begun."""
        for question in range(asked):
            while not self._fresh().is_waiting:
                for step in claim(self.tenant, self.run.pk, queues=frozenset(Queue), owner="here", most=5):
                    self._do(step, 0, fans_in=False)
            if question < asked - 1:
                self.someone_answers(PEOPLE[0], ReviewAct.ACCEPT)

    # --- workers ---

    @rule(most=st.integers(1, 5))
    def take(self, most: int) -> None:
        now = self._fresh()
        taken = claim(self.tenant, self.run.pk, queues=frozenset(Queue), owner="here", most=most)
        rests = self.is_paused or self.is_cancelled or now.is_waiting or now.is_finished
        assert not (taken and rests)
        self.held += taken

    @precondition(lambda self: self._fresh().is_finished)
    @rule()
    def the_next_run_begins(self) -> None:
        self._start()

    @rule()
    def someone_pauses(self) -> None:
        with tenant_context(self.tenant):
            self.is_paused = pause_run(self.run.pk) or self.is_paused

    @rule()
    def someone_resumes(self) -> None:
        with tenant_context(self.tenant):
            self.is_paused = not resume_run(self.run.pk) and self.is_paused

    @precondition(lambda self: self.number > self.began + LATE)
    @rule()
    def someone_cancels(self) -> None:
        """Work in progress may still be stored, until the last of it lets the run end."""
        with tenant_context(self.tenant):
            self.is_cancelled = cancel_run(self.run.pk) or self.is_cancelled

    @rule()
    def time_passes_and_leases_run_out(self) -> None:
        let_leases_expire(self.run)

    @rule()
    def the_sweeper_comes(self) -> None:
        """It frees steps, ends what was cancelled, and lets the questions expire whose time is up."""
        late = [asked for asked in self._questions() if asked.pk in self.late]
        sweep_tenant(self.tenant)
        for asked in late:
            self.answers[asked.pk] = EXPIRED
            if asked.fallback != "fail":
                self.counting.append(asked.pk)
            self._is_led(asked, EXPIRED)

    @precondition(lambda self: self.held)
    @rule(data=st.data(), width=st.integers(0, 3), fans_in=st.booleans(), forgets=st.booleans())
    def someone_finishes(self, data: st.DataObject, width: int, fans_in: bool, forgets: bool) -> None:
        """Perhaps a zombie; perhaps the same one will finish again."""
        step = data.draw(st.sampled_from(self.held))
        if forgets:
            self.held.remove(step)
        self._do(step, width, fans_in=fans_in)

    def _do(self, step: ClaimedStep, width: int, *, fans_in: bool) -> None:
        if step.is_spent:
            finish([StepOutcome(step, SPENT)])
        elif step.is_state:
            advance(step, frozenset())
        else:
            self._finish(step, width, fans_in)

    def _finish(self, step: ClaimedStep, width: int, fans_in: bool) -> None:
        before = self._row_of(step.id)
        result = self._result(step, width, fans_in)
        finish([StepOutcome(step, result)])
        if before.status == StepStatus.RUNNING and before.fence == step.fence:
            self.stored[step.id] = dict(result.output)

    def _result(self, step: ClaimedStep, width: int, fans_in: bool) -> StepResult:
        self.number += 1
        with tenant_context(self.tenant):
            width = width if Step.objects.filter(run=step.run_id).count() < MAX_STEPS else 0
        name, state = f"{self.number}", step.key.partition("/")[0].rpartition(".")[2]
        drafts = [StepDraft(f"{name}.{child}", "toy.part", AgentRole.EXECUTOR) for child in range(width)]
        then = StepDraft(f"{name}.sum", "toy.sum", AgentRole.EXECUTOR) if fans_in and drafts else None
        return StepResult(
            {"by": self.number}, save=lambda: save_for(step.run_id, state), children=drafts, then=then
        )

    @precondition(lambda self: self._work())
    @rule(data=st.data(), code=st.sampled_from(["PAYWALL", "DATABASE_ERROR", "INTERNAL_ERROR"]))
    def someone_fails(self, data: st.DataObject, code: str) -> None:
        """A retry is due when the rule below says so: one that chance and the clock make due can't be replayed."""
        step = data.draw(st.sampled_from(self._work()))
        finish([StepOutcome(step, Failure(code, "on purpose", retry_after_s=3600))])

    def _work(self) -> list[ClaimedStep]:
        return [step for step in self.held if not step.is_state]

    @precondition(lambda self: self.held)
    @rule()
    def the_heart_beats(self) -> None:
        latest = {step.id: step.fence for step in self.held}
        lost = renew(self.tenant, latest)
        for step_id, fence in latest.items():
            row = self._row_of(step_id)
            assert (step_id in lost) == (row.status != StepStatus.RUNNING or row.fence != fence)

    @rule()
    def make_retries_due(self) -> None:
        with tenant_context(self.tenant):
            Step.objects.filter(run=self.run).update(not_before=None)

    # --- people ---

    @precondition(lambda self: self._questions())
    @rule(who=st.sampled_from(PEOPLE), act=st.sampled_from([*ANSWERS]))
    def someone_answers(self, who: str, act: ReviewAct) -> None:
        """Refused when it is late, or when no other plan is to be had; whatever is kept counts at once."""
        (asked,) = self._questions()
        with tenant_context(self.tenant):
            is_refused = asked.pk in self.late or (act is ReviewAct.REPLAN and not may_replan(self._fresh()))
        if is_refused:
            self._is_refused(asked, who, act)
            return
        self._answer(asked, who, act)
        self.answers[asked.pk] = ANSWERS[act]
        if act is ReviewAct.ACCEPT:
            self.counting.append(asked.pk)
        self._is_led(asked, act)

    @precondition(lambda self: self.answers)
    @rule(data=st.data(), who=st.sampled_from(PEOPLE), act=st.sampled_from([*ANSWERS]))
    def someone_answers_what_is_answered(self, data: st.DataObject, who: str, act: ReviewAct) -> None:
        """The same by the same person is a form that was sent twice; anything else is refused."""
        with tenant_context(self.tenant):
            asked = Escalation.objects.get(pk=data.draw(st.sampled_from([*self.answers])))
        said = (asked.decision or {}).get("act")
        if (asked.decided_by, said) == (self.people[who], act):
            self._answer(asked, who, act)
        else:
            self._is_refused(asked, who, act)

    @precondition(lambda self: self._questions())
    @rule()
    def a_deadline_passes(self) -> None:
        """The sweep is on its way; until it comes nobody is heard any more."""
        (asked,) = self._questions()
        with tenant_context(self.tenant):
            Escalation.objects.filter(pk=asked.pk).update(deadline="2026-01-01T00:00:00Z")
        self.late.add(asked.pk)

    def _answer(self, asked: Escalation, who: str, act: ReviewAct) -> None:
        with tenant_context(self.tenant):
            decide_whole(asked.pk, self.people[who], act, StoredDecision(note="Why."))

    def _is_refused(self, asked: Escalation, who: str, act: ReviewAct) -> None:
        with pytest.raises(DecisionRefused):
            self._answer(asked, who, act)

    def _is_led(self, asked: Escalation, by: ReviewAct | EscalationStatus) -> None:
        """A run that is paused stays where it is until it is resumed."""
        with tenant_context(self.tenant):
            run = Run.objects.get(pk=asked.run_id)
        leads = LEADS[State(asked.state), by]
        assert run.state == (asked.state if run.paused_at else leads)

    # --- looking ---

    def _fresh(self) -> Run:
        with tenant_context(self.tenant):
            return Run.objects.get(pk=self.run.pk)

    def _row_of(self, step_id: object) -> Step:
        with tenant_context(self.tenant):
            return Step.objects.get(pk=step_id)

    def _questions(self) -> list[Escalation]:
        with tenant_context(self.tenant):
            return list(Escalation.objects.filter(status=OPEN))

    @invariant()
    def a_parent_counts_its_unfinished_children(self) -> None:
        with tenant_context(self.tenant):
            steps = list(Step.objects.filter(run=self.run))
        for parent in steps:
            unfinished = [
                step for step in steps if step.parent_id == parent.pk and step.status in UNFINISHED_STEPS
            ]
            assert parent.pending_children == len(unfinished)
            assert not (unfinished and parent.status in (StepStatus.RUNNING, StepStatus.COMPLETED))

    @invariant()
    def what_was_stored_stays(self) -> None:
        with tenant_context(self.tenant):
            work = Step.objects.filter(status=StepStatus.COMPLETED).exclude(handler__startswith="state.")
            rows = work.values_list("pk", "output")
            came_to = {pk: {"by": output["by"]} for pk, output in rows}  # not why it failed before
        assert came_to == self.stored

    @invariant()
    def indexes_have_no_gap(self) -> None:
        with tenant_context(self.tenant):
            indexes = sorted(Step.objects.filter(run=self.run).values_list("step_index", flat=True))
            count = Run.objects.values_list("step_count", flat=True).get(pk=self.run.pk)
        assert indexes == list(range(count))

    @invariant()
    def a_run_that_waits_has_its_question_and_no_other_run_has_one(self) -> None:
        run = self._fresh()
        asked = self._questions()
        if run.is_waiting:
            with tenant_context(self.tenant):
                (here,) = Escalation.objects.filter(run=run, visit=visit_key(run))
            assert asked == ([here] if here.pk not in self.answers else [])
            assert asked or run.paused_at
        else:
            assert asked == []

    @invariant()
    def each_answer_stays_and_counts_once(self) -> None:
        with tenant_context(self.tenant):
            statuses: Mapping[UUID, str] = dict(Escalation.objects.values_list("pk", "status"))
        assert {pk: statuses[pk] for pk in self.answers} == self.answers
        assert {status for pk, status in statuses.items() if pk not in self.answers} <= {OPEN, "closed"}
        assert sorted(self.recipe.applied) == sorted(self.counting)

    @invariant()
    def what_has_ended_leaves_nothing_to_do(self) -> None:
        with tenant_context(self.tenant):
            left = Step.objects.filter(run__state__in=FINISHED, status__in=UNFINISHED_STEPS)
            assert not left.exists()


@pytest.mark.django_db
def test_no_order_of_events_breaks_what_was_promised():
    before, Durability.recipe = ToyPipeline(), Asking()
    register(Durability.recipe)
    try:
        run_state_machine_as_test(
            Durability,
            settings=settings(
                max_examples=EVENTS // IN_A_ROW,
                stateful_step_count=IN_A_ROW,
                suppress_health_check=list(HealthCheck),
            ),
        )
    finally:
        register(before)
