"""A schedule's runs: started when they are due, once each, whoever knocks how often."""

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

from research.accounts.roles import Right, roles_with
from research.db.tenancy import SweepTarget, tenant_context, tenants_with
from research.engine.error_boundary import attempt_each
from research.models import Membership, Run, Schedule, State
from research.runs.schedules.beat import is_mirrored
from research.runs.schedules.due_times import BadTimes, Times
from research.runs.start_and_cancel import RunActionRefused, StartRefused
from research.runtime.fault_injection import FaultPoint, crash_point
from research.runtime.logs import logger

FORGOTTEN_AFTER = timedelta(minutes=1)  # beat should have knocked by then
log = logger(__name__)


def times_of(schedule: Schedule) -> Times:
    seconds = schedule.interval_seconds
    interval = None if seconds is None else timedelta(seconds=seconds)
    return Times(cron=schedule.cron, interval=interval, once=schedule.once_at, zone=schedule.time_zone)


class ScheduledStarter(Protocol):
    """Starts a run of a schedule, inside the caller's transaction. Raises RunActionRefused and ValueError."""

    def __call__(self, schedule: Schedule, owner: User, parent: Run | None, client_key: str) -> Run: ...


_starters: list[str] = []


def register_starter(path: str) -> None:
    """By the kinds of run, which stand above this room: the path of a `ScheduledStarter`."""
    _starters[:] = [path]


def start_due(tenant_id: UUID, schedule_id: UUID) -> Run | None:
    """The run of a schedule that is due now; None where it is not, or its start was refused, as `problem` then says.

    However often it is called, and by however many at once, one run comes of one time: the time is moved on by
    compare-and-set in the transaction that starts the run. Times that were missed are not made up for.
    """
    with tenant_context(tenant_id):
        schedule = Schedule.objects.filter(pk=schedule_id, enabled=True, next_at__lte=Now()).first()
        if schedule is None or schedule.next_at is None:
            return None
        due = schedule.next_at
        moved = Schedule.objects.filter(pk=schedule_id, enabled=True, next_at=due)
        following = _following(schedule, due)
        goes_on = schedule.once_at is None
        if not moved.update(next_at=following, enabled=goes_on, updated_at=Now()):
            return None  # somebody else was faster
        return _start(schedule, f"schedule.{schedule.pk}.{due.astimezone(UTC):%Y%m%dT%H%M%S%f}")


def _following(schedule: Schedule, due: datetime) -> datetime | None:
    """The next time in the future; None where its expression has none, which the page then shows."""
    try:
        return times_of(schedule).next(max(due, timezone.now()), since=due)
    except BadTimes:
        return None


def run_now(schedule: Schedule, client_key: str) -> Run | None:
    """A run beside the times; None where it was refused, as `problem` then says. The same key again: the same run."""
    return _start(schedule, f"schedule.{schedule.pk}.{client_key}"[:100])


def _start(schedule: Schedule, client_key: str) -> Run | None:
    try:
        run = _start_run(schedule, client_key)
    except (RunActionRefused, ValueError) as refusal:  # a configuration that is not possible any more is one
        Schedule.objects.filter(pk=schedule.pk).update(problem=str(refusal), updated_at=Now())
        log.info("schedule_refused", schedule=str(schedule.pk))
        return None
    Schedule.objects.filter(pk=schedule.pk).update(last_run=run, problem="", updated_at=Now())
    log.info("schedule_started", schedule=str(schedule.pk), run=str(run.pk))
    crash_point(FaultPoint.SCHEDULED_BEFORE_COMMIT)
    return run


def _start_run(schedule: Schedule, client_key: str) -> Run:
    """Raises RunActionRefused and ValueError."""
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
        raise StartRefused(_("Nobody who may start runs here owns this schedule."))
    return owner


def _parent(schedule: Schedule) -> Run | None:
    """The run before; where that gave no report, the latest that did, so that there is something to compare."""
    runs = Run.objects.filter(schedule=schedule, state=State.COMPLETED).order_by("-created_at")
    before = schedule.last_run
    return before if before is None or before.state == State.COMPLETED else runs.first() or before


def start_forgotten() -> int:
    """For the sweep: start what beat forgot for a minute, and what is due of all that beat does not know, of every
    tenant; how many runs came of it.
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
