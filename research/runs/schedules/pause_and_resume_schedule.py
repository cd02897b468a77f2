"""Pauses, resumes and deletes a schedule together with its copy in beat. Needs the caller's `tenant_context`."""

from django.utils import timezone

from research.models import Schedule
from research.runs.schedules.run_schedule_beat import remove, update_copy
from research.runs.schedules.start_scheduled_runs import times_of


def pause_schedule(schedule: Schedule) -> None:
    """Start no more runs until the schedule is resumed."""
    schedule.enabled, schedule.next_at = False, None
    _keep(schedule)


def resume_schedule(schedule: Schedule) -> None:
    """Resume from now on, without making up for missed runs. Raises BadTimes if no time is left."""
    schedule.next_at = times_of(schedule).next(timezone.now())
    schedule.enabled, schedule.problem = True, ""
    _keep(schedule)


def delete_schedule(schedule: Schedule) -> None:
    """Delete the schedule and keep its runs."""
    remove(schedule)
    schedule.delete()


def _keep(schedule: Schedule) -> None:
    schedule.save(update_fields=["enabled", "next_at", "problem", "updated_at"])
    update_copy(schedule)
