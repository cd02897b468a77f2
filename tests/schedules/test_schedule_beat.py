"""The schedules as beat has them: the real scheduler over the real tables, with clocks that are set by rows."""

import json
from base64 import b64decode
from datetime import timedelta

import pytest
from celery import Celery
from django.utils import timezone
from django_celery_beat.models import PeriodicTask
from redis import Redis

from config import beat_scheduler, celery_settings
from config.beat_scheduler import PunctualScheduler
from research.runs.schedules.run_schedule_beat import START_SCHEDULE, name_of, remove, update_copy
from research.tasks import knock_schedule, start_schedule

# Beat closes connections and commits.
pytestmark = pytest.mark.django_db(transaction=True)

CANARIES = {f"canary-{queue}": queue for queue in celery_settings.QUEUES}
OURS = {"sweep", "relay", "tidy", "forget", *CANARIES}


class Beat(PunctualScheduler):
    """Sends its messages to the queue, and keeps what they were: name of the task, and what it is told."""

    def __init__(self, app):
        self.sent = []
        super().__init__(app=app, lazy=False)

    def apply_async(self, entry, *args, **kwargs):
        self.sent.append((entry.task, entry.args, entry.options))
        return super().apply_async(entry, *args, **kwargs)


@pytest.fixture
def beat(transactional_db, valkey, monkeypatch):
    monkeypatch.setattr(beat_scheduler, "CHANGES_EVERY_S", 0)
    app = Celery("beat-of-a-test", fixups=[], set_as_current=False)
    app.config_from_object(celery_settings)
    return lambda: Beat(app)


def task_of(schedule):
    return PeriodicTask.objects.get(name=name_of(schedule))


def tick(scheduler):
    for _ in range(len(scheduler.schedule) + 1):
        scheduler.tick()
    return [task for task in scheduler.sent if task[0] == START_SCHEDULE]


def last_beat_was(schedule, **ago):
    """Set the time at which beat last sent a message for the schedule."""
    PeriodicTask.objects.filter(name=name_of(schedule)).update(last_run_at=timezone.now() - timedelta(**ago))


@pytest.mark.parametrize("due_in_s", [0.001, 0.009, 0.5])
def test_beat_sleeps_until_an_entry_is_due(beat, due_in_s):
    assert beat().adjust(due_in_s) == due_in_s


def test_what_was_beaten_before_goes_on_and_its_messages_still_expire(beat):
    entries = beat().schedule
    assert set(entries) == OURS
    assert {name: entry.options["expires"] for name, entry in entries.items()} == {
        "sweep": 15, "relay": 2, "tidy": 3600, "forget": 1800, **dict.fromkeys(CANARIES, 20),
    }  # fmt: skip
    assert {name: entry.options["queue"] for name, entry in entries.items()} == {
        "sweep": "control", "relay": "control", "tidy": "reading", "forget": "reading", **CANARIES,
    }  # fmt: skip
    assert [entries[name].schedule.run_every.total_seconds() for name in ("relay", "sweep")] == [1, 15]


def test_beat_sends_a_message_when_a_cron_schedule_is_due(beat, world):
    schedule = world.schedule(cron="* * * * *")
    last_beat_was(schedule, minutes=2)
    [(task, args, options)] = tick(beat())
    assert (task, args) == (START_SCHEDULE, [str(schedule.tenant_id), str(schedule.pk)])
    assert (options["queue"], options["expires"]) == ("control", 60)


def test_beat_sends_a_message_for_an_interval_at_its_next_time_and_not_before(beat, world):
    early = world.schedule(interval_seconds=3600, due_s=-60)
    assert tick(beat()) == []
    world.make_due(early)
    with world.inside():
        early.refresh_from_db()
        update_copy(early)
    assert len(tick(beat())) == 1


def test_the_message_lies_in_the_queue_as_a_worker_reads_it(beat, world, valkey):
    schedule = world.schedule(cron="* * * * *")
    last_beat_was(schedule, minutes=2)
    tick(beat())
    with Redis.from_url(valkey) as client:
        messages = [json.loads(message) for message in client.lrange("control", 0, -1)]
    [sent] = [message for message in messages if message["headers"]["task"] == START_SCHEDULE]
    [args, _kwargs, _embedded] = json.loads(b64decode(sent["body"]))
    assert args == [str(schedule.tenant_id), str(schedule.pk)]


@pytest.mark.parametrize("task", [start_schedule, knock_schedule])  # the latter: in rows of older versions
def test_the_task_starts_the_run_once_however_often_it_comes(task, beat, world):
    schedule = world.schedule(interval_seconds=3600, due_s=1)
    [(_task, args, _options)] = tick(beat())
    for _ in range(3):
        task(*args)
    assert len(world.runs()) == 1
    assert world.again(schedule).last_run == world.runs()[0]


def test_a_message_that_comes_early_starts_nothing(beat, world):
    schedule = world.schedule(cron="* * * * *")  # its row says tomorrow
    last_beat_was(schedule, minutes=2)
    for _task, args, _options in tick(beat()):
        start_schedule(*args)
    assert world.runs() == []


def test_the_mirror_follows_the_schedule(beat, world):
    schedule = world.schedule(cron="0 7 * * mon", time_zone="Asia/Tokyo")
    crontab = task_of(schedule).crontab
    assert (crontab.hour, crontab.day_of_week, str(crontab.timezone)) == ("7", "mon", "Asia/Tokyo")
    schedule.cron, schedule.interval_seconds, schedule.enabled = "", 7200, False
    update_copy(schedule)
    task = task_of(schedule)
    assert (task.crontab, task.interval.every, task.enabled) == (None, 7200, False)
    assert set(beat().schedule) == OURS


def test_a_running_beat_hears_of_what_was_added_and_deleted(beat, world):
    scheduler = beat()
    schedule = world.schedule(cron="* * * * *")
    assert name_of(schedule) in scheduler.schedule
    remove(schedule)
    assert set(scheduler.schedule) == OURS


def test_beat_is_told_ids_and_times_and_nothing_of_what_is_asked(world):
    schedule = world.schedule()
    task = task_of(schedule)
    assert json.loads(task.args) == [str(schedule.tenant_id), str(schedule.pk)]
    told = " ".join(str(value) for value in vars(task).values())
    assert schedule.topic not in told
    assert schedule.name not in told


@pytest.mark.parametrize("cron", ["@daily", "0 7 * * *", "*/30 8-18 1,15 jan-jun mon-fri"])
def test_every_expression_that_is_accepted_has_a_mirror(world, cron):
    assert task_of(world.schedule(cron=cron)).schedule.is_due(timezone.now()) is not None
