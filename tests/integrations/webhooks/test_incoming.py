"""Messages of Parallel to a workspace are taken once, however often and in whatever order they come."""

import json
from datetime import UTC, datetime

import pytest
from django.test import Client

from research.db.tenancy import tenant_context
from research.integrations.webhooks.webhook_signatures import build_signature_headers
from research.models import Kind, Run, SecretPurpose, TaskState, WatchedTask, WebhookEvent
from research.pipelines.brief.tasks.brief_finished_tasks import follow
from research.pipelines.brief.tasks.parallel_outcome import ParallelAway, ParallelRefused, TaskSnapshot
from research.storage.keys.webhook_secrets import keep_secret, key_of, retire
from tests.briefs.making import result
from tests.people import Person, join

SECRET, TASK = "TEST-ONLY-SECRET-not-a-credential", "trun_0123456789abcdef"


@pytest.fixture
def ada(db: None) -> Person:
    person = join("ada")
    with tenant_context(person.tenant.pk):
        keep_secret(SecretPurpose.PARALLEL_WEBHOOK, SECRET, person.user)
        keep_secret(SecretPurpose.PARALLEL_KEY, "key-for-parallel-0001", person.user)
    return person


def event(status: str = "completed", task: str = TASK) -> str:
    return json.dumps(
        {"type": "task_run.status", "timestamp": "x", "data": {"run_id": task, "status": status}}
    )


def post(ada: Person, body: str, message_id: str = "whevent_1", secret: str = SECRET, **extra: str) -> int:
    head = build_signature_headers(message_id, datetime.now(tz=UTC), body, [key_of(secret)])
    return (
        Client()
        .post(
            f"/hooks/parallel/{ada.tenant.pk}/",
            body,
            content_type="application/json",
            headers={**head, **extra},
        )
        .status_code
    )


def states(ada: Person) -> list[tuple[str, str]]:
    with tenant_context(ada.tenant.pk):
        return list(WatchedTask.objects.values_list("external_run", "state"))


def events(ada: Person) -> int:
    with tenant_context(ada.tenant.pk):
        return WebhookEvent.objects.count()


def briefs(ada: Person) -> int:
    with tenant_context(ada.tenant.pk):
        return Run.objects.filter(kind=Kind.BRIEF).count()


def finish_task(_task: str, _key: str) -> TaskSnapshot:
    return TaskSnapshot("completed", result())


def test_a_signed_message_has_its_task_looked_at(ada: Person) -> None:
    assert post(ada, event()) == 200
    assert states(ada) == [(TASK, TaskState.WAITING)]
    assert follow(ada.tenant.pk, finish_task) == 1
    assert (states(ada), briefs(ada)) == ([(TASK, TaskState.TAKEN_IN)], 1)


def test_a_message_that_comes_again_does_nothing(ada: Person) -> None:
    assert [post(ada, event()), post(ada, event()), post(ada, event(), "whevent_2")] == [200, 200, 200]
    assert events(ada) == 1
    follow(ada.tenant.pk, finish_task)
    assert post(ada, event(), "whevent_3") == 200
    assert follow(ada.tenant.pk, finish_task) == 0
    assert briefs(ada) == 1


def test_messages_in_another_order_come_to_the_same(ada: Person) -> None:
    for number, status in enumerate(("completed", "running", "queued")):
        assert post(ada, event(status), f"whevent_{number}") == 200
    follow(ada.tenant.pk, finish_task)
    assert briefs(ada) == 1


def test_what_is_not_signed_so_is_refused_and_stores_nothing(ada: Person) -> None:
    assert post(ada, event(), secret="another-secret-of-someone") == 401
    assert post(ada, event(), **{"webhook-timestamp": "1"}) == 401
    assert (
        Client()
        .post(f"/hooks/parallel/{ada.tenant.pk}/", event(), content_type="application/json")
        .status_code
        == 401
    )
    assert events(ada) == 0


def test_a_retired_secret_signs_nothing_any_more(ada: Person) -> None:
    with tenant_context(ada.tenant.pk):
        new = keep_secret(SecretPurpose.PARALLEL_WEBHOOK, "the-next-secret-of-ours", ada.user)
    assert post(ada, event(), "a") == post(ada, event("failed"), "b", "the-next-secret-of-ours") == 200
    with tenant_context(ada.tenant.pk):
        retire(new)
    assert post(ada, event("running"), "c", "the-next-secret-of-ours") == 401


@pytest.mark.parametrize(
    "body",
    [
        *("{", "[]", "{}", '{"type": 1, "data": {}}', '{"type": "x", "data": {"run_id": 5}}'),
        '{"type": "x", "data": {"run_id": "a\\ud800", "status": "c"}}',
        *(
            f'{{"type": "x", "data": {{"run_id": "a", "status": "c", "x": {number}}}}}'
            for number in ("NaN", "1e999")
        ),
    ],
)
def test_signed_nonsense_is_told_to_be_so(ada: Person, body: str) -> None:
    assert post(ada, body) == 400
    assert events(ada) == 0


def test_what_is_too_large_is_not_read(ada: Person) -> None:
    assert post(ada, event() + " " * 256 * 1024) == 413


def test_a_workspace_that_expects_none_has_no_such_page(db: None, ada: Person) -> None:
    bob = join("bob")
    assert post(bob, event()) == 404
    assert Client().get(f"/hooks/parallel/{ada.tenant.pk}/").status_code == 405


def test_a_task_that_goes_on_or_a_server_that_is_away_is_asked_again_later(ada: Person) -> None:
    def away(_task: str, _key: str) -> TaskSnapshot:
        raise ParallelAway("Parallel answered 503.")

    post(ada, event())
    assert follow(ada.tenant.pk, away) == 0
    with tenant_context(ada.tenant.pk):
        task = WatchedTask.objects.get()
        assert (task.state, task.problem, task.attempts) == (TaskState.WAITING, "Parallel answered 503.", 1)
        assert task.not_before is not None
        WatchedTask.objects.update(not_before=None)
    assert follow(ada.tenant.pk, lambda *_: TaskSnapshot("running", None)) == 0
    with tenant_context(ada.tenant.pk):
        WatchedTask.objects.update(not_before=None)
    assert follow(ada.tenant.pk, finish_task) == 1


def test_what_is_no_brief_is_told_with_its_reason(ada: Person) -> None:
    def unknown(_task: str, _key: str) -> TaskSnapshot:
        raise ParallelRefused("Parallel has no task with this ID.")

    post(ada, event())
    follow(ada.tenant.pk, unknown)
    assert states(ada) == [(TASK, TaskState.FAILED)]
    assert briefs(ada) == 0
