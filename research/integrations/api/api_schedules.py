"""Schedules: runs that start automatically, and their outcomes."""

from datetime import datetime
from itertools import islice
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse
from ninja import Router, Status
from pydantic import JsonValue

from research.accounts.api_tokens import ApiCaller
from research.accounts.audit.write_audit_trail import record
from research.integrations.api.api_auth import NEEDS, caller_of
from research.integrations.api.api_json_bodies import Sent
from research.integrations.api.api_lookup import find
from research.integrations.api.api_paging import ListOf, Paged, rows_after
from research.integrations.api.api_problems import Problem
from research.integrations.api.api_run_bodies import to_problem
from research.integrations.api.api_schemas import Out, RunOut, run_out
from research.models import Act, Kind, Run, Schedule, Scope
from research.pipelines.pipeline_kinds import REFUSALS
from research.pipelines.pipeline_schedules import ScheduleRequest, write_schedule
from research.runs.schedules import pause_and_resume_schedule
from research.runs.schedules.run_schedule_due_times import SHOWN, BadTimes
from research.runs.schedules.run_schedule_text import describe_times
from research.runs.schedules.start_scheduled_runs import run_now, times_of

router = Router(tags=["schedules"])
READ, WRITE = NEEDS[Scope.READ], NEEDS[Scope.WRITE]


class ScheduleIn(ScheduleRequest, Sent):
    """A schedule. `kind`, `input` and `config` are as for `POST /runs`; give exactly one kind of time."""


class ScheduleOut(Out):
    id: UUID
    name: str
    kind: Kind
    topic: str
    input: dict[str, JsonValue]  # empty for a report, which `topic` and `config` describe completely
    config: dict[str, JsonValue]
    playbook: str
    cron: str
    every_minutes: int | None
    once_at: datetime | None
    time_zone: str
    when: str  # as a sentence
    is_enabled: bool
    next_times: list[datetime]  # at most five
    last_run: UUID | None
    problem: str  # why the last start was refused
    sends_mail: bool


def schedule_out(schedule: Schedule) -> ScheduleOut:
    seconds = schedule.interval_seconds
    return ScheduleOut(
        id=schedule.pk,
        name=schedule.name,
        kind=Kind(schedule.kind),
        topic=schedule.topic,
        input=schedule.input,
        config=schedule.config,
        playbook=schedule.playbook,
        cron=schedule.cron,
        every_minutes=None if seconds is None else seconds // 60,
        once_at=schedule.once_at,
        time_zone=schedule.time_zone,
        when=describe_times(times_of(schedule)),
        is_enabled=schedule.enabled,
        next_times=_next_times(schedule),
        last_run=schedule.last_run_id,
        problem=schedule.problem,
        sends_mail=schedule.sends_mail,
    )


def _next_times(schedule: Schedule) -> list[datetime]:
    if not schedule.enabled or schedule.next_at is None:
        return []
    try:
        later = list(islice(times_of(schedule).after(schedule.next_at), SHOWN - 1))
    except BadTimes:
        later = []
    return [schedule.next_at, *later]


def find_schedule(schedule_id: UUID) -> Schedule:
    """Return a schedule. Raises Problem."""
    return find(Schedule.objects.select_related("owner", "last_run"), schedule_id)


# Shared by the operations below and the MCP tools. Each raises Problem.


def write(caller: ApiCaller, schedule: Schedule, wanted: ScheduleRequest) -> ScheduleOut:
    try:
        write_schedule(schedule, caller.user(), wanted)
    except REFUSALS as refusal:
        raise to_problem(refusal) from refusal
    record(Act.SCHEDULE_CHANGE, on=schedule)
    return schedule_out(schedule)


def pause(schedule_id: UUID) -> ScheduleOut:
    schedule = find_schedule(schedule_id)
    pause_and_resume_schedule.pause_schedule(schedule)
    record(Act.SCHEDULE_CHANGE, on=schedule)
    return schedule_out(schedule)


