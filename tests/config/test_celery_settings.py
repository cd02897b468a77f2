"""The message settings that durability rests on."""

import pytest
from django.conf import settings

from config import celery_app, celery_settings
from research.models import Queue


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("task_acks_late", True),
        ("task_reject_on_worker_lost", True),
        ("worker_prefetch_multiplier", 1),
        ("task_ignore_result", True),
        ("result_backend", None),
        ("accept_content", ["json"]),
        ("task_serializer", "json"),
    ],
)
def test_a_lost_worker_loses_no_message(name, value):
    assert celery_app.conf[name] == value


def test_no_message_is_delivered_again_while_its_task_may_still_run():
    assert (
        celery_app.conf.broker_transport_options["visibility_timeout"] > 2 * celery_app.conf.task_time_limit
    )


def test_the_broker_is_the_installation_s_own_socket():
    assert celery_app.conf.broker_url == f"redis+socket://{settings.PATHS.valkey_socket}"


def test_beats_expire_before_they_pile_up():
    after = {name: beat["options"]["expire_seconds"] for name, beat in celery_settings.beat_schedule.items()}
    canaries = {f"canary-{name}": 20 for name in celery_settings.QUEUES}
    assert after == {"sweep": 15, "relay": 2, "tidy": 3600, "forget": 1800} | canaries


def test_a_message_for_an_unknown_queue_is_refused():
    assert {queue.name for queue in celery_settings.task_queues} == set(Queue.values)
    assert celery_app.conf.task_create_missing_queues is False


def test_beat_sends_what_the_workers_know():
    celery_app.loader.import_default_modules()
    assert {beat["task"] for beat in celery_settings.beat_schedule.values()} <= set(celery_app.tasks)
