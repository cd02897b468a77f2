"""The record of a run: its instructions, its degradations, and the sufficiency of its sources."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID


@dataclass(frozen=True, slots=True)
class DegradationEntry:
    """Something that the run did less of than planned, because it ran short of tokens or something failed."""

    code: str
    reason: str  # a sentence
    quality_impact: float  # share of quality that was lost, 0–1


@dataclass(frozen=True, slots=True)
class CheckEntry:
    """One of the six checks of the sources. Its score is None if it could not be measured."""

    name: str
    score: float | None  # 0–1
    is_passed: bool
    detail: str


@dataclass(frozen=True, slots=True)
class SufficiencyEntry:
    checks: tuple[CheckEntry, ...]
    score: float  # mean of the measured scores
    is_enough: bool
    rounds: int  # number of search rounds


@dataclass(frozen=True, slots=True)
class SettingEntry:
    """A setting that the run's owner chose."""

    name: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UnreadEntry:
    """A must-read that could not be fetched."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class SearchEntry:
    """A search that found nothing."""

    query: str
    place: str  # library, web
    reason: str  # the reason why it failed; empty if there was nothing to find


@dataclass(frozen=True, slots=True)
class InstructionEntry:
    """An instruction that the run received while it was active, with its outcome."""

    text: str
    status: str  # queued, taken, refused
    effects: tuple[str, ...]  # sentences


@dataclass(frozen=True, slots=True)
class StepEntry:
    """A step of the run, as shown in its log."""

    index: int
    key: str
    handler: str
    role: str
    tool: str  # empty if it used none
    status: str
    attempt: int
    started: datetime | None
    completed: datetime | None
    duration_ms: int | None
    tokens_input: int
    tokens_output: int
    cost_usd: float | None  # None if a price is unknown
    error: str


@dataclass(frozen=True, slots=True)
class RawEntry:
    """The raw data of a document, present only if requested."""

    configuration: str  # the run's configuration as a JSON object
    steps: tuple[StepEntry, ...] = ()
    # The frozen text of each cited source, in which quote == text[start:end].
    texts: tuple[tuple[UUID, str], ...] = ()
