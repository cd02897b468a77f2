"""The results of the tools that differ from the API's responses."""

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import BaseModel, Field, JsonValue

from research.integrations.api.api_schedules import ScheduleOut
from research.integrations.api.api_schemas import ProgressOut, RunOut
from research.library.knowledge.knowledge_graph_shape import EntityKnowledge
from research.pipelines.technical.answer.technical_answer_tree import TechnicalAnswer


class StartedRun(BaseModel):
    run: RunOut
    then: str = (
        "Call get_progress until phase is finished, then get_report. While it is waiting, a person is asked."
    )


class KindDescription(BaseModel):
    """JSON Schemas of the `input` of `start_research` and of its `config`, whose settings all have defaults."""

    kind: str
    input: dict[str, JsonValue]
    config: dict[str, JsonValue]


class PendingQuestion(BaseModel):
    """A run's question to a person. `otherwise` is the outcome if nobody answers in time."""

    what: str
    until: datetime
    otherwise: str
    address: str = Field(description="The page on which a person can answer.")


class WatchedRun(BaseModel):
    run: UUID
    topic: str
    progress: ProgressOut
    waits_for: list[PendingQuestion]


class StoppedRun(BaseModel):
    run: RunOut
    then: str = "Its last steps may take seconds to end; get_report gives what it has."


class ReportResult(BaseModel):
    """`report` holds the sections with their claims: each with its citations, quotes and confidence.

    `technical`, only for technical runs, has the ranked results, code as in its source, and diagrams.
    """

    run: UUID
    is_finished: bool
    report: dict[str, JsonValue]
    technical: TechnicalAnswer | None = None


ScheduleAct = Literal["pause", "resume", "run", "delete"]


class ScheduleList(BaseModel):
    schedules: list[ScheduleOut]


class ScheduleActDone(BaseModel):
    """The changed schedule, or null if it was deleted, and the run that was started, if any."""

    schedule: ScheduleOut | None
    run: RunOut | None


class DeletedRun(BaseModel):
    run: UUID
    then: str = "It is gone with its report, sources, files and links."


class LibraryPassage(BaseModel):
    """A passage of a library document, quoted exactly."""

    document: UUID
    title: str
    url: str
    published: str
    page: int | None
    section: str
    start: int = Field(description="In the document's text, in code points.")
    end: int
    quote: str
    rank: float


class PassageResults(BaseModel):
    query: str
    passages: list[LibraryPassage]


class KnowledgeResults(BaseModel):
    """The findings of finished runs: statements with runs, quotes and sources, disputes, and changes over time."""

    query: str
    found: list[EntityKnowledge]


class CheckedQuote(BaseModel):
    """The words that a verdict is based on."""

    document: UUID | None
    title: str
    url: str
    quote: str
    start: int = Field(description="In the text that was given, or in the document's, in code points.")
    end: int


class ClaimCheck(BaseModel):
    """The verdict on a claim against passages.

    `support` is computed, 0–1: how likely the best passage supports the claim.
    """

    claim: str
    status: str
    support: float
    reasons: list[str]
    evidence: CheckedQuote | None
    looked_at: int = Field(description="Passages.")
