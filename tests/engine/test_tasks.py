"""A worker handles a message about a run."""

import pytest

from research.db.tenancy import tenant_context
from research.engine.step_runner import StopReason
from research.models import Outbox, Queue, State, StepStatus
from research.runtime.process_names import owner_name
from research.tasks import serve_run
from tests.engine.rows import fresh, steps_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def receive():
    """Hand a message to the task, as Celery does."""

    def take(run, queue: str, *, redelivered: bool = False) -> None:
        serve_run.push_request(delivery_info={"redelivered": redelivered})
        try:
            serve_run.run(str(run.tenant_id), str(run.pk), queue)
        finally:
            serve_run.pop_request()

    return take


def hand_ons(run) -> list[str]:
    with tenant_context(run.tenant_id):
        rows = Outbox.objects.filter(run=run, dedupe_key__contains="hand_on")
        return list(rows.values_list("payload__queue", flat=True))


def test_a_message_for_agents_serves_all_but_the_cpu_steps(start_toy, receive):
    run = start_toy()
    receive(run, "agents")
    assert fresh(run).state == State.READING
    assert {step.status for step in steps_of(run).values() if step.queue == Queue.READING} == {
        StepStatus.PENDING
    }
    assert hand_ons(run) == []


@pytest.mark.parametrize(("sources", "starts"), [("web", 1), ("both", 1), ("library", 0), (None, 0)])
def test_the_child_that_parses_pages_is_started_once_for_each_run_that_reads_some(
    start_toy, receive, monkeypatch, settings, sources, starts
):
    settings.PLUMBLINE_PROVIDERS, settings.PLUMBLINE_SEARXNG_URL = ("searxng",), "http://search.example"
    started = []
    monkeypatch.setattr("research.tasks.start_child", lambda: started.append(True))
    run = start_toy(**({"sources": sources} if sources else {}))
    receive(run, "reading")
    assert started == []
    receive(run, "agents")
    receive(run, "agents")
    assert len(started) == starts


def test_a_run_gives_way_to_others_after_its_turn(start_toy, receive, monkeypatch):
    run = start_toy()
    receive(run, "agents")
    monkeypatch.setattr("research.tasks.TURN_S", 0.0)
    receive(run, "reading")
    assert hand_ons(run) == ["reading"]


def test_a_message_for_readers_does_their_steps(start_toy, receive, monkeypatch):
    monkeypatch.setattr("research.tasks.TURN_S", 60.0)  # however slow the machine is
    run = start_toy()
    receive(run, "agents")
    receive(run, "reading")
    assert {step.status for step in steps_of(run).values() if step.queue == Queue.READING} == {
        StepStatus.COMPLETED
    }


def test_a_message_that_comes_again_frees_what_its_dead_worker_held(start_toy, take, receive):
    run = start_toy()
    here = owner_name().partition("|")[0]
    take(run, owner=f"{here}|4194305|7|1")
    receive(run, "agents")
    assert fresh(run).state == State.CREATED
    receive(run, "agents", redelivered=True)
    assert fresh(run).state == State.READING


@pytest.mark.parametrize("queue", ["agents", "reading"])
def test_work_that_outlasts_the_runner_is_handed_on(start_toy, receive, monkeypatch, queue):
    run = start_toy()
    ending = lambda *_: StopReason.HANDED_ON  # noqa: E731 - both are called with other arguments
    monkeypatch.setattr("research.tasks.run_for_message", ending)
    monkeypatch.setattr("research.tasks.take_turn", ending)
    receive(run, queue)
    assert hand_ons(run) == [queue]
