"""A queue is served if its workers say so, not because a process is there."""

from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command

from config import celery_settings
from research.models import Queue
from research.ops import queue_heartbeat
from research.ops.queue_heartbeat import silence_s
from research.tasks import be_heard, canary


def test_each_queue_has_its_canary():
    sent = {
        entry["args"][0]: entry["options"]["queue"]
        for name, entry in celery_settings.beat_schedule.items()
        if name.startswith("canary-")
    }
    assert sent == {queue.value: queue.value for queue in Queue}


def test_a_canary_nobody_takes_in_time_is_forgotten_by_the_queue():
    entry = celery_settings.beat_schedule["canary-agents"]
    assert entry["options"]["expire_seconds"] <= entry["schedule"].total_seconds()


def test_the_worker_that_takes_it_is_heard():
    assert silence_s(Queue.READING) is None
    canary.run("reading")
    assert silence_s(Queue.READING) == pytest.approx(0, abs=30)
    assert silence_s(Queue.AGENTS) is None


def test_a_worker_that_takes_other_messages_is_heard_though_its_canary_waits_behind_them():
    for place in ({"routing_key": "reading"}, {"routing_key": "elsewhere"}, None):
        be_heard(SimpleNamespace(request=SimpleNamespace(delivery_info=place)))
    assert silence_s(Queue.READING) == pytest.approx(0, abs=30)
    assert [silence_s(queue) for queue in Queue if queue is not Queue.READING] == [None] * (len(Queue) - 1)


@pytest.mark.django_db
def test_a_health_check_of_a_worker_asks_for_its_queue(capsys, monkeypatch):
    with pytest.raises(CommandError, match="Nobody has answered on the queue agents"):
        call_command("healthy", "--queue", "agents")
    canary.run("agents")
    call_command("healthy", "--queue", "agents")
    assert "All is well" in capsys.readouterr().out
    now = queue_heartbeat.time.time()
    monkeypatch.setattr(queue_heartbeat.time, "time", lambda: now + 61)
    with pytest.raises(CommandError, match="for 60 s"):
        call_command("healthy", "--queue", "agents")
