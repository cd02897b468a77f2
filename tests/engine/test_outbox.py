"""Messages that a commit owes."""

from datetime import timedelta

import pytest
from celery import Celery
from django.db import transaction
from django.utils import timezone

from config.celery import app
from research.db.tenancy import tenant_context
from research.engine.outbox import enqueue, relay, requeue
from research.models import Outbox, Queue


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
    monkeypatch.setattr("research.engine.outbox.current_app", elsewhere)


def count_unpublished(run):
    with tenant_context(run.tenant_id):
        return Outbox.objects.filter(run=run, published_at=None).count()


@pytest.mark.django_db(transaction=True)
def test_a_started_run_is_announced_when_it_is_committed(start_toy, broker):
    run = start_toy()
    assert broker("agents") == 1
    assert count_unpublished(run) == 0


@pytest.mark.django_db(transaction=True)
def test_a_run_whose_transaction_rolls_back_is_not_announced(start_toy, broker):
    with transaction.atomic():
        start_toy()
        transaction.set_rollback(True)
    assert broker("agents") == 0


@pytest.mark.django_db(transaction=True)
def test_without_a_broker_a_run_starts_and_waits(start_toy, no_broker):
    run = start_toy()
    assert count_unpublished(run) == 1
    assert relay() == 0
    assert count_unpublished(run) == 1


@pytest.mark.django_db(transaction=True)
def test_the_relay_sends_what_was_left_and_only_once(start_toy, broker, tenant):
    run = start_toy()
    with tenant_context(tenant.pk):
        Outbox.objects.update(published_at=None)
    assert (relay(), relay()) == (1, 0)
    assert broker("agents") == 2
    assert count_unpublished(run) == 0


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
    assert count_unpublished(run) == 1


@pytest.mark.parametrize(("processes", "woken"), [(1, 1), (2, 2), (8, 4)])
def test_many_ready_steps_wake_a_few_processes(start_toy, tenant, settings, processes, woken):
    settings.PLUMBLINE_READING_PROCESSES = processes
    run = start_toy()
    with tenant_context(tenant.pk):
        enqueue(run.pk, [Queue.READING] * 30 + [Queue.EXPORTS], "test")
        keys = list(
            Outbox.objects.filter(dedupe_key__contains="test").values_list("payload__queue", flat=True)
        )
    assert sorted(keys) == ["exports"] + ["reading"] * woken


def test_one_occasion_is_one_message(start_toy, tenant):
    run = start_toy()
    with tenant_context(tenant.pk):
        for _time in range(2):
            enqueue(run.pk, [Queue.CONTROL, Queue.AGENTS], "test")
        assert Outbox.objects.filter(dedupe_key__contains="test").count() == 1


def test_handing_on_is_a_new_message_each_time(start_toy, tenant):
    run = start_toy()
    for _time in range(2):
        requeue(run.tenant_id, run.pk, Queue.AGENTS)
    with tenant_context(tenant.pk):
        assert Outbox.objects.filter(dedupe_key__contains="hand_on").count() == 2


@pytest.mark.django_db(transaction=True)
def test_one_occasion_is_sent_once(start_toy, broker, tenant, settings):
    settings.PLUMBLINE_READING_PROCESSES = 2
    run = start_toy()
    for _time in range(2):
        with tenant_context(tenant.pk):
            enqueue(run.pk, [Queue.READING, Queue.READING], "test")
    assert broker("reading") == 2


@pytest.fixture
def celery_messages(monkeypatch):
    """Record what Celery is asked to send; a queue named in `refuses` is refused by the broker."""

    class Post(list):
        refuses: str = ""

        def send_task(self, name, *, kwargs, queue, retry):
            if queue == self.refuses:
                raise OSError("no broker")
            self.append((name, kwargs, queue, retry))

    post = Post()
    monkeypatch.setattr("research.engine.outbox.current_app", post)
    return post


def test_a_message_names_the_tenant_the_run_and_the_queue_and_nothing_else(
    start_toy, tenant, celery_messages, django_capture_on_commit_callbacks
):
    run = start_toy()
    with django_capture_on_commit_callbacks(execute=True):
        requeue(tenant.pk, run.pk, Queue.READING)
    ids = {"tenant_id": str(tenant.pk), "run_id": str(run.pk), "queue": "reading"}
    assert celery_messages == [("research.tasks.serve_run", ids, "reading", False)]


def test_what_a_broker_took_before_it_went_away_is_not_sent_again(start_toy, tenant, celery_messages, caplog):
    run = start_toy()
    with tenant_context(tenant.pk):
        Outbox.objects.update(published_at=timezone.now())
        enqueue(run.pk, [Queue.EXPORTS], "first")
        enqueue(run.pk, [Queue.READING], "then")
    celery_messages.refuses = "reading"
    caplog.clear()
    assert relay() == 1
    assert [queue for _name, _kwargs, queue, _retry in celery_messages] == ["exports"]
    assert caplog.messages == ["broker_away error='OSError' waiting=1"]
    celery_messages.refuses = ""
    assert relay() == 1
    assert count_unpublished(run) == 0


def test_a_relay_takes_the_oldest_hundred_at_a_time(start_toy, tenant, celery_messages):
    run = start_toy()
    with tenant_context(tenant.pk):
        Outbox.objects.all().delete()
        for number in range(101):
            enqueue(run.pk, [Queue.EXPORTS], f"{number}")
        newest = Outbox.objects.get(dedupe_key__endswith="/exports/100.0")
        Outbox.objects.exclude(pk=newest.pk).update(created_at=timezone.now() - timedelta(hours=1))
    assert (relay(), relay(), relay()) == (100, 1, 0)


def test_a_message_that_concerns_no_run_is_for_others_to_send(start_toy, tenant, celery_messages):
    start_toy()
    with tenant_context(tenant.pk):
        Outbox.objects.all().delete()
        Outbox.objects.create(topic="elsewhere", payload={"queue": "exports"}, dedupe_key="k")
    assert relay() == 0
    assert celery_messages == []


def test_control_and_agents_steps_are_one_knock_for_a_runner(start_toy, tenant, settings):
    settings.PLUMBLINE_READING_PROCESSES = 2
    run = start_toy()
    with tenant_context(tenant.pk):
        enqueue(run.pk, [Queue.CONTROL, Queue.READING, Queue.AGENTS, Queue.READING], "test")
        rows = Outbox.objects.filter(dedupe_key__contains="test").order_by("dedupe_key")
        keys = list(rows.values_list("dedupe_key", flat=True))
    assert keys == [f"{run.pk}/{key}" for key in ("agents/test", "reading/test.0", "reading/test.1")]


def test_nothing_ready_is_nothing_said(start_toy, tenant):
    run = start_toy()
    with tenant_context(tenant.pk):
        enqueue(run.pk, [], "test")
        assert not Outbox.objects.filter(dedupe_key__contains="test").exists()
