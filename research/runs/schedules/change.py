"""Changes to a schedule that is there, each with its mirror. Inside the caller's `tenant_context`."""

from django.utils import timezone

from research.models import Schedule
from research.runs.schedules.beat import reflect, remove
from research.runs.schedules.start import times_of


def pause_schedule(schedule: Schedule) -> None:
    """No run starts by itself any more."""
    schedule.enabled, schedule.next_at = False, None
    _keep(schedule)


def resume_schedule(schedule: Schedule) -> None:
    """It goes on from now; what was missed is not made up for. Raises BadTimes where no time comes any more."""
    schedule.next_at = times_of(schedule).next(timezone.now())
    schedule.enabled, schedule.problem = True, ""
    _keep(schedule)


def delete_schedule(schedule: Schedule) -> None:
    """Its runs stay."""
    remove(schedule)
    schedule.delete()


def _keep(schedule: Schedule) -> None:
    schedule.save(update_fields=["enabled", "next_at", "problem", "updated_at"])
    reflect(schedule)
