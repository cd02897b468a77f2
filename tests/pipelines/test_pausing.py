"""Pausing, going on and cancelling a report: what begins, what ends, what is kept, in whichever state."""

from datetime import timedelta

import pytest
from django.utils import timezone

from exports.building.build_document import build_document
from research.db.tenancy import tenant_context
from research.engine.states.transitions import enter, lock_run, reconsider
from research.models import WAITING, Run, Source, SourceStatus, State, Step
from research.runs.start_and_cancel import cancel_run, pause_run, resume_run
from tests.often import one_in
from tests.pipelines.conftest import QUESTION
from tests.pipelines.stepping import begin, do, go_on, now, take, to_state


@pytest.fixture
def run(account, library):
    started = begin(account, QUESTION, folders=[library])
    yield started
    act(started, cancel_run)


def act(run, do_it):
    with tenant_context(run.tenant_id):
        return do_it(run.pk)


def move(run, **columns):
    with tenant_context(run.tenant_id):
        Run.objects.filter(pk=run.pk).update(**columns)


def test_what_had_begun_ends_and_nothing_begins(run):
    to_state(run, State.READING)
    step = take(run)
    assert act(run, pause_run)
    assert take(run) is None
    do(run, step)
    with tenant_context(run.tenant_id):
        assert Step.objects.get(pk=step.id).status == "completed"
    assert take(run) is None
    assert act(run, resume_run)
    assert go_on(run).state == State.COMPLETED


def test_no_time_limit_runs_on_while_it_is_paused(run):
    run = to_state(run, State.READING)
    state_left, run_left = run.state_deadline - timezone.now(), run.deadline - timezone.now()
    act(run, pause_run)
    day = timedelta(days=1)
    move(run, paused_at=timezone.now() - day, state_entered_at=run.state_entered_at - day)
    move(run, state_deadline=run.state_deadline - day, deadline=run.deadline - day)
    reconsider(run.tenant_id, run.pk)  # what the sweeper does
    assert now(run).state == State.READING
    act(run, resume_run)
    run = now(run)
    assert abs(run.state_deadline - timezone.now() - state_left) < timedelta(minutes=5)
    assert abs(run.deadline - timezone.now() - run_left) < timedelta(minutes=5)
    assert go_on(run).state == State.COMPLETED


def test_doing_it_twice_or_too_late_changes_nothing(run):
    assert act(run, pause_run)
    assert not act(run, pause_run)
    assert act(run, resume_run)
    assert not act(run, resume_run)
    assert act(run, cancel_run)
    assert [act(run, late) for late in (cancel_run, pause_run, resume_run)] == [False, False, False]


@pytest.mark.parametrize(
    "state", [State.COLLECTING, State.READING, State.ANALYZING, State.SYNTHESIZING, State.CITING]
)
def test_a_cancelled_run_keeps_what_it_has(run, state):
    run = to_state(run, state)
    with tenant_context(run.tenant_id):
        held = set(Source.objects.filter(run=run).values_list("pk", flat=True))
    assert act(run, cancel_run)
    run = now(run)
    assert run.state == State.CANCELLED
    with tenant_context(run.tenant_id):
        document = build_document(run.pk)
    assert document.status == "cancelled"
    assert {source.id for source in document.sources} == held


@pytest.mark.parametrize("state", one_in(2, sorted(WAITING)))
def test_a_run_that_waits_for_a_person_is_cancelled_at_once(run, state):
    run = to_state(run, State.CITING)
    with tenant_context(run.tenant_id):
        enter(lock_run(run.pk), State(state), frozenset())
    assert now(run).state == state
    assert act(run, cancel_run)
    assert now(run).state == State.CANCELLED
    with tenant_context(run.tenant_id):
        assert [section.heading for section in build_document(run.pk).sections]
        assert Source.objects.filter(run=run, status=SourceStatus.PROCESSED).exists()


def test_a_paused_run_can_be_cancelled(run):
    to_state(run, State.READING)
    act(run, pause_run)
    assert act(run, cancel_run)
    assert now(run).state == State.CANCELLED


def test_a_step_under_way_when_the_run_is_cancelled_may_end_and_then_it_is_over(run):
    to_state(run, State.READING)
    step = take(run)
    assert act(run, cancel_run)
    assert now(run).state == State.READING
    assert take(run) is None
    do(run, step)
    assert now(run).state == State.CANCELLED
