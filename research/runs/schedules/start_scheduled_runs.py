"""Starts the runs of a schedule when they are due, exactly once for each time."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Protocol
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _

from research.accounts.workspace_roles import Right, roles_with
from research.db.tenancy import SweepTarget, tenant_context, tenants_with
from research.engine.error_boundary import attempt_each
from research.models import Membership, Run, Schedule, State
from research.runs.schedules.run_schedule_beat import is_mirrored
from research.runs.schedules.run_schedule_due_times import BadTimes, Times
from research.runs.start_and_cancel import RunActionRefused, StartRefused
from research.runtime.fault_injection import FaultPoint, crash_point
from research.runtime.logs import logger

FORGOTTEN_AFTER = timedelta(minutes=1)  # after this time beat counts as late
log = logger(__name__)


def times_of(schedule: Schedule) -> Times:
    seconds = schedule.interval_seconds
    interval = None if seconds is None else timedelta(seconds=seconds)
    return Times(cron=schedule.cron, interval=interval, once=schedule.once_at, zone=schedule.time_zone)


class ScheduledStarter(Protocol):
    """Starts a run of a schedule in the caller's transaction. Raises RunActionRefused and ValueError."""

    def __call__(self, schedule: Schedule, owner: User, parent: Run | None, client_key: str) -> Run: ...


_starters: list[str] = []


def register_starter(path: str) -> None:
    """Register the dotted path of the `ScheduledStarter`, which belongs to a higher layer."""
    _starters[:] = [path]


def start_due(tenant_id: UUID, schedule_id: UUID) -> Run | None:
    """Start the run of a schedule if it is due; return None if it is not, or if its start was refused (see `problem`).

    However often it is called, also concurrently, one run is started for each time: compare-and-set moves the time on
    in the transaction that starts the run. Missed times are not made up for.
    """
    with tenant_context(tenant_id):
        schedule = Schedule.objects.filter(pk=schedule_id, enabled=True, next_at__lte=Now()).first()
        if schedule is None or schedule.next_at is None:
            return None
        due = schedule.next_at
        moved = Schedule.objects.filter(pk=schedule_id, enabled=True, next_at=due)
        following = _next_time(schedule, due)
        goes_on = schedule.once_at is None
        if not moved.update(next_at=following, enabled=goes_on, updated_at=Now()):
            return None  # another process was faster
        return _start(schedule, f"schedule.{schedule.pk}.{due.astimezone(UTC):%Y%m%dT%H%M%S%f}")


def _next_time(schedule: Schedule, due: datetime) -> datetime | None:
    """Return the next time in the future; None if there is none, as the page shows."""
    try:
        return times_of(schedule).next(max(due, timezone.now()), since=due)
    except BadTimes:
        return None


def run_now(schedule: Schedule, client_key: str) -> Run | None:
    """Start a run now, outside the schedule; return None if it was refused (see `problem`).

    The same key returns the same run.
    """
    return _start(schedule, f"schedule.{schedule.pk}.{client_key}"[:100])


def _start(schedule: Schedule, client_key: str) -> Run | None:
    try:
        run = _start_run(schedule, client_key)
    except (RunActionRefused, ValueError) as refusal:  # the stored configuration may have become invalid
        Schedule.objects.filter(pk=schedule.pk).update(problem=str(refusal), updated_at=Now())
        log.info("schedule_refused", schedule=str(schedule.pk))
        return None
    Schedule.objects.filter(pk=schedule.pk).update(last_run=run, problem="", updated_at=Now())
    log.info("schedule_started", schedule=str(schedule.pk), run=str(run.pk))
    crash_point(FaultPoint.SCHEDULED_BEFORE_COMMIT)
    return run


def _start_run(schedule: Schedule, client_key: str) -> Run:
    """Start the run, or return the one with this key. Raises RunActionRefused and ValueError."""
    known = Run.objects.filter(client_key=client_key).first()
    if known is not None:
        return known
    owner = _owner(schedule)
    going = schedule.last_run
    if going is not None and going.schedule_id == schedule.pk and not going.is_finished:
        when = date_format(timezone.localtime(going.created_at), "DATETIME_FORMAT")
        raise StartRefused(
            _("The run of %(when)s is still under way, so that no other was started.") % {"when": when}
        )
    with transaction.atomic():
        start: ScheduledStarter = import_string(_starters[0])
        return start(schedule, owner, _parent(schedule), client_key)


def _owner(schedule: Schedule) -> User:
    owner = schedule.owner
    members = Membership.objects.filter(user=owner, role__in=roles_with(Right.STEER))
    if owner is None or not owner.is_active or not members.exists():
        raise StartRefused(_("This schedule belongs to nobody who is allowed to start runs here."))
    return owner


def _parent(schedule: Schedule) -> Run | None:
    """Return the previous run or, if it has no report, the latest that has one, for comparison."""
    runs = Run.objects.filter(schedule=schedule, state=State.COMPLETED).order_by("-created_at")
    before = schedule.last_run
    return before if before is None or before.state == State.COMPLETED else runs.first() or before


def start_forgotten() -> int:
    """Start schedules that are overdue by a minute, and due ones unknown to beat, in every workspace.

    Return the number of runs. The sweep calls this.
    """
    started = attempt_each(partial(start_due, *schedule) for schedule in _find_overdue_schedules())
    return sum(run is not None for run in started)


def _find_overdue_schedules() -> Iterator[tuple[UUID, UUID]]:
    for tenant_id in tenants_with(SweepTarget.SCHEDULES):
        with tenant_context(tenant_id):
            forgotten = timezone.now() - FORGOTTEN_AFTER
            due = Schedule.objects.filter(enabled=True, next_at__lte=Now()).order_by("next_at")
            found = [
                row.pk for row in due if not is_mirrored(row) or (row.next_at and row.next_at <= forgotten)
            ]
        yield from ((tenant_id, pk) for pk in found)
