"""Stored parts of a technical answer besides its claims: `RunOutcome.own` of its run (spec: kinds.md, technical)."""

from collections.abc import Mapping
from typing import Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field


class StoredAnswerPart(BaseModel):
    """Unknown fields mean that the shape moved on without its data: refused, not ignored."""

    model_config = ConfigDict(extra="forbid")


LinkState = Literal["alive", "dead", "saved"]  # saved: nobody looked; our copy is what opens


class StoredWhy(StoredAnswerPart):
    """One reason for a result's relevance, and what it added."""

    name: Literal["base", "matches", "preferred", "official", "recent", "described", "code", "stars"]
    value: float


class StoredResult(StoredAnswerPart):
    """A source as a search shows it. Snippet and summary are its own words."""

    source: UUID
    type: str  # a SourceType
    relevance: float = Field(ge=0, le=1)
    why: list[StoredWhy]
    snippet: str = ""
    summary: str = ""
    link: LinkState = "saved"
    note: str = ""  # why a link counts as dead


class StoredExample(StoredAnswerPart):
    """Code as it stands in text[start:end] of a source."""

    source: UUID
    start: int = Field(ge=0)
    end: int = Field(ge=0)
    code: str
    language: str  # "" where it could not be told
    description: str = ""  # what introduces it, in the source's words
    check: Literal["passed", "failed", "unchecked"]
    reason: str = ""  # why it failed, or was not checked


class StoredComparison(StoredAnswerPart):
    """Things down, aspects across; every cell that says something is a claim of the run."""

    things: list[str]
    aspects: list[str]
    cells: list[list[UUID | None]]


class StoredLink(StoredAnswerPart):
    """The number of claims of a kind (`advice`) that a source states best."""

    advice: str
    source: UUID
    claims: int


class StoredDiagram(StoredAnswerPart):
    """Mermaid source. Of a source's own diagram, where it stands; of our own, what it says."""

    title: str
    code: str
    links: list[StoredLink] = Field(default_factory=list)
    source: UUID | None = None
    start: int | None = None
    end: int | None = None


class StoredFollowUp(StoredAnswerPart):
    """A question that goes on from the answer, and what type of question it is."""

    question: str
    type: str


class StoredTechnical(StoredAnswerPart):
    query: str = ""
    type: str = "documentation"
    format: str = "markdown"
    request_id: str = ""
    searched: list[str] = Field(default_factory=list)
    results: list[StoredResult] = Field(default_factory=list)
    gone: list[StoredResult] = Field(default_factory=list)  # whose pages do not answer any more
    examples: list[StoredExample] = Field(default_factory=list)
    broken: list[StoredExample] = Field(default_factory=list)  # left out: their parser refuses them
    comparison: StoredComparison | None = None
    headings: dict[str, str] = Field(default_factory=dict)  # of the sections, by what their claims are
    takeaways: list[UUID] = Field(default_factory=list)  # claims
    diagrams: list[StoredDiagram] = Field(default_factory=list)
    follow_ups: list[StoredFollowUp] = Field(default_factory=list)


def read_answer(outcome: Mapping[str, object]) -> StoredTechnical | None:
    """Return the technical answer stored in `Run.outcome`; None while the run has none yet."""
    own = outcome.get("own")
    return StoredTechnical.model_validate(own) if own else None
