"""The schemas of the API's responses.

Reports, claims and sources have the shape of the JSON file (exports/formats/export_json_shape.py); the schemas here are
for runs and operations on them.
"""

from datetime import datetime
from typing import Literal
from uuid import UUID

from django.utils import timezone
from pydantic import BaseModel, ConfigDict, JsonValue

from exports.building.build_document_method import build_searched_entry
from exports.document.document_tree import ColumnEntry
from exports.formats.export_formats import Format
from exports.formats.export_json_parts import Source
from exports.formats.export_json_shape import Column, Contradiction, Degradation, Row, Searched, Warned
from exports.formats.to_json import build_searched_shape
from exports.models import Export, ExportState
from research.models import (
    Escalation,
    EscalationStatus,
    EscalationType,
    Instruction,
    InstructionStatus,
    Kind,
    LibraryDocument,
    Priority,
    Relation,
    Run,
    Scope,
    State,
)
from research.models.library_models import DocumentStatus
from research.pipelines.table.read_table_rows import RowCounts
from research.runs.run_durations import time_left_of

Phase = Literal["active", "waiting", "finished"]


class Out(BaseModel):
    model_config = ConfigDict(from_attributes=True)


class FailureOut(Out):
    code: str
    message: str


class CountersOut(Out):
    sources_found: int
    sources_processed: int
    sections_completed: int
    total_sections: int
    items_total: int
    items_completed: int
    items_failed: int


class RunOut(Out):
    """The current state of a run. `phase` summarises it: active, waiting (for a person) or finished."""

    id: UUID
    kind: Kind
    topic: str
    config: dict[str, JsonValue]
    searched: Searched | None  # null: its sources are part of its input
    state: State
    phase: Phase
    is_paused: bool
    is_insufficient: bool  # it completed, but the sources do not answer the question
    created_at: datetime
    started_at: datetime | None
    completed_at: datetime | None
    seconds: float | None
    parent: UUID | None
    relation: Relation | None
    counters: CountersOut
    report_version: int  # 0: nothing is written yet
    quality_score: float | None  # 0–100
    cost_credits: float
    failure: FailureOut | None


class ProgressOut(Out):
    """The progress of a run. `version` changes whenever anything here does, and is the response's ETag."""

    version: str
    state: State
    phase: Phase
    is_paused: bool
    is_ending: bool  # it was cancelled, and its last steps are finishing
    activity: str
    counters: CountersOut
    questions_open: int
    minutes_left: tuple[int, int] | None  # a range; null: not known
    poll_after_seconds: int


class QuestionOut(Out):
    """A run's question to a person. `accept` approves the rest, `replan` has the run planned again."""

    id: UUID
    rule: str
    state: State
    priority: Priority
    type: EscalationType
    required_action: str
    deadline: datetime
    fallback: str  # the outcome without an answer
    status: EscalationStatus
    asked_at: datetime
    items: list["AskedItemOut"]


class AskedItemOut(Out):
    id: UUID
    kind: str
    reason: str
    shown: dict[str, JsonValue]
    status: str


class InstructionOut(Out):
    id: UUID
    text: str
    status: InstructionStatus
    effects: list[str]
    created_at: datetime


class SourceTextOut(Source):
    """A source with its text as read: quotes are `text[start:end]`, in code points."""

    run: UUID
    text: str
    pages: list["PageSpan"]


class PageSpan(Out):
    number: int
    start: int
    end: int


class WarningsOut(Out):
    warnings: list[Warned]
    gaps: list[Warned]
    degradations: list[Degradation]


class ContradictionsOut(Out):
    items: list[Contradiction]


class TableRowsOut(Out):
    """A page of a table's rows. `counts` are for all rows."""

    columns: list[Column]
    rows: list[Row]
    page: int
    pages: int
    counts: dict[str, int]


class ExportOut(Out):
    """A file of a report. It can be downloaded while `state` is ready."""

    id: UUID
    run: UUID
    format: Format
    state: ExportState
    progress: float  # 0–1
    filename: str
    media_type: str
    size: int | None  # bytes
    sha256: str
    error: FailureOut | None
    created_at: datetime
    expires_at: datetime | None


class DocumentOut(Out):
    """A document of the library."""

    id: UUID
    folder: str
    name: str
    title: str
    author: str
    published: str
    url: str
    media_type: str
    language: str
    words: int
    size: int  # bytes
    sha256: str  # of its bytes
    status: DocumentStatus
    error: FailureOut | None
    created_at: datetime


