"""Fair use: one user fills the queue (security.md). Whose steps are taken next, on the real SQL."""

from uuid import UUID, uuid4

import pytest
from django.db import connection

from research.db.tenancy import tenant_context
from research.engine import cpu_worker, step_runner
from research.engine.cpu_worker import take_turn
from research.engine.fair_queue import next_turn
from research.engine.step_runner import StopReason, run_for_message
from research.engine.worker_slots import SlotRequest, WorkerSlots
from research.models import Queue, Run, Step
from research.runs.start_and_cancel import cancel_run, pause_run, start_run
from tests.people import Person, join

MINE = 10  # runs that a person may have under way


def runs_to_read(person: Person, count: int = 1, sources: int = 3) -> list[Run]:
    """Runs each of whose sources is ready to be read."""
    with tenant_context(person.tenant.pk):
        runs = [start_run(owner=person.user, kind="technical", topic="How many?") for _ in range(count)]
        for run in runs:
            Step.objects.filter(run=run).delete()
            Step.objects.bulk_create(
                Step(
                    run=run,
                    key=f"read.{n}",
                    step_index=n,
                    queue="reading",
                    handler="toy.part",
                    agent_role="extractor",
                )
                for n in range(sources)
            )
    return runs


def turns(count: int, queue: Queue = Queue.READING) -> list[UUID]:
    """The runs that are served one after the other, from now on."""
    return [turn[1] for _ in range(count) if (turn := next_turn(queue)) is not None]


@pytest.fixture
def ada(db):
    return join("ada")


@pytest.fixture
def bob(db):
    return join("bob")


def test_one_user_who_fills_the_queue_lets_another_s_first_step_be_next(ada, bob):
    mine = {run.pk for run in runs_to_read(ada, MINE)}
    assert set(turns(MINE)) == mine  # each of them had its turn
    (theirs,) = runs_to_read(bob)
    assert turns(1) == [theirs.pk]


def test_two_users_have_every_other_turn_however_many_runs_one_has(ada, bob):
    mine = {run.pk for run in runs_to_read(ada, MINE)}
    (theirs,) = runs_to_read(bob)
    served = turns(20)
    assert served.count(theirs.pk) == 10
    assert {served.count(run) for run in mine} == {1}
    assert all((a == theirs.pk) != (b == theirs.pk) for a, b in zip(served, served[1:], strict=False))


def test_several_workspaces_bring_nobody_more(ada, bob):
    for name in ("second", "third"):
        more = join(name)
        with tenant_context(more.tenant.pk):
            more = Person(ada.user, more.tenant)
        runs_to_read(more, 3)
    runs_to_read(ada, 3)
    (theirs,) = runs_to_read(bob)
    assert turns(12).count(theirs.pk) == 6


def test_a_workspace_of_many_gets_no_more_than_one_of_few_and_its_people_share(ada, bob):
    people = [ada, *(join(f"colleague{n}", tenant=ada.tenant) for n in range(3))]
    owners = {run.pk: person.user.pk for person in people for run in runs_to_read(person, 2)}
    (theirs,) = runs_to_read(bob)
    served = turns(16)
    assert served.count(theirs.pk) == 8
    shares = [owners[run] for run in served if run != theirs.pk]
    assert {shares.count(person.user.pk) for person in people} == {2}


def test_only_what_can_be_done_now_has_a_turn(ada, bob):
    paused, cancelled, later, open_ = runs_to_read(ada, 4)
    with tenant_context(ada.tenant.pk):
        pause_run(paused.pk)
        Step.objects.filter(run=cancelled).update(queue="exports")
        cancel_run(cancelled.pk)
        Step.objects.filter(run=later).update(pending_children=1)
    assert turns(3) == [open_.pk] * 3
    assert turns(1, Queue.EXPORTS) == []


def test_who_works_in_another_region_takes_no_turn_of_it(ada, bob, settings):
    with tenant_context(ada.tenant.pk):
        type(ada.tenant).objects.filter(pk=ada.tenant.pk).update(region="eu")
    (mine,), (theirs,) = runs_to_read(ada), runs_to_read(bob)
    settings.PLUMBLINE_REGION = "us"
    assert turns(2) == [theirs.pk] * 2
    settings.PLUMBLINE_REGION = "eu"
    assert mine.pk in turns(2)


def test_nobody_sees_a_run_by_whose_turn_it_is(ada):
    runs_to_read(ada)
    assert next_turn(Queue.READING) is not None
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM research_run")
        assert cursor.fetchone() == (0,)


def test_a_message_about_one_s_run_serves_whoever_s_turn_it_is(ada, bob, monkeypatch):
    mine = runs_to_read(ada, 2)
    turns(2)
    (theirs,) = runs_to_read(bob)
    served = []

    def work(_tenant_id, run_id, _queue, _limit_s=0.0):
        served.append(run_id)
        return StopReason.HANDED_ON if len(served) == 1 else StopReason.IDLE

    monkeypatch.setattr("research.engine.cpu_worker.work_through", work)
    message = (ada.tenant.pk, mine[0].pk, Queue.READING, cpu_worker.TURN_S)
    assert take_turn(*message) is StopReason.HANDED_ON  # Bob's turn, and Ada's message comes again
    assert served == [theirs.pk]
    assert take_turn(*message) is StopReason.IDLE
    assert served[-1] == mine[0].pk


# --- places of a process that serves many runs at once ---


def slot_request(owner: int) -> SlotRequest:
    return SlotRequest(uuid4(), uuid4(), owner)


def test_one_user_s_runs_leave_the_last_places_to_others():
    slots = WorkerSlots(16)
    assert [slots.claim(slot_request(1)) for _ in range(16)].count(True) == 12
    assert [slots.claim(slot_request(owner)) for owner in (2, 3, 4, 5, 6)] == [True] * 4 + [False]


def test_whoever_found_no_place_is_called_and_who_has_fewest_first():
    slots = WorkerSlots(4)
    held = [slot_request(1) for _ in range(3)]
    assert all(slots.claim(request) for request in held)
    assert slots.claim(bob := slot_request(2))
    again, carol = slot_request(1), slot_request(3)
    assert not slots.claim(again)
    assert not slots.claim(carol)
    assert slots.release(held[0]) == carol
    assert slots.claim(carol)
    assert slots.release(held[1]) is None  # the free one is kept
    assert slots.release(bob) == again


def test_a_run_that_comes_twice_waits_once():
    slots = WorkerSlots(2)
    first, second, again = slot_request(1), slot_request(2), slot_request(1)
    assert slots.claim(first)
    assert slots.claim(second)
    assert not slots.claim(again)
    assert not slots.claim(again)
    assert slots.release(second) == again
    assert slots.release(first) is None


@pytest.mark.django_db(transaction=True)
def test_a_run_without_a_place_is_not_served_before_it_is_called(monkeypatch):
    ada = join("ada")
    (run,) = runs_to_read(ada)
    full = WorkerSlots(1)
    holder = slot_request(ada.user.pk)
    full.claim(holder)
    monkeypatch.setattr(step_runner, "_slots", full)
    assert run_for_message(run.tenant_id, run.pk) is StopReason.NO_PLACE
    assert full.release(holder) == SlotRequest(run.tenant_id, run.pk, ada.user.pk)
    assert run_for_message(run.tenant_id, run.pk) is not StopReason.NO_PLACE
