"""The sources of a document, with their assessments."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from uuid import UUID


@dataclass(frozen=True, slots=True)
class ScorePartEntry:
    """A named part of a score. None means unknown, without any weight."""

    name: str
    value: float | None
    weight: float | None = None  # its weight in a mean; None if the parts are added up


@dataclass(frozen=True, slots=True)
class AssessmentEntry:
    """The assessment of a source on a given day, with reasons.

    Scores are 0–1, except for its credibility (1–10).
    """

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
    """A source of the run. `number` is shown to readers, from 1; only cited sources have one."""

    id: UUID
    number: int | None
    title: str
    author: str
    publisher: str
    published: str  # ISO 8601, as precise as known; empty if undated
    url: str
    file: str  # path in its library folder; empty for a web page
    domain: str
    source_type: str
    tier: int
    status: str
    reason: str  # why it failed, was left out or is not cited; empty if it is cited
    media_type: str
    language: str
    sha256: str
    retrieved: date | None  # when its text was frozen; None if it was not read
    region: str = ""
    must_read: bool = False
    assessment: AssessmentEntry | None = None


def select_cited_sources(sources: Iterable[SourceEntry]) -> list[SourceEntry]:
    """Return the cited sources in the order of their numbers."""
    return sorted((source for source in sources if source.number), key=lambda source: source.number or 0)
