"""Implement the MCP tools, each within the caller's workspace."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from django.contrib.postgres.search import SearchRank
from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _
from pydantic import JsonValue

from exports.building.build_document import build_document
from exports.export_answer_json import answer
from research.accounts.api_tokens import ApiCaller
from research.accounts.audit.write_audit_trail import record
from research.accounts.notification_mail import link
from research.db.postgres_search_query import web_search
from research.integrations.api import api_schedules
from research.integrations.api.api_lookup import find, find_run
from research.integrations.api.api_plans import PlanOut, plan_out
from research.integrations.api.api_problems import Problem
from research.integrations.api.api_runs import poll_after_of, remove, version_of
from research.integrations.api.api_schedules import ScheduleOut
from research.integrations.api.api_schemas import progress_out, run_out
from research.integrations.mcp.mcp_result_schemas import (
    CheckedQuote,
    ClaimCheck,
    DeletedRun,
    KindDescription,
    KnowledgeResults,
    LibraryPassage,
    PassageResults,
    PendingQuestion,
    ReportResult,
    ScheduleAct,
    ScheduleActDone,
    ScheduleList,
    StartedRun,
    StoppedRun,
    WatchedRun,
)
from research.library.knowledge.read_knowledge_graph import list_entities, read_entity
from research.library.library_folders import WEB
from research.library.library_scope import FolderUnusable, folder_keys
from research.models import (
    Act,
    DocumentStatus,
    Escalation,
    EscalationStatus,
    Kind,
    LibraryChunk,
    Run,
    Schedule,
)
from research.pipelines.pipeline_kinds import kind_of
from research.pipelines.pipeline_schedules import ScheduleRequest
from research.pipelines.technical.answer.technical_answer import read_answer
from research.pipelines.technical.answer.technical_answer_tree import answer_of
from research.runs.start_and_cancel import cancel_run

# Called with the id of each started run once it is committed.
started: list[Callable[[UUID], None]] = []
MAX_FOUND = 20
MAX_SCHEDULES = 200
MAX_ENTITIES = 5
CHECKED = 8  # passages of the library that a claim is checked against


@dataclass(frozen=True, slots=True)
class RunRequest:
    """The run that a tool call requests."""

    kind: str
    question: str
    input: dict[str, JsonValue] | None
    config: dict[str, JsonValue] | None


def describe(name: str) -> KindDescription:
    """Return the schemas of a kind of run. Raises one of `REFUSALS`."""
    kind = kind_of(name)
    return KindDescription(
        kind=kind.kind, input=kind.input.model_json_schema(), config=kind.config.model_json_schema()
    )


def start(caller: ApiCaller, asked: RunRequest) -> StartedRun:
    """Start a run. Raises one of `REFUSALS`."""
    kind = kind_of(asked.kind)
    words = {kind.question_field: asked.question} if kind.question_field and asked.question else {}
    run = kind.start_with(caller.user(), {**words, **(asked.input or {})}, asked.config or {})
    record(Act.RUN_START, on=run)
    for tell in started:
        transaction.on_commit(partial(tell, run.pk))
    return StartedRun(run=run_out(run))


def progress(run_id: UUID) -> WatchedRun:
    """Return the progress of a run and its open questions. Raises Problem."""
    run = find_run(run_id)
    state = progress_out(run, version_of(run), poll_after_of(run))
    questions = Escalation.objects.filter(run=run, status=EscalationStatus.OPEN).order_by("deadline")
    return WatchedRun(
        run=run.pk,
        topic=run.topic,
        progress=state,
        waits_for=[_build_pending_question(run, question) for question in questions],
    )


def _build_pending_question(run: Run, asked: Escalation) -> PendingQuestion:
    return PendingQuestion(
        what=asked.required_action,
        until=asked.deadline,
        otherwise=asked.without_answer,
        address=link(f"/runs/{run.pk}/"),
    )


def cancel(run_id: UUID) -> StoppedRun:
    """Cancel a run. Raises Problem."""
    run = find_run(run_id)
    if not cancel_run(run_id):
        raise Problem("conflict", _("The run has already ended."))
    record(Act.RUN_CANCEL, on=run)
    return StoppedRun(run=run_out(find_run(run_id)))


def plan(run_id: UUID) -> PlanOut:
    """Return the plan of a run. Raises Problem."""
    return plan_out(find(Run.objects.all(), run_id))


def schedule(caller: ApiCaller, schedule_id: UUID | None, wanted: ScheduleRequest) -> ScheduleOut:
    """Change a schedule, or create one if there is no id. Raises Problem."""
    return api_schedules.write(
        caller, api_schedules.find_schedule(schedule_id) if schedule_id else Schedule(), wanted
    )


def list_schedules() -> ScheduleList:
    rows = Schedule.objects.order_by("name", "pk")[:MAX_SCHEDULES]
    return ScheduleList(schedules=list(map(api_schedules.schedule_out, rows)))


def act_on_schedule(schedule_id: UUID, act: ScheduleAct) -> ScheduleActDone:
    """Pause, resume, run or delete a schedule. Raises Problem."""
    if act == "delete":
        api_schedules.delete(schedule_id)
        return ScheduleActDone(schedule=None, run=None)
    if act == "run":
        run = api_schedules.start_now(schedule_id)
        for tell in started:
            transaction.on_commit(partial(tell, run.pk))
        return ScheduleActDone(
            schedule=api_schedules.schedule_out(api_schedules.find_schedule(schedule_id)), run=run_out(run)
        )
    changed = api_schedules.pause(schedule_id) if act == "pause" else api_schedules.resume(schedule_id)
    return ScheduleActDone(schedule=changed, run=None)


def delete(caller: ApiCaller, run_id: UUID) -> DeletedRun:
    """Delete a run. Raises Problem."""
    remove(caller, run_id)
    return DeletedRun(run=run_id)


def report(run_id: UUID) -> ReportResult:
    """Return the report of a run. Raises Problem."""
    run = find_run(run_id)
    document = build_document(run.pk)
    found: dict[str, JsonValue] = json.loads(json.dumps(answer(document)))
    technical = answer_of(document, read_answer(run.outcome)) if run.kind == Kind.TECHNICAL else None
    return ReportResult(run=run.pk, is_finished=run.is_finished, report=found, technical=technical)


def search(query: str, limit: int, folders: Sequence[str]) -> PassageResults:
    """Search the library by words, in the syntax of web searches: "an exact phrase", or, -without.

    Raises Problem for an unknown folder.
    """
    try:
        keys = folder_keys(folders)
    except FolderUnusable as unusable:
        raise Problem("invalid", str(unusable)) from unusable
    return PassageResults(
        query=query, passages=[_to_found_passage(passage) for passage in _passages(query, limit, keys)]
    )


def _passages(query: str, limit: int, folders: Sequence[str]) -> list[LibraryChunk]:
    words = web_search(query)
    rows = LibraryChunk.objects.filter(search=words, document__status=DocumentStatus.READY)
    rows = rows.filter(document__folder__in=folders) if folders else rows.exclude(document__folder=WEB)
    ranked = rows.annotate(rank=SearchRank(F("search"), words)).select_related("document")
    return list(ranked.defer("embedding").order_by("-rank", "pk")[: min(limit, MAX_FOUND)])


def _to_found_passage(chunk: LibraryChunk) -> LibraryPassage:
    document = chunk.document
    return LibraryPassage(
        document=document.pk,
        title=str(document),
        url=document.url,
        published=document.published_date,
        page=chunk.page_number,
        section=chunk.section_header,
        start=chunk.start_offset,
        end=chunk.end_offset,
        quote=chunk.text,
        rank=float(vars(chunk).get("rank", 0.0)),
    )


def search_knowledge(words: str, limit: int) -> KnowledgeResults:
    """Return what finished runs say about entities whose names contain the words, those in the most runs first."""
    listed = list_entities(words, limit=limit)
    found = [read_entity(entity.key) for entity in listed.entities]
    return KnowledgeResults(query=words, found=[known for known in found if known is not None])


def check_claim(claim: str, text: str) -> ClaimCheck:
    """Check a claim against the given text, or else against library passages that share its words."""
    from citations.verification import (  # imported here, as loading it would slow down every web process
        CitedPassage,
        verify,
    )

    chunks = [] if text else _near(claim)
    passages = (
        [CitedPassage(text)]
        if text
        else [CitedPassage(near_chunk.text, str(near_chunk.document_id)) for near_chunk in chunks]
    )
    verdict = verify(claim, passages)
    evidence = None
    if verdict.passage is not None and verdict.span is not None:
        chunk = chunks[verdict.passage] if chunks else None
        quote = verdict.span.cut(passages[verdict.passage].text)
        evidence = _to_checked_quote(chunk, quote, verdict.span.start, verdict.span.end)
    return ClaimCheck(
        claim=claim,
        status=verdict.status.value,
        support=round(verdict.support, 4),
        reasons=list(verdict.reasons),
        evidence=evidence,
        looked_at=len(passages),
    )


def _to_checked_quote(chunk: LibraryChunk | None, quote: str, start: int, end: int) -> CheckedQuote:
    if chunk is None:
        return CheckedQuote(document=None, title="", url="", quote=quote, start=start, end=end)
    at = chunk.start_offset
    document = chunk.document
    return CheckedQuote(
        document=document.pk,
        title=str(document),
        url=document.url,
        quote=quote,
        start=at + start,
        end=at + end,
    )


def _near(claim: str) -> list[LibraryChunk]:
    """Return the passages that share the most words with the claim. Raises Problem if it has no words."""
    words = [word for word in claim.replace('"', " ").split() if any(map(str.isalnum, word))]
    if not words:
        raise Problem("invalid", "The claim has no words.")
    return _passages(" or ".join(dict.fromkeys(words)), CHECKED, ())
