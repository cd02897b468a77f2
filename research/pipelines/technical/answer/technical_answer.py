"""Stored parts of a technical answer besides its claims: `RunOutcome.own` of its run (spec: kinds.md, technical)."""

from collections.abc import Mapping
from typing import Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field


class StoredAnswerPart(BaseModel):
    """A stored part. Unknown fields are rejected, since they mean that the schema changed without its data."""

    model_config = ConfigDict(extra="forbid")


LinkState = Literal["alive", "dead", "saved"]  # saved: not checked, and the saved copy opens


class StoredWhy(StoredAnswerPart):
    """One reason for a result's relevance, and its contribution."""

    name: Literal["base", "matches", "preferred", "official", "recent", "described", "code", "stars"]
    value: float


class StoredResult(StoredAnswerPart):
    """A source as a search result. Snippet and summary are its own words."""

    source: UUID
    type: str  # a SourceType
    relevance: float = Field(ge=0, le=1)
    why: list[StoredWhy]
    snippet: str = ""
    summary: str = ""
    link: LinkState = "saved"
    note: str = ""  # why a link counts as dead


class StoredExample(StoredAnswerPart):
    """Code from text[start:end] of a source."""

    source: UUID
    start: int = Field(ge=0)
    end: int = Field(ge=0)
    code: str
    language: str  # "" if unknown
    description: str = ""  # its introduction in the source
    check: Literal["passed", "failed", "unchecked"]
    reason: str = ""  # why it failed, or was not checked


class StoredComparison(StoredAnswerPart):
    """A comparison: things in rows, aspects in columns; every filled cell is a claim of the run."""

    things: list[str]
    aspects: list[str]
    cells: list[list[UUID | None]]


class StoredLink(StoredAnswerPart):
    """The number of claims of a kind (`advice`) that a source states best."""

    advice: str
    source: UUID
    claims: int


class StoredDiagram(StoredAnswerPart):
    """Mermaid source. A diagram of a source has its location; one of the answer has its links."""

    title: str
    code: str
    links: list[StoredLink] = Field(default_factory=list)
    source: UUID | None = None
    start: int | None = None
    end: int | None = None


class StoredFollowUp(StoredAnswerPart):
    """A follow-up question to the answer, with its type."""

    question: str
    type: str


class StoredTechnical(StoredAnswerPart):
    query: str = ""
    type: str = "documentation"
    format: str = "markdown"
    request_id: str = ""
    searched: list[str] = Field(default_factory=list)
    results: list[StoredResult] = Field(default_factory=list)
    gone: list[StoredResult] = Field(default_factory=list)  # results whose pages are gone
    examples: list[StoredExample] = Field(default_factory=list)
    broken: list[StoredExample] = Field(default_factory=list)  # left out, since their parser rejects them
    comparison: StoredComparison | None = None
    headings: dict[str, str] = Field(default_factory=dict)  # of the sections, by kind of advice
    takeaways: list[UUID] = Field(default_factory=list)  # ids of claims
    diagrams: list[StoredDiagram] = Field(default_factory=list)
    follow_ups: list[StoredFollowUp] = Field(default_factory=list)


def read_answer(outcome: Mapping[str, object]) -> StoredTechnical | None:
    """Return the technical answer stored in `Run.outcome`; None while the run has none yet."""
    own = outcome.get("own")
    return StoredTechnical.model_validate(own) if own else None
