"""Messages that are done go after a while; what waits stays."""

from datetime import timedelta

import pytest
from django.utils import timezone

from research.db.tenancy import tenant_context
from research.engine.outbox import forget_published
from research.models import Outbox, Run, State, WatchedTask, WebhookDelivery, WebhookEvent
from research.ops.retention.remove_old_webhooks import WebhookCleanup, tidy_messages
from tests.people import Person, join

OLD = timedelta(days=91)


@pytest.fixture
def ada(db: None) -> Person:
    return join("ada")


def run_of(ada: Person, state: State = State.COMPLETED) -> Run:
    ends = {"completed_at": timezone.now()} if state == State.COMPLETED else {}
    return Run.objects.create(owner=ada.user, kind="brief", topic="How long?", state=state, **ends)


def fill(ada: Person) -> None:
    """Add one of each kind that is done, and one that waits."""
    now = timezone.now()
    for name, is_done in (("done", True), ("waits", False)):
        WebhookDelivery.objects.create(
            run=run_of(ada),
            consumer="rewrite",
            message_id=name,
            body="{}",
            state="delivered" if is_done else "waiting",
            delivered_at=now if is_done else None,
        )
        WatchedTask.objects.create(external_run=name, state="taken_in" if is_done else "waiting")
    WebhookEvent.objects.create(provider="parallel", message_id="m", external_run="trun", status="completed")


def make_old() -> None:
    then = timezone.now() - OLD
    WebhookDelivery.objects.update(updated_at=then)
    WatchedTask.objects.update(updated_at=then)
    WebhookEvent.objects.update(created_at=then)


def test_what_is_done_goes_after_its_time_and_what_waits_stays(ada: Person) -> None:
    with tenant_context(ada.tenant.pk):
        fill(ada)
    assert tidy_messages() == WebhookCleanup()
    with tenant_context(ada.tenant.pk):
        make_old()
    assert tidy_messages() == WebhookCleanup(deliveries=1, events=1, tasks=1)
    assert tidy_messages() == WebhookCleanup()
    with tenant_context(ada.tenant.pk):
        assert [webhookdelivery.message_id for webhookdelivery in WebhookDelivery.objects.all()] == ["waits"]
        assert [watchedtask.external_run for watchedtask in WatchedTask.objects.all()] == ["waits"]


def test_how_long_is_a_setting(ada: Person, settings) -> None:
    settings.PLUMBLINE_WEBHOOK_DAYS = 365
    with tenant_context(ada.tenant.pk):
        fill(ada)
        make_old()
    assert tidy_messages() == WebhookCleanup()


def test_published_messages_of_finished_runs_are_forgotten_after_a_day(ada: Person) -> None:
    sent = timezone.now() - timedelta(days=2)
    with tenant_context(ada.tenant.pk):
        ended, going = run_of(ada), run_of(ada, State.READING)
        for key, run, published in (
            ("old", ended, sent),
            ("new", ended, timezone.now()),
            ("never", ended, None),
            ("going", going, sent),
        ):
            Outbox.objects.create(run=run, topic="t", dedupe_key=key, published_at=published)
    assert (forget_published(), forget_published()) == (1, 0)
    with tenant_context(ada.tenant.pk):
        assert set(Outbox.objects.values_list("dedupe_key", flat=True)) == {"new", "never", "going"}
