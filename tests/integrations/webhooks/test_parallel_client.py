"""Fetching from Parallel with its official client, over real sockets: what comes, and what each fault is called."""

import asyncio
import threading
from collections.abc import Iterator

import pytest
from pydantic import JsonValue

from research.db.tenancy import tenant_context
from research.models import Kind, Run, SecretPurpose, TaskState, WatchedTask
from research.pipelines.brief.brief_config import BriefConfig, BriefContext
from research.pipelines.brief.tasks import parallel_client as room
from research.pipelines.brief.tasks.brief_finished_tasks import ask_parallel, follow
from research.pipelines.brief.tasks.brief_watched_tasks import watch
from research.pipelines.brief.tasks.parallel_outcome import ParallelAway, ParallelRefused, TaskSnapshot
from research.storage.keys.webhook_secrets import keep_secret
from tests.briefs.making import EIGHT, NIST, TITLE
from tests.fakes.parallel_server import KEY, FakeParallel, Task, break_connection, fault, hold_answer, text
from tests.people import Person, join

TASK = "trun_0123456789abcdef"
OUTPUT: dict[str, JsonValue] = {
    "type": "text",
    "content": "Passwords that users choose must have at least 8 characters.",
    "basis": [
        {
            "field": "output",
            "reasoning": "The guide states it.",
            "citations": [{"url": NIST, "title": TITLE, "excerpts": [EIGHT]}],
            "confidence": "high",
        }
    ],
}


@pytest.fixture
def server(settings) -> Iterator[FakeParallel]:
    with FakeParallel() as fake:
        settings.PLUMBLINE_ALLOW_LOOPBACK = True
        settings.PLUMBLINE_PARALLEL_URL = fake.base_url
        yield fake


@pytest.fixture
def ada(db: None) -> Person:
    person = join("ada")
    with tenant_context(person.tenant.pk):
        keep_secret(SecretPurpose.PARALLEL_KEY, KEY, person.user)
    return person


def fetch_task(task: str = TASK, key: str = KEY) -> TaskSnapshot:
    return asyncio.run(room.fetch(task, key))


def task_of(ada: Person) -> WatchedTask:
    with tenant_context(ada.tenant.pk):
        return WatchedTask.objects.get()


def look(ada: Person) -> int:
    """Look as the sweep does, once the pause is over."""
    with tenant_context(ada.tenant.pk):
        WatchedTask.objects.update(not_before=None)
    return follow(ada.tenant.pk, ask_parallel)


def test_an_ended_task_comes_with_its_output_and_basis(server: FakeParallel) -> None:
    server.tasks[TASK] = Task(["completed"], OUTPUT)
    found = fetch_task()
    assert found.status == "completed"
    assert found.result is not None
    assert found.result["output"]["basis"][0]["citations"][0]["excerpts"] == [EIGHT]
    assert [one.partition("?")[0] for one in server.asked] == [
        f"/v1/tasks/runs/{TASK}",
        f"/v1/tasks/runs/{TASK}/result",
    ]


@pytest.mark.parametrize("status", ["queued", "running", "action_required", "cancelling"])
def test_of_a_task_that_goes_on_no_result_is_asked_for(server: FakeParallel, status: str) -> None:
    server.tasks[TASK] = Task([status])
    assert fetch_task() == TaskSnapshot(status, None)
    assert len(server.asked) == 1


def test_a_task_that_failed_comes_with_its_reason(server: FakeParallel) -> None:
    server.tasks[TASK] = Task(["failed"], error={"message": "Task execution failed", "ref_id": "r"})
    found = fetch_task()
    assert found.result is not None
    assert found.result["run"]["error"]["message"] == "Task execution failed"