class CreditsOut(Out):
    free: float
    set_aside: float
    spent: float
    granted: float


class TokenOut(Out):
    name: str
    scopes: list[Scope]
    expires_at: datetime | None


class AccountOut(Out):
    """The user and workspace that the token acts for, with limits and credits."""

    user: str
    workspace: str
    role: str
    credits: CreditsOut
    token: TokenOut
    limits: dict[str, int]


# --- from rows -----------------------------------------------------------------------------------


def phase_of(run: Run) -> Phase:
    if run.is_finished:
        return "finished"
    return "waiting" if run.is_waiting else "active"


def run_out(run: Run) -> RunOut:
    return RunOut(
        id=run.pk,
        kind=Kind(run.kind),
        topic=run.topic,
        config=run.config,
        searched=build_searched_shape(build_searched_entry(run)),
        state=State(run.state),
        phase=phase_of(run),
        is_paused=run.paused_at is not None,
        is_insufficient=run.is_insufficient,
        created_at=run.created_at,
        started_at=run.started_at,
        completed_at=run.completed_at,
        seconds=run.duration_seconds,
        parent=run.parent_id,
        relation=Relation(run.relation) if run.relation else None,
        counters=CountersOut.model_validate(run),
        report_version=run.report_version,
        quality_score=run.quality_score,
        cost_credits=float(run.cost_credits),
        failure=_failure(run.failure_code, run.failure_message),
    )


def _failure(code: str, message: str) -> FailureOut | None:
    return FailureOut(code=code, message=message) if code else None


def progress_out(run: Run, version: str, poll_after: int) -> ProgressOut:
    """Return the progress of a run. Needs the tenant set."""
    left = time_left_of(run, timezone.now())
    escalations = Escalation.objects.filter(run=run, status=EscalationStatus.OPEN)
    return ProgressOut(
        version=version,
        state=State(run.state),
        phase=phase_of(run),
        is_paused=run.paused_at is not None,
        is_ending=run.cancel_at is not None and not run.is_finished,
        activity=run.current_activity,
        counters=CountersOut.model_validate(run),
        questions_open=escalations.count(),
        minutes_left=left.minutes if left else None,
        poll_after_seconds=poll_after,
    )


def question_out(asked: Escalation) -> QuestionOut:
    """Return the question with its items, which must be prefetched."""
    return QuestionOut(
        id=asked.pk,
        rule=asked.rule,
        state=State(asked.state),
        priority=Priority(asked.priority),
        type=EscalationType(asked.type),
        required_action=asked.required_action,
        deadline=asked.deadline,
        fallback=asked.fallback,
        status=EscalationStatus(asked.status),
        asked_at=asked.created_at,
        items=[AskedItemOut.model_validate(item) for item in asked.items.all()],
    )


def instruction_out(told: Instruction) -> InstructionOut:
    return InstructionOut.model_validate(told)


def export_out(row: Export) -> ExportOut:
    is_over = row.state == ExportState.READY and not row.is_there
    return ExportOut(
        id=row.pk,
        run=row.run_id,
        format=Format(row.format),
        state=ExportState.EXPIRED if is_over else ExportState(row.state),
        progress=row.progress,
        filename=row.filename,
        media_type=row.writer.media_type,
        size=row.file_size,
        sha256=row.sha256,
        error=_failure(row.error_code, row.error),
        created_at=row.created_at,
        expires_at=row.expires_at,
    )


def document_out(row: LibraryDocument) -> DocumentOut:
    content = row.content
    return DocumentOut(
        id=row.pk,
        folder=row.folder,
        name=row.path,
        title=row.title,
        author=row.author,
        published=row.published_date,
        url=row.url,
        media_type=content.media_type if content else "",
        language=content.language if content else "",
        words=content.word_count if content else 0,
        size=row.file_size,
        sha256=row.raw_sha256,
        status=DocumentStatus(row.status),
        error=_failure(row.error_code, row.error_message),
        created_at=row.created_at,
    )


def columns_out(columns: tuple[ColumnEntry, ...]) -> list[Column]:
    return [Column.model_validate(column) for column in columns]


def counts_out(counts: RowCounts) -> dict[str, int]:
    return {name: int(getattr(counts, name)) for name in RowCounts.__dataclass_fields__}
