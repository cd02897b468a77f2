"""Messages that a commit owes."""

import pytest
from celery import Celery
from django.db import transaction

from config.celery import app
from research.lifecycle.outbox import hand_on, knock, relay
from research.models import Outbox, Queue
from research.tenancy import tenant_context


@pytest.fixture
def broker(valkey):
    """Gives the length of a queue of the test's Valkey, which is where Celery's settings look for it."""
    from redis import Redis

    with Redis.from_url(valkey) as client:
        yield lambda queue: client.llen(queue)


@pytest.fixture
def no_broker(monkeypatch, tmp_path):
    """Celery with its own settings, but for an address at which nobody answers."""
    elsewhere = Celery("elsewhere", broker=f"redis+socket://{tmp_path}/nobody.sock", set_as_current=False)
    elsewhere.conf.broker_transport_options = app.conf.broker_transport_options
    monkeypatch.setattr("research.lifecycle.outbox.current_app", elsewhere)


def unpublished(run):
    with tenant_context(run.tenant_id):
        return Outbox.objects.filter(run=run, published_at=None).count()


@pytest.mark.django_db(transaction=True)
def test_a_started_run_is_announced_when_it_is_committed(start_toy, broker):
    run = start_toy()
    assert broker("agents") == 1
    assert unpublished(run) == 0


@pytest.mark.django_db(transaction=True)
def test_a_run_whose_transaction_rolls_back_is_not_announced(start_toy, broker):
    with transaction.atomic():
        start_toy()
        transaction.set_rollback(True)
    assert broker("agents") == 0


@pytest.mark.django_db(transaction=True)
def test_without_a_broker_a_run_starts_and_waits(start_toy, no_broker):
    run = start_toy()
    assert unpublished(run) == 1
    assert relay() == 0
    assert unpublished(run) == 1


@pytest.mark.django_db(transaction=True)
def test_the_relay_sends_what_was_left_and_only_once(start_toy, broker, tenant):
    run = start_toy()
    with tenant_context(tenant.pk):
        Outbox.objects.update(published_at=None)
    assert (relay(), relay()) == (1, 0)
    assert broker("agents") == 2
    assert unpublished(run) == 0


@pytest.mark.django_db(transaction=True)
def test_a_row_that_another_relay_holds_is_left_to_it(start_toy, no_broker, tenant):
    from django.db import connections

    run = start_toy()
    other = connections["default"].copy()
    with tenant_context(tenant.pk):
        list(Outbox.objects.select_for_update())
        with other.cursor() as cursor:
            cursor.execute("SELECT set_config('plumbline.tenant', %s, false)", [str(tenant.pk)])
            cursor.execute("SELECT id FROM research_outbox FOR UPDATE SKIP LOCKED")
            assert cursor.fetchall() == []
    other.close()
    assert unpublished(run) == 1


def test_many_ready_steps_wake_a_few_processes(start_toy, tenant):
    run = start_toy()
    with tenant_context(tenant.pk):
        knock(run.pk, [Queue.READING] * 30 + [Queue.EXPORTS], "test")
        keys = list(
            Outbox.objects.filter(dedupe_key__contains="test").values_list("payload__queue", flat=True)
        )
    assert sorted(keys) == ["exports", "reading", "reading", "reading", "reading"]


def test_one_occasion_is_one_message(start_toy, tenant):
    run = start_toy()
    with tenant_context(tenant.pk):
        for _time in range(2):
            knock(run.pk, [Queue.CONTROL, Queue.AGENTS], "test")
        assert Outbox.objects.filter(dedupe_key__contains="test").count() == 1


def test_handing_on_is_a_new_message_each_time(start_toy, tenant):
    run = start_toy()
    for _time in range(2):
        hand_on(run.tenant_id, run.pk, Queue.AGENTS)
    with tenant_context(tenant.pk):
        assert Outbox.objects.filter(dedupe_key__contains="hand_on").count() == 2


@pytest.mark.django_db(transaction=True)
def test_one_occasion_is_sent_once(start_toy, broker, tenant):
    run = start_toy()
    for _time in range(2):
        with tenant_context(tenant.pk):
            knock(run.pk, [Queue.READING, Queue.READING], "test")
    assert broker("reading") == 2
