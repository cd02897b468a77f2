"""Copies schedules to django-celery-beat, which sends a message when one is due.

The row of `Schedule` is authoritative: a copy that is late, early, repeated or lost starts no extra run, and the sweep
starts what it missed. The copies belong to no tenant: they hold ids and times only, and only this module and beat use
them.
"""

import json
from datetime import timedelta

from django_celery_beat.models import CrontabSchedule, IntervalSchedule, PeriodicTask

from research.models import Queue, Schedule
from research.runs.schedules.run_schedule_due_times import FIELDS_WITH_SECOND, parse_cron

START_SCHEDULE = "research.tasks.start_schedule"
EXPIRES_S = 60  # after which the sweep has started it


def update_copy(schedule: Schedule) -> None:
    """Bring the copy of a schedule up to date, inside the transaction that changed it.

    Beat supports neither seconds nor a single time: such schedules have no copy, and the sweep starts them.
    """
    if not is_mirrored(schedule):
        remove(schedule)
        return
    PeriodicTask.objects.update_or_create(
        name=name_of(schedule),
        defaults={
            "task": START_SCHEDULE,
            "args": json.dumps([str(schedule.tenant_id), str(schedule.pk)]),
            "queue": Queue.CONTROL,
            "expire_seconds": EXPIRES_S,
            "enabled": schedule.enabled,
            **_times(schedule),
        },
    )


def is_mirrored(schedule: Schedule) -> bool:
    return schedule.once_at is None and len(schedule.cron.split()) != FIELDS_WITH_SECOND


def remove(schedule: Schedule) -> None:
    for task in PeriodicTask.objects.filter(name=name_of(schedule)):
        task.delete()  # deleted singly, so that beat is notified


def name_of(schedule: Schedule) -> str:
    return f"schedule.{schedule.pk}"


def _times(schedule: Schedule) -> dict[str, object]:
    if schedule.interval_seconds is None:
        return {"crontab": _crontab(schedule), "interval": None}
    seconds = {"every": schedule.interval_seconds, "period": IntervalSchedule.SECONDS}
    every, _ = IntervalSchedule.objects.get_or_create(**seconds)
    found: dict[str, object] = {"crontab": None, "interval": every}
    if schedule.next_at is not None:  # the time from which beat counts
        found["last_run_at"] = schedule.next_at - timedelta(seconds=schedule.interval_seconds)
    return found


def _crontab(schedule: Schedule) -> CrontabSchedule:
    expression = parse_cron(schedule.cron)
    fields = {
        "minute": expression._orig_minute,
        "hour": expression._orig_hour,
        "day_of_month": expression._orig_day_of_month,
        "month_of_year": expression._orig_month_of_year,
        "day_of_week": expression._orig_day_of_week,
        "timezone": schedule.time_zone,
    }
    return CrontabSchedule.objects.get_or_create(**fields)[0]
