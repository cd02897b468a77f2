"""Runs: start, list, read, watch, stop, instruct, answer, follow up."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Annotated, Literal
from uuid import UUID

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils import timezone
from django.utils.http import parse_etags
from django.utils.translation import gettext as _
from ninja import Query, Router, Status
from pydantic import AfterValidator, BaseModel, BeforeValidator, Field

from research.accounts.api_tokens import ApiCaller
from research.accounts.audit.write_audit_trail import On, record
from research.accounts.workspace_roles import Right, may
from research.integrations.api.api_auth import DECIDES, NEEDS, caller_of
from research.integrations.api.api_json_bodies import Sent
from research.integrations.api.api_lookup import find, find_run
from research.integrations.api.api_paging import ListOf, Paged, rows_after
from research.integrations.api.api_problems import Problem
from research.integrations.api.api_run_bodies import build_body_type, start_asked, to_problem
from research.integrations.api.api_schemas import (
    InstructionOut,
    Phase,
    ProgressOut,
    QuestionOut,
    RunOut,
    instruction_out,
    progress_out,
    question_out,
    run_out,
)
from research.models import (
    ACTIVE,
    FINISHED,
    WAITING,
    Act,
    Escalation,
    EscalationStatus,
    Kind,
    ReviewAct,
    Run,
    Scope,
    State,
)
from research.ops.retention.delete_run_after_retention import RunNotDeleted, delete_run
from research.pipelines.pipeline_kinds import REFUSALS, Topic
from research.pipelines.report.report_config import ConfigError
from research.pipelines.report.report_follow_up import start_follow_up
from research.pipelines.report.send_report_instruction import InstructionRefused, tell
from research.pipelines.technical.start_technical import TechnicalInput, start_technical
from research.pipelines.technical.technical_research_request import ResearchRequest
from research.review.answer_escalation import answer_question
from research.review.decide_review_items import DecisionRefused
from research.runs import start_and_cancel

router = Router(tags=["runs"])
READ, WRITE = NEEDS[Scope.READ], NEEDS[Scope.WRITE]
STATES = {"active": ACTIVE, "waiting": WAITING, "finished": FINISHED}
FIRST_POLL_S, LATER_POLL_S, SLOWER_AFTER_S = 2, 5, 120
TOLD_ANEW_S = 15  # interval of updates for what changes with time only: the minutes left
MOMENT = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:?\d\d)?")


def _require_iso_format(value: object) -> object:
    """Accept a moment in the published format only, not as seconds since 1970. Raises ValueError."""
    if isinstance(value, str) and not MOMENT.fullmatch(value):
        raise ValueError("It is no date and time such as 2026-01-31T12:00:00Z.")
    return value


def _in_utc(moment: datetime) -> datetime:
    """Convert to UTC, since the database accepts only offsets below 16 hours. Raises ValueError."""
    try:
        return (moment if timezone.is_aware(moment) else timezone.make_aware(moment)).astimezone(UTC)
    except OverflowError as error:
        raise ValueError("It is outside of the years 1 to 9999 in UTC.") from error


Moment = Annotated[datetime, BeforeValidator(_require_iso_format), AfterValidator(_in_utc)]


class Wanted(BaseModel):
    """The filters of a list of runs."""

    kind: Kind | None = None
    state: State | None = None
    phase: Phase | None = None
    created_after: Moment | None = None


class FollowUp(Sent):
    question: Topic


class Told(Sent):
    text: str = Field(min_length=3, max_length=2_000)


class AnswerIn(Sent):
    """A decision on a question. `note` is the reason, which a rejection needs."""

    act: Literal["accept", "reject", "replan"]
    note: str = Field("", max_length=2_000)


AskedBody = build_body_type()


@router.post("/runs", response={201: RunOut}, auth=WRITE, summary="Start a run")
def create_run(request: HttpRequest, response: HttpResponse, asked: AskedBody) -> Status[RunOut]:  # type: ignore[valid-type]
    """Start a run of any kind: `kind` decides which `input` and which `config` apply. No `config`: the defaults."""
    return _build_created_response(response, start_asked(request, asked))


@router.post(
    "/research-requests",
    response={201: RunOut},
    auth=WRITE,
    summary="Start a technical run from a ResearchRequest",
)
def create_research(request: HttpRequest, response: HttpResponse, asked: ResearchRequest) -> Status[RunOut]:
    """Start a technical run. The same `requestId` returns the same run."""
    owner = caller_of(request).user()
    try:
        run = start_technical(owner=owner, asked=TechnicalInput(question=asked.question), config=asked.config)
    except REFUSALS as refusal:
        raise to_problem(refusal) from refusal
    return _build_created_response(response, run)


@router.get("/runs", response=ListOf[RunOut], auth=READ, summary="List runs")
def list_runs(request: HttpRequest, page: Paged, wanted: Annotated[Wanted, Query()]) -> ListOf[RunOut]:
    """List runs, newest first."""
    rows = Run.objects.defer("plan", "outline")
    rows = rows.filter(kind=wanted.kind) if wanted.kind else rows
    rows = rows.filter(state=wanted.state) if wanted.state else rows
    rows = rows.filter(state__in=STATES[wanted.phase]) if wanted.phase else rows
    rows = rows.filter(created_at__gt=wanted.created_after) if wanted.created_after else rows
    found, following = rows_after(rows, page, newest_first=True)
    return ListOf[RunOut](items=list(map(run_out, found)), next=following)


@router.get("/runs/{uuid:run_id}", response=RunOut, auth=READ, summary="Read a run")
def read_run(request: HttpRequest, run_id: UUID) -> RunOut:
    return run_out(find_run(run_id))


@router.get(
    "/runs/{uuid:run_id}/progress",
    response={200: ProgressOut, 304: None},
    auth=READ,
    summary="Watch a run",
)
def read_progress(request: HttpRequest, run_id: UUID) -> HttpResponse | ProgressOut:
    """Return the progress.

    Ask again after `poll_after_seconds`, with the `ETag` as `If-None-Match`: 304 if nothing has changed.
    """
    run = find_run(run_id)
    version = version_of(run)
    headers = {"ETag": f'"{version}"', "Cache-Control": "private, no-cache"}
    if headers["ETag"] in parse_etags(request.headers.get("If-None-Match", "")):
        return HttpResponseNotModified(headers=headers)
    found = progress_out(run, version, poll_after_of(run))
    return HttpResponse(found.model_dump_json(), content_type="application/json", headers=headers)


def version_of(run: Run) -> str:
    """Return a version that changes whenever anything in the reported progress does."""
    passed = timezone.now() - (run.started_at or run.created_at)
    moment = 0 if run.paused_at or not run.is_active else int(passed.total_seconds() / TOLD_ANEW_S)
    stops = f"{int(run.cancel_at is not None)}{int(run.paused_at is not None)}"
    return f"{run.version}.{run.snapshot_version}.{stops}.{moment}"


def poll_after_of(run: Run) -> int:
    passed = timezone.now() - (run.started_at or run.created_at)
    return FIRST_POLL_S if passed.total_seconds() < SLOWER_AFTER_S else LATER_POLL_S


@router.delete("/runs/{uuid:run_id}", response={204: None}, auth=WRITE, summary="Delete a run")
def remove_run(request: HttpRequest, run_id: UUID) -> Status[None]:
    """Delete a finished run with its report, sources, files and links: your own, or any as workspace owner."""
    remove(caller_of(request), run_id)
    return Status(204, None)


def remove(caller: ApiCaller, run_id: UUID) -> None:
    """Delete a run for its owner or an owner of the workspace. Raises Problem."""
    run = find_run(run_id)
    if run.owner_id != caller.user_id and not may(caller.role, Right.OWN):
        raise Problem("read_only", _("Only the person who asked and owners of the workspace can delete it."))
    try:
        delete_run(run_id)
    except RunNotDeleted as refusal:
        raise Problem("conflict", str(refusal)) from refusal
    record(Act.RUN_DELETE, on=On("run", str(run_id), run.topic))


@router.post("/runs/{uuid:run_id}/cancel", response=RunOut, auth=WRITE, summary="Cancel a run")
def cancel(request: HttpRequest, run_id: UUID) -> RunOut:
    """Cancel the run and keep what was found so far. Its last steps may take seconds to end."""
    return _control_run(run_id, start_and_cancel.cancel_run, _("The run has already ended."))


@router.post("/runs/{uuid:run_id}/pause", response=RunOut, auth=WRITE, summary="Pause a run")
def pause(request: HttpRequest, run_id: UUID) -> RunOut:
    """Pause the run: no new step starts and no time limit counts until it is resumed."""
    return _control_run(run_id, start_and_cancel.pause_run, _("The run is not in progress."))


@router.post("/runs/{uuid:run_id}/resume", response=RunOut, auth=WRITE, summary="Resume a run")
def resume(request: HttpRequest, run_id: UUID) -> RunOut:
    return _control_run(run_id, start_and_cancel.resume_run, _("The run is not paused."))


def _control_run(run_id: UUID, act: Callable[[UUID], bool], otherwise: str) -> RunOut:
    find_run(run_id)
    if not act(run_id):
        raise Problem("conflict", otherwise)
    return run_out(find_run(run_id))


@router.post(
    "/runs/{uuid:run_id}/instructions",
    response={201: InstructionOut},
    auth=WRITE,
    summary="Send a message to a run",
)
def instruct(request: HttpRequest, run_id: UUID, told: Told) -> Status[InstructionOut]:
    """Give the run an instruction, which its next step reads; the report lists the outcome under `instructions`."""
    find_run(run_id)
    try:
        row = tell(run_id, caller_of(request).user(), told.text)
    except InstructionRefused as refusal:
        raise Problem("refused", str(refusal)) from refusal
    return Status(201, instruction_out(row))


@router.post(
    "/runs/{uuid:run_id}/follow-ups", response={201: RunOut}, auth=WRITE, summary="Ask a follow-up question"
)
def follow_up(request: HttpRequest, response: HttpResponse, run_id: UUID, asked: FollowUp) -> Status[RunOut]:
    """Start a follow-up run, which first uses what this run has read before it searches further."""
    parent = find(Run.objects.all(), run_id)
    try:
        child = start_follow_up(parent, caller_of(request).user(), asked.question)
    except (ConfigError, start_and_cancel.RunActionRefused) as refusal:
        raise to_problem(refusal) from refusal
    return _build_created_response(response, child)


def _build_created_response(response: HttpResponse, run: Run) -> Status[RunOut]:
    response.headers["Location"] = f"/api/v1/runs/{run.pk}"
    return Status(201, run_out(run))


@router.get(
    "/runs/{uuid:run_id}/questions",
    response=ListOf[QuestionOut],
    auth=READ,
    summary="List the questions of a run",
)
def list_questions(
    request: HttpRequest, run_id: UUID, page: Paged, status: EscalationStatus | None = None
) -> ListOf[QuestionOut]:
    find_run(run_id)
    rows = Escalation.objects.filter(run=run_id).prefetch_related("items")
    found, following = rows_after(rows.filter(status=status) if status else rows, page)
    return ListOf[QuestionOut](items=list(map(question_out, found)), next=following)


@router.post(
    "/runs/{uuid:run_id}/questions/{uuid:question_id}",
    response=QuestionOut,
    auth=DECIDES,
    summary="Answer a question of a run",
)
def answer(request: HttpRequest, run_id: UUID, question_id: UUID, given: AnswerIn) -> QuestionOut:
    """Decide the question as a whole. Single items are decided in the site's review queue."""
    asked = find(Escalation.objects.filter(run=run_id), question_id)
    try:
        answer_question(asked, caller_of(request).user(), ReviewAct(given.act), given.note)
    except DecisionRefused as refusal:
        raise Problem("refused", str(refusal)) from refusal
    return question_out(find(Escalation.objects.prefetch_related("items"), question_id))
