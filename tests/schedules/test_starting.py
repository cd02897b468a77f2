"""One run for each time of a schedule, however often and by however many it is asked for."""

import threading
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from research.models import LibraryDocument, Membership, Relation, Role, Schedule, State
from research.runs.schedules.start_scheduled_runs import run_now, start_due, start_forgotten
from tests.people import join


def start_if_due(world, schedule):
    return start_due(world.person.tenant.pk, schedule.pk)


def test_a_due_schedule_starts_its_run_and_moves_on(world):
    schedule = world.schedule(due_s=1)
    run = start_if_due(world, schedule)
    after = world.again(schedule)
    assert (run.topic, run.config, run.schedule_id) == (schedule.topic, schedule.config, schedule.pk)
    assert after.last_run == run
    assert after.next_at > timezone.now()


@pytest.mark.parametrize("due_s", [None, -2])
def test_before_its_time_nothing_starts(world, due_s):
    assert start_if_due(world, world.schedule(due_s=due_s)) is None
    assert world.runs() == []


def test_a_doubled_message_starts_nothing_more(world):
    schedule = world.schedule(due_s=1)
    assert start_if_due(world, schedule) is not None
    assert start_if_due(world, schedule) is None
    assert len(world.runs()) == 1


def test_a_paused_schedule_starts_nothing(world):
    assert start_if_due(world, world.schedule(due_s=1, enabled=False)) is None


def test_a_deleted_schedule_starts_nothing(world):
    schedule = world.schedule(due_s=1)
    with world.inside():
        Schedule.objects.all().delete()
    assert start_if_due(world, schedule) is None


def test_a_message_for_another_tenants_schedule_finds_nothing(world):
    schedule, bob = world.schedule(due_s=1), join("bob")
    assert start_due(bob.tenant.pk, schedule.pk) is None
    assert world.runs() == []


def test_times_that_were_missed_are_not_made_up_for(world):
    schedule = world.schedule(due_s=5 * 86_400 + 60, interval_seconds=86_400)
    start_if_due(world, schedule)
    assert len(world.runs()) == 1
    assert timedelta() < world.again(schedule).next_at - timezone.now() <= timedelta(days=1)


def test_each_run_follows_the_one_before(world):
    schedule = world.schedule(due_s=1)
    first = start_if_due(world, schedule)
    world.end(first)
    world.make_due(schedule)
    second = start_if_due(world, schedule)
    assert (first.parent, first.relation) == (None, "")
    assert (second.parent, second.relation) == (first, Relation.RERUN)


def test_a_run_after_one_that_failed_follows_the_last_that_gave_a_report(world):
    schedule = world.schedule(due_s=1)
    first = start_if_due(world, schedule)
    world.end(first)
    world.make_due(schedule)
    world.end(start_if_due(world, schedule), State.FAILED)
    world.make_due(schedule)
    assert start_if_due(world, schedule).parent == first


def test_while_the_last_run_is_going_no_other_starts_and_the_schedule_says_so(world):
    schedule = world.schedule(due_s=1)
    start_if_due(world, schedule)
    world.make_due(schedule)
    assert start_if_due(world, schedule) is None
    after = world.again(schedule)
    assert "still under way" in after.problem
    assert after.next_at > timezone.now()


def test_the_next_start_clears_what_was_wrong(world):
    schedule = world.schedule(due_s=1, problem="Something was wrong.")
    start_if_due(world, schedule)
    assert world.again(schedule).problem == ""


def test_too_many_runs_are_refused_and_the_schedule_says_so(world, settings):
    settings.PLUMBLINE_LIMITS = {**settings.PLUMBLINE_LIMITS, "runs": (0, 0)}
    schedule = world.schedule(due_s=1)
    assert start_if_due(world, schedule) is None
    after = world.again(schedule)
    assert "runs in progress, the maximum" in after.problem
    assert after.next_at > timezone.now()
    assert world.runs() == []