@pytest.mark.parametrize(
    ("behaviour", "error", "words"),
    [
        (fault(401), ParallelRefused, "does not accept the workspace’s key"),
        (fault(403), ParallelRefused, "does not accept the workspace’s key"),
        (fault(404), ParallelRefused, "has no task with this ID"),
        (fault(422), ParallelRefused, "answered 422"),
        (fault(408), ParallelAway, "not ready yet"),
        (fault(429), ParallelAway, "too many requests"),
        (fault(500), ParallelAway, "returned an error (500)"),
        (fault(503), ParallelAway, "returned an error (503)"),
        (break_connection(), ParallelAway, "could not be reached"),
        (text("<html>Sign in</html>"), ParallelAway, "not have the format of its API"),
        (text('{"run_id": ', "application/json"), ParallelAway, "not have the format of its API"),
        (text("{}", "application/json"), ParallelAway, "not have the format of its API"),
        (text("[1, 2]", "application/json"), ParallelAway, "not have the format of its API"),
        (text('{"status": 7}', "application/json"), ParallelAway, "not have the format of its API"),
        (text("x" * 6_000_000), ParallelRefused, "answer is larger than 5 MB"),
    ],
)
def test_each_fault_has_its_words(server: FakeParallel, behaviour, error, words: str) -> None:
    server.script(behaviour)
    with pytest.raises(error) as told:
        fetch_task()
    assert words in str(told.value)
    assert KEY not in str(told.value)


def test_a_result_that_cannot_be_read_is_asked_for_again_later(server: FakeParallel) -> None:
    server.tasks[TASK] = Task(["completed"], OUTPUT)
    server.script(lambda path: server.answer(path, KEY), text("<html>"))
    with pytest.raises(ParallelAway, match="not have the format of its API"):
        fetch_task()


def test_a_server_that_says_nothing_is_given_up(server: FakeParallel, monkeypatch) -> None:
    monkeypatch.setattr(room, "TIMEOUT_S", 0.05)
    server.script(hold_answer(threading.Event()))
    with pytest.raises(ParallelAway, match="did not answer in time"):
        fetch_task()


def test_an_address_inside_the_network_is_not_dialled(server: FakeParallel, settings) -> None:
    settings.PLUMBLINE_ALLOW_LOOPBACK = False
    with pytest.raises(ParallelAway, match="cannot be used"):
        fetch_task()
    assert server.asked == []


def test_a_wrong_key_is_told_beside_the_task_and_a_new_one_takes_it_in(
    server: FakeParallel, ada: Person
) -> None:
    server.tasks[TASK] = Task(["completed"], OUTPUT)
    with tenant_context(ada.tenant.pk):
        keep_secret(SecretPurpose.PARALLEL_KEY, "another-key-of-ours-02", ada.user)
        watch(TASK, ada.user, BriefContext(), arrived="run_id")
    assert look(ada) == 0
    assert (task_of(ada).state, "workspace’s key" in task_of(ada).problem) == (TaskState.FAILED, True)
    with tenant_context(ada.tenant.pk):
        keep_secret(SecretPurpose.PARALLEL_KEY, KEY, ada.user)
        watch(TASK, ada.user, BriefContext(), arrived="run_id")
    assert look(ada) == 1


def test_without_a_message_the_sweep_finds_the_end_and_makes_one_brief(
    server: FakeParallel, ada: Person
) -> None:
    server.tasks[TASK] = Task(["queued", "running", "completed"], OUTPUT)
    with tenant_context(ada.tenant.pk):
        watch(TASK, ada.user, BriefContext(original_query="How long?"), arrived="run_id")
    server.script(fault(503))
    assert [look(ada) for _ in range(5)] == [0, 0, 0, 1, 0]
    with tenant_context(ada.tenant.pk):
        [run] = Run.objects.filter(kind=Kind.BRIEF)
        task = WatchedTask.objects.get()
    assert (task.state, task.run_id, task.problem) == (TaskState.TAKEN_IN, run.pk, "")
    assert run.topic == "How long?"
    config = BriefConfig.model_validate(run.config)
    assert (config.arrived, config.result["run"]["run_id"]) == ("run_id", TASK)  # type: ignore[index,call-overload]


def test_a_task_that_is_not_known_fails_with_its_reason(server: FakeParallel, ada: Person) -> None:
    with tenant_context(ada.tenant.pk):
        watch(TASK, ada.user, BriefContext(), arrived="run_id")
    look(ada)
    assert (task_of(ada).state, task_of(ada).problem) == (
        TaskState.FAILED,
        "Parallel has no task with this ID.",
    )
