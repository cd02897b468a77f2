"""A Hypothesis state machine over the real SQL of claim, finish, crash, heartbeat and redelivery.

The model is a tree of steps; whatever order things happen in, each step's result is stored once, by the
latest fence, and a step that waits is ready exactly when its children have ended.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from research.lifecycle.claims import ClaimedStep, claim, renew
from research.lifecycle.execution import SPENT
from research.lifecycle.failures import Failure
from research.lifecycle.finishing import Outcome, finish
from research.lifecycle.recipe import StepDraft, StepResult
from research.lifecycle.sweeper import expire_leases
from research.models import UNFINISHED_STEPS, AgentRole, Queue, Run, Step, StepStatus
from research.runs import cancel_run, pause_run, resume_run, start_run
from research.tenancy import create_tenant, tenant_context
from tests.lifecycle.rows import let_leases_expire

MOST_STEPS = 40
EVENTS = int(os.environ.get("PLUMBLINE_MACHINE", "450"))  # `make crash`: 10 000
IN_A_ROW = 30
LATE = 8  # results, before a run is cancelled


@contextmanager
def rolled_back() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


class Durability(RuleBasedStateMachine):
    """Workers that claim, finish, die, wake up as zombies and hear messages twice."""

    def __init__(self) -> None:
        super().__init__()
        self._transaction = rolled_back()
        self._transaction.__enter__()
        owner = User.objects.create_user("ada")
        self.tenant = create_tenant("Toys").pk
        with tenant_context(self.tenant):
            self.run = start_run(owner=owner, kind="technical", topic="How many words?")
            Step.objects.filter(run=self.run).update(handler="toy.split", key="0.x/root")
        self.held: list[ClaimedStep] = []  # by anyone, alive or thought dead
        self.stored: dict[str, dict[str, int]] = {}
        self.number = 0
        self.is_paused = self.is_cancelled = False

    def teardown(self) -> None:
        self._transaction.__exit__(None, None, None)

    @rule(most=st.integers(1, 5))
    def take(self, most: int) -> None:
        taken = claim(self.tenant, self.run.pk, queues=frozenset(Queue), owner="here", most=most)
        assert not (taken and self.takes_nothing)
        self.held += taken

    @rule()
    def someone_pauses(self) -> None:
        with tenant_context(self.tenant):
            self.is_paused = pause_run(self.run.pk) or self.is_paused

    @rule()
    def someone_resumes(self) -> None:
        with tenant_context(self.tenant):
            self.is_paused = not resume_run(self.run.pk) and self.is_paused

    @precondition(lambda self: self.number > LATE)
    @rule()
    def someone_cancels(self) -> None:
        """What is being worked on may still be stored, until the last of it lets the run end."""
        with tenant_context(self.tenant):
            self.is_cancelled = cancel_run(self.run.pk) or self.is_cancelled

    @property
    def takes_nothing(self) -> bool:
        return self.is_paused or self.is_cancelled

    @rule()
    def time_passes_and_leases_run_out(self) -> None:
        let_leases_expire(self.run)

    @rule()
    def the_sweeper_comes(self) -> None:
        expire_leases(self.tenant)

    @precondition(lambda self: self.held)
    @rule(data=st.data(), width=st.integers(0, 3), fans_in=st.booleans(), forgets=st.booleans())
    def someone_finishes(self, data: st.DataObject, width: int, fans_in: bool, forgets: bool) -> None:
        """Perhaps a zombie; perhaps the same one will finish again."""
        step = data.draw(st.sampled_from(self.held))
        if forgets:
            self.held.remove(step)
        before = self._row(step)
        if step.is_spent:
            finish([Outcome(step, SPENT)])
            return
        result = self._result(width, fans_in)
        finish([Outcome(step, result)])
        if before.status == StepStatus.RUNNING and before.fence == step.fence:
            self.stored[step.key] = dict(result.output)

    def _result(self, width: int, fans_in: bool) -> StepResult:
        self.number += 1
        with tenant_context(self.tenant):
            width = width if Step.objects.filter(run=self.run).count() < MOST_STEPS else 0
        name = f"{self.number}"
        drafts = [StepDraft(f"{name}.{child}", "toy.part", AgentRole.EXECUTOR) for child in range(width)]
        then = StepDraft(f"{name}.sum", "toy.sum", AgentRole.EXECUTOR) if fans_in and drafts else None
        return StepResult({"by": self.number}, children=drafts, then=then)

    @precondition(lambda self: self.held)
    @rule(data=st.data(), code=st.sampled_from(["PAYWALL", "DATABASE_ERROR", "INTERNAL_ERROR"]))
    def someone_fails(self, data: st.DataObject, code: str) -> None:
        """A retry is due when the rule below says so: one that chance and the clock make due can't be replayed."""
        finish(
            [Outcome(data.draw(st.sampled_from(self.held)), Failure(code, "on purpose", retry_after_s=3600))]
        )

    @precondition(lambda self: self.held)
    @rule()
    def the_heart_beats(self) -> None:
        latest = {step.id: step.fence for step in self.held}
        lost = renew(self.tenant, latest)
        for step_id, fence in latest.items():
            row = self._row_of(step_id)
            assert (step_id in lost) == (row.status != StepStatus.RUNNING or row.fence != fence)

    @rule()
    def waiting_retries_become_due(self) -> None:
        with tenant_context(self.tenant):
            Step.objects.filter(run=self.run).update(not_before=None)

    def _row(self, step: ClaimedStep) -> Step:
        return self._row_of(step.id)

    def _row_of(self, step_id: object) -> Step:
        with tenant_context(self.tenant):
            return Step.objects.get(pk=step_id)

    @invariant()
    def a_parent_counts_its_unfinished_children(self) -> None:
        with tenant_context(self.tenant):
            steps = list(Step.objects.filter(run=self.run))
        for parent in steps:
            unfinished = [
                one for one in steps if one.parent_id == parent.pk and one.status in UNFINISHED_STEPS
            ]
            assert parent.pending_children == len(unfinished)
            assert not (unfinished and parent.status in (StepStatus.RUNNING, StepStatus.COMPLETED))

    @invariant()
    def what_was_stored_stays(self) -> None:
        with tenant_context(self.tenant):
            rows = Step.objects.filter(run=self.run, status=StepStatus.COMPLETED).values_list("key", "output")
            came_to = {key: {"by": output["by"]} for key, output in rows}  # not why it failed before
        assert came_to == self.stored

    @invariant()
    def indexes_have_no_gap(self) -> None:
        with tenant_context(self.tenant):
            indexes = sorted(Step.objects.filter(run=self.run).values_list("step_index", flat=True))
            count = Run.objects.values_list("step_count", flat=True).get(pk=self.run.pk)
        assert indexes == list(range(count))


@pytest.mark.django_db
def test_no_order_of_events_breaks_what_was_promised():
    run_state_machine_as_test(
        Durability,
        settings=settings(
            max_examples=EVENTS // IN_A_ROW,
            stateful_step_count=IN_A_ROW,
            suppress_health_check=list(HealthCheck),
        ),
    )
