"""The sources of a document, with their assessments."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from uuid import UUID


@dataclass(frozen=True, slots=True)
class ScorePartEntry:
    """A named part of a score. None: unknown, with no weight."""

    name: str
    value: float | None
    weight: float | None = None  # its weight in a mean; None if parts are added up


@dataclass(frozen=True, slots=True)
class AssessmentEntry:
    """The assessment of a source on a day: scores of 0–1, except its credibility (1–10), with the reasons."""

    day: str
    reason: str  # from its type and tier
    quality: float | None
    authority: float | None
    credibility: int | None
    quality_parts: tuple[ScorePartEntry, ...] = ()
    authority_parts: tuple[ScorePartEntry, ...] = ()
    credibility_parts: tuple[ScorePartEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class SourceEntry:
    """A source of the run. `number` is the reader's, from 1, for cited sources only."""

    id: UUID
    number: int | None
    title: str
    author: str
    publisher: str
    published: str  # ISO 8601, as precise as known; empty: undated
    url: str
    file: str  # path in its library folder; empty for a web page
    domain: str
    source_type: str
    tier: int
    status: str
    reason: str  # why it failed, was left out or is not cited; empty if cited
    media_type: str
    language: str
    sha256: str
    retrieved: date | None  # when its text was frozen; None if it was not read
    region: str = ""
    must_read: bool = False
    assessment: AssessmentEntry | None = None


def select_cited_sources(sources: Iterable[SourceEntry]) -> list[SourceEntry]:
    """Return the cited sources by their numbers."""
    return sorted((source for source in sources if source.number), key=lambda source: source.number or 0)
