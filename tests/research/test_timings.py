"""Durations of finished runs are read from their steps; replays say whether the estimates came true."""

from contextlib import nullcontext
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from research.accounts.people import PersonalAccount
from research.db.tenancy import tenant_context
from research.evaluation.evaluation_of_time_left import MOMENTS, replay
from research.models import Run, State
from research.runs.run_durations import courses_of, select_comparable_runs, time_left_of
from tests.past_runs import USUAL, make_past_run, put_into
from tests.people import Person, join


@pytest.fixture
def ada(db: None) -> Person:
    return join("ada")


@pytest.fixture
def at_work(ada):
    run = make_past_run(ada, ())
    put_into(run, State.READING, 100)
    return run


def get_time_left(run: Run):
    with tenant_context(run.tenant_id):
        return time_left_of(run, timezone.now())


def courses(run: Run):
    with tenant_context(run.tenant_id):
        return courses_of(select_comparable_runs(run))


def test_waiting_for_its_turn_and_for_people_is_not_counted(ada, at_work):
    make_past_run(ada, (("created", 900), ("planning", 5), ("human_review_plan", 5_000), ("collecting", 7)))
    (found,) = courses(at_work)
    assert [(visit.state, visit.seconds) for visit in found.visits] == [("planning", 5), ("collecting", 7)]


def test_runs_by_a_model_are_compared_with_runs_by_a_model(ada, at_work):
    estimate = {"sources": 30, "calls": 41, "tokens": 9, "usd": 5, "minutes_low": 1, "minutes_high": 2}
    make_past_run(ada, (("planning", 90),), estimate=estimate)
    make_past_run(ada, (("planning", 5),))
    assert [course.visits[0].seconds for course in courses(at_work)] == [5]
    with tenant_context(ada.tenant.pk):
        Run.objects.filter(pk=at_work.pk).update(estimate=estimate)
        at_work.refresh_from_db()
    assert [course.visits[0].seconds for course in courses(at_work)] == [90]


def test_another_tenants_runs_tell_nothing(ada, at_work):
    bob = join("bob")
    for _ in range(5):
        make_past_run(bob)
    assert get_time_left(at_work) is None


def test_the_time_left_of_a_run_follows_from_earlier_ones(ada, at_work):
    for _ in range(5):
        make_past_run(ada)
    found = get_time_left(at_work)
    assert found
    assert found.low_s < 390 < found.high_s


@pytest.mark.parametrize("column", ["paused_at", "cancel_at"])
def test_of_a_run_that_stands_still_nothing_is_told(ada, at_work, column):
    for _ in range(5):
        make_past_run(ada)
    setattr(at_work, column, timezone.now())
    assert get_time_left(at_work) is None


def test_a_replay_uses_only_what_had_ended_before(ada):
    first = [make_past_run(ada, ago=timedelta(days=9 - day)) for day in range(3)]
    later = make_past_run(ada, ago=timedelta(days=1))
    with tenant_context(ada.tenant.pk):
        told = [list(replay(run)) for run in (*first, later)]
    assert [sum(one.told is not None for one in of_run) for of_run in told] == [0, 0, 0, MOMENTS]
    assert all(one.is_right for one in told[-1])
    total = sum(seconds for _state, seconds in USUAL)
    assert told[-1][0].true_s == pytest.approx(total * (1 - 0.5 / MOMENTS))


def test_a_run_unlike_all_before_is_not_always_held(ada):
    for day in range(4):
        make_past_run(ada, ago=timedelta(days=9 - day))
    odd = make_past_run(ada, (*USUAL, ("synthesizing", 9_000)), ago=timedelta(hours=1))
    with tenant_context(ada.tenant.pk):
        told = list(replay(odd))
    assert not told[0].is_right


@pytest.fixture
def at_home(ada, monkeypatch):
    """The test's own database is up already, with its tables."""
    account = nullcontext(PersonalAccount(ada.user, ada.tenant.pk))
    monkeypatch.setattr("research.management.commands.bench_time_left.workplace", lambda _name: account)


def run_bench() -> str:
    out = StringIO()
    call_command("bench_time_left", "--user", "ada", stdout=out)
    return out.getvalue()


@pytest.mark.usefixtures("at_home")
def test_the_command_needs_runs_to_compare_with():
    with pytest.raises(CommandError, match="at least four finished ones"):
        run_bench()


@pytest.mark.usefixtures("at_home")
def test_the_command_tells_how_often_it_was_true(ada):
    for day in range(4):
        make_past_run(ada, ago=timedelta(days=9 - day))
    first, second = run_bench().splitlines()[:2]
    assert first.startswith("4 runs, ")
    assert "100% (goal 80%)" in second
