"""The record of a run: its instructions, its degradations, and whether its sources were sufficient."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID


@dataclass(frozen=True, slots=True)
class DegradationEntry:
    """Something that the run did less of than planned: tokens ran short, or something failed."""

    code: str
    reason: str  # a sentence
    quality_impact: float  # share of quality given up, 0–1


@dataclass(frozen=True, slots=True)
class CheckEntry:
    """One of the six checks of whether there were enough sources. No score: it could not be measured."""

    name: str
    score: float | None  # 0–1
    is_passed: bool
    detail: str


@dataclass(frozen=True, slots=True)
class SufficiencyEntry:
    checks: tuple[CheckEntry, ...]
    score: float  # mean of what was measured
    is_enough: bool
    rounds: int  # of searches


@dataclass(frozen=True, slots=True)
class SettingEntry:
    """Something that its owner asked of the run."""

    name: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UnreadEntry:
    """Something that had to be read and could not be had."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class SearchEntry:
    """A search that found nothing."""

    query: str
    place: str  # library, web
    reason: str  # why, where it failed; empty: there is nothing


@dataclass(frozen=True, slots=True)
class InstructionEntry:
    """Something that the run was told while it was under way, and what became of it."""

    text: str
    status: str  # queued, taken, refused
    effects: tuple[str, ...]  # sentences


@dataclass(frozen=True, slots=True)
class StepEntry:
    """A unit of the run's work, as its log has it."""

    index: int
    key: str
    handler: str
    role: str
    tool: str  # empty: none
    status: str
    attempt: int
    started: datetime | None
    completed: datetime | None
    duration_ms: int | None
    tokens_input: int
    tokens_output: int
    cost_usd: float | None  # None: a price is unknown
    error: str


@dataclass(frozen=True, slots=True)
class RawEntry:
    """The raw data of a document, present only if requested."""

    configuration: str  # of the run, as a JSON object
    steps: tuple[StepEntry, ...] = ()
    texts: tuple[tuple[UUID, str], ...] = ()  # the frozen text of each cited source: quote == text[start:end]