@pytest.mark.parametrize("reason", ["nobody", "left", "inactive", "viewer"])
def test_without_an_owner_who_may_start_runs_none_starts(world, reason):
    schedule = world.schedule(due_s=1)
    user = world.person.user
    with world.inside():
        if reason == "nobody":
            Schedule.objects.update(owner=None)
        if reason == "left":
            Membership.objects.all().delete()
        if reason == "viewer":
            Membership.objects.update(role=Role.VIEWER)
    if reason == "inactive":
        user.is_active = False
        user.save()
    assert start_if_due(world, schedule) is None
    assert "nobody who is allowed to start runs" in world.again(schedule).problem


def test_run_now_leaves_the_times_as_they_are_and_a_second_click_finds_the_first(world):
    schedule = world.schedule()
    with world.inside():
        first, second = run_now(schedule, "key"), run_now(world.again(schedule), "key")
    assert first == second
    assert world.again(schedule).next_at == schedule.next_at


@pytest.mark.parametrize(("late_s", "starts"), [(50, False), (70, True)])
def test_the_sweep_starts_what_nobody_messageed_for_within_a_minute(world, late_s, starts):
    world.schedule(due_s=late_s)
    assert start_forgotten() == int(starts)
    assert len(world.runs()) == int(starts)


def test_one_schedule_that_is_refused_does_not_hold_up_the_others(world):
    world.schedule(due_s=100, owner=None)
    world.schedule(due_s=90)
    assert start_forgotten() == 1


@pytest.mark.django_db(transaction=True)
def test_of_many_messages_at_once_one_starts_the_run(world):
    schedule = world.schedule(due_s=1)
    ready, started = threading.Barrier(6), []

    def start_once():
        try:
            ready.wait()
            started.append(start_if_due(world, schedule))
        finally:
            connection.close()

    threads = [threading.Thread(target=start_once) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len([run for run in started if run]) == 1
    assert len(world.runs()) == 1


def test_a_run_of_the_web_fetches_its_pages_anew_and_one_of_the_library_is_as_it_was(world):
    of_web = start_if_due(world, world.schedule(due_s=1, config={"sources": "both"}))
    of_library = start_if_due(world, world.schedule(due_s=1, config={"sources": "library"}))
    assert of_web.config == {"sources": "both", "fresh_pages": True}
    assert of_library.config == {"sources": "library"}


def test_a_folder_that_is_gone_is_told_and_nothing_starts_until_it_is_there(world):
    schedule = world.schedule(due_s=1, config={"folders": ["uploads/Contracts"]})
    assert start_due(world.person.tenant.pk, schedule.pk) is None
    assert "no folder “uploads/Contracts”" in world.again(schedule).problem
    with world.inside():
        LibraryDocument.objects.create(folder="uploads/Contracts", path="a.txt", status="ready")
    world.make_due(schedule)
    run = start_due(world.person.tenant.pk, schedule.pk)
    assert run is not None
    assert run.searched["folders"] == [{"key": "uploads/Contracts", "documents": 1}]
    assert world.again(schedule).problem == ""


def test_a_single_time_starts_one_run_and_is_done(world):
    at = timezone.now() - timedelta(seconds=5)
    schedule = world.schedule(cron="", once_at=at, due_s=5)
    assert start_forgotten() == 1
    assert start_forgotten() == 0
    after = world.again(schedule)
    assert (after.enabled, after.next_at, len(world.runs())) == (False, None, 1)


def test_what_beat_does_not_know_is_started_by_the_next_sweep(world):
    world.schedule(cron="30 0 7 * * *", due_s=1)
    assert start_forgotten() == 1


def test_rows_that_are_no_table_any_more_are_told_as_a_problem(world):
    schedule = world.schedule(due_s=1, kind="table", input={"prompt": "Capital of each", "items": [" "]})
    assert start_if_due(world, schedule) is None
    assert "at least one item" in world.again(schedule).problem