def resume(schedule_id: UUID) -> ScheduleOut:
    schedule = find_schedule(schedule_id)
    try:
        pause_and_resume_schedule.resume_schedule(schedule)
    except BadTimes as bad:
        raise Problem("conflict", str(bad)) from bad
    record(Act.SCHEDULE_CHANGE, on=schedule)
    return schedule_out(schedule)


def delete(schedule_id: UUID) -> None:
    schedule = find_schedule(schedule_id)
    record(Act.SCHEDULE_DELETE, on=schedule)
    pause_and_resume_schedule.delete_schedule(schedule)


def start_now(schedule_id: UUID) -> Run:
    schedule = find_schedule(schedule_id)
    run = run_now(schedule, uuid4().hex)
    if run is None:
        schedule.refresh_from_db(fields=["problem"])
        raise Problem("refused", schedule.problem)
    record(Act.RUN_START, on=run)
    return run


@router.post("/schedules", response={201: ScheduleOut}, auth=WRITE, summary="Create a schedule")
def create_schedule(request: HttpRequest, response: HttpResponse, wanted: ScheduleIn) -> Status[ScheduleOut]:
    """Create a schedule for runs of any kind but briefs and syntheses; it starts no run immediately."""
    made = write(caller_of(request), Schedule(), wanted)
    response.headers["Location"] = f"/api/v1/schedules/{made.id}"
    return Status(201, made)


@router.get("/schedules", response=ListOf[ScheduleOut], auth=READ, summary="List schedules")
def list_schedules(request: HttpRequest, page: Paged) -> ListOf[ScheduleOut]:
    found, following = rows_after(Schedule.objects.all(), page)
    return ListOf[ScheduleOut](items=list(map(schedule_out, found)), next=following)


@router.get("/schedules/{uuid:schedule_id}", response=ScheduleOut, auth=READ, summary="Read a schedule")
def read_schedule(request: HttpRequest, schedule_id: UUID) -> ScheduleOut:
    return schedule_out(find_schedule(schedule_id))


@router.put("/schedules/{uuid:schedule_id}", response=ScheduleOut, auth=WRITE, summary="Change a schedule")
def change_schedule(request: HttpRequest, schedule_id: UUID, wanted: ScheduleIn) -> ScheduleOut:
    """Replace the settings of a schedule; a paused one is resumed."""
    return write(caller_of(request), find_schedule(schedule_id), wanted)


@router.delete("/schedules/{uuid:schedule_id}", response={204: None}, auth=WRITE, summary="Delete a schedule")
def remove_schedule(request: HttpRequest, schedule_id: UUID) -> Status[None]:
    """Delete a schedule; its runs stay."""
    delete(schedule_id)
    return Status(204, None)


@router.post(
    "/schedules/{uuid:schedule_id}/pause", response=ScheduleOut, auth=WRITE, summary="Pause a schedule"
)
def pause_schedule(request: HttpRequest, schedule_id: UUID) -> ScheduleOut:
    return pause(schedule_id)


@router.post(
    "/schedules/{uuid:schedule_id}/resume", response=ScheduleOut, auth=WRITE, summary="Resume a schedule"
)
def resume_schedule(request: HttpRequest, schedule_id: UUID) -> ScheduleOut:
    """Resume a schedule from now on; missed runs are not made up for."""
    return resume(schedule_id)


@router.post(
    "/schedules/{uuid:schedule_id}/runs", response={201: RunOut}, auth=WRITE, summary="Run a schedule now"
)
def run_schedule_now(request: HttpRequest, response: HttpResponse, schedule_id: UUID) -> Status[RunOut]:
    """Start a run of the schedule now, in addition to its times."""
    run = start_now(schedule_id)
    response.headers["Location"] = f"/api/v1/runs/{run.pk}"
    return Status(201, run_out(run))
