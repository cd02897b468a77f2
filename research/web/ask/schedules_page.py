"""Pages of schedules: what runs repeatedly, when, and with what results."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from research.library.library_folders import library_folders
from research.models import Kind, Run, Schedule
from research.pipelines.pipeline_schedules import input_of_run
from research.runs.schedules import pause_and_resume_schedule
from research.runs.schedules.run_schedule_beat import update_copy
from research.runs.schedules.run_schedule_due_times import BadTimes
from research.runs.schedules.run_schedule_text import describe_cron, describe_times
from research.runs.schedules.start_scheduled_runs import run_now, times_of
from research.web.ask.library_scope_field import first_choice
from research.web.ask.schedule_form import (
    MAX_NAME,
    ScheduleForm,
    field_groups,
    initial_of,
    searches_library,
)
from research.web.runs.changes_page import change_of
from research.web.site.view_access import find, members_only, person, writers_only


@dataclass(frozen=True, slots=True)
class ScheduleRow:
    schedule: Schedule
    when: str
    next_at: str  # in the schedule's own time zone; empty if no run is due
    change: str  # how its last run differs from the one before; empty if there is nothing to report
    key: str  # client key of the button that runs it now: a second click finds the first one's run
    is_done: bool  # it was to run once, and that time has passed


@members_only
@require_safe
def schedules(request: HttpRequest) -> HttpResponse:
    found = Schedule.objects.select_related("last_run", "last_run__parent", "owner").order_by("name", "pk")
    return render(request, "research/ask/schedules.html", {"rows": [_row(schedule) for schedule in found]})


def _row(schedule: Schedule) -> ScheduleRow:
    is_coming = schedule.enabled and schedule.next_at is not None
    next_at = _format_next_time(schedule) if is_coming else ""
    return ScheduleRow(
        schedule,
        describe_times(times_of(schedule)),
        next_at,
        change_of(schedule.last_run) if schedule.last_run else "",
        uuid4().hex,
        is_done=schedule.next_at is None
        and schedule.once_at is not None
        and schedule.once_at <= timezone.now(),
    )


@writers_only
@require_http_methods(["GET", "HEAD", "POST"])
def new_schedule(request: HttpRequest) -> HttpResponse:
    """Show the form for a new schedule, filled in with the question and configuration of the run that the URL names."""
    named = request.GET.get("run", "")
    run = find(Run.objects.only("kind", "topic", "config"), UUID(named)) if _is_id(named) else None
    schedule = Schedule(owner=person(request), kind=Kind.REPORT)
    if run is not None:
        schedule.kind, schedule.topic, schedule.last_run = run.kind, run.topic, run
        schedule.input, schedule.config = input_of_run(run)
        schedule.name = run.topic[:MAX_NAME]
    return _process_form(request, schedule, is_new=True)


def _is_id(given: str) -> bool:
    try:
        UUID(given)
    except ValueError:
        return False
    return True


@writers_only
@require_http_methods(["GET", "HEAD", "POST"])
def edit_schedule(request: HttpRequest, schedule_id: UUID) -> HttpResponse:
    return _process_form(request, find(Schedule.objects.all(), schedule_id), is_new=False)


def _process_form(request: HttpRequest, schedule: Schedule, *, is_new: bool) -> HttpResponse:
    """Show the form; once it is valid, show its next times; then save it."""
    kind = schedule.kind if schedule.topic else None
    if request.method != "POST":
        empty = {"folders": first_choice(person(request), library_folders())}
        initial = initial_of(schedule) if schedule.topic else empty
        return _page(request, ScheduleForm(person(request), kind, initial=initial), schedule, is_new=is_new)
    form = ScheduleForm(person(request), kind, request.POST, initial=initial_of(schedule))
    if not form.is_valid():
        return _page(request, form, schedule, is_new=is_new, status=422)
    if "save" not in request.POST or not form.were_shown:
        return _page(request, form, schedule, is_new=is_new)
    form.write_to(schedule)
    schedule.owner = schedule.owner or person(request)
    schedule.save()
    update_copy(schedule)
    messages.success(
        request, _("Saved. The next run is on %(when)s.") % {"when": _format_next_time(schedule)}
    )
    return redirect("research:schedules")


def _format_next_time(schedule: Schedule) -> str:
    """Format the next time in the schedule's own zone; templates would convert it to the site's."""
    return "" if schedule.next_at is None else _by_clock(schedule.next_at, ZoneInfo(schedule.time_zone))


def _by_clock(at: datetime, zone: ZoneInfo) -> str:
    return date_format(at.astimezone(zone), pgettext("form of a date", "l, j F Y, H:i"))


def _page(
    request: HttpRequest, form: ScheduleForm, schedule: Schedule, *, is_new: bool, status: int = 200
) -> HttpResponse:
    shown: dict[str, object] = {
        "form": form,
        "is_new": is_new,
        "fields": field_groups(form),
        "schedule": schedule,
        "searches_library": searches_library(schedule),
    }
    if form.is_bound and form.is_valid():
        zone = ZoneInfo(str(form.cleaned_data["time_zone"]))
        shown |= {"times": [_by_clock(at, zone) for at in form.times], "signature": form.signature}
        shown |= {"zone": zone.key, "cron_words": cron_words_of(form)}
    return render(request, "research/ask/schedule.html", shown, status=status)


def cron_words_of(form: ScheduleForm) -> str:
    """Return a description of the cron expression of a valid form; empty if the form uses none."""
    cron = form.build_schedule_times().cron
    return describe_cron(cron) if cron else ""


@writers_only
@require_POST
def pause_schedule(request: HttpRequest, schedule_id: UUID) -> HttpResponse:
    pause_and_resume_schedule.pause_schedule(find(Schedule.objects.all(), schedule_id))
    messages.success(request, _("Paused: no run starts by itself."))
    return redirect("research:schedules")


@writers_only
@require_POST
def resume_schedule(request: HttpRequest, schedule_id: UUID) -> HttpResponse:
    """Resume the schedule from now on; missed runs are not made up."""
    schedule = find(Schedule.objects.all(), schedule_id)
    try:
        pause_and_resume_schedule.resume_schedule(schedule)
    except BadTimes as bad:
        messages.error(request, str(bad))
        return redirect("research:edit_schedule", schedule_id)
    messages.success(request, _("The next run is on %(when)s.") % {"when": _format_next_time(schedule)})
    return redirect("research:schedules")


@writers_only
@require_POST
def delete_schedule(request: HttpRequest, schedule_id: UUID) -> HttpResponse:
    """Delete the schedule; its runs are kept."""
    pause_and_resume_schedule.delete_schedule(find(Schedule.objects.all(), schedule_id))
    messages.success(request, _("Deleted. Its runs are kept."))
    return redirect("research:schedules")


@writers_only
@require_POST
def run_schedule(request: HttpRequest, schedule_id: UUID) -> HttpResponse:
    schedule = find(Schedule.objects.select_related("owner", "last_run"), schedule_id)
    run = run_now(schedule, request.POST.get("key", "")[:32] or uuid4().hex)
    if run is not None:
        return redirect(run)
    schedule.refresh_from_db(fields=["problem"])
    messages.error(request, schedule.problem)
    return redirect("research:schedules")
