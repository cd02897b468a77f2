"""How a run chose what it read: what was asked for, whether it was enough, what could not be had."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from exports.document import (
    CheckEntry,
    InstructionEntry,
    SettingEntry,
    SourceEntry,
    SufficiencyEntry,
    UnreadEntry,
)
from research.models import Instruction, Run, SourceStatus, Step, StepStatus
from research.models.schemas import StoredSufficiency

# Handlers of steps
SEARCHING = "report.web_search"
TAKING = ("report.url", "report.document")  # of what must be read
# Settings of a run that say what is read, in the order in which they are told.
SETTINGS = (
    "sources",
    "depth",
    "target_sources",
    "published_from",
    "published_to",
    "recency_bias",
    "source_types",
    "regions",
    "languages",
    "priority_domains",
    "excluded_domains",
    "pages_per_source",
    "confidence_threshold",
    "fresh_pages",
    "urls",
    "dois",
)


def sufficiency_of(run: Run) -> SufficiencyEntry | None:
    """None where the run's sources were not looked at yet."""
    if not run.sufficiency:
        return None
    stored = StoredSufficiency.model_validate(run.sufficiency)
    checks = tuple(CheckEntry(one.name, one.score, one.is_passed, one.detail) for one in stored.checks)
    return SufficiencyEntry(checks, stored.score, stored.is_enough, stored.rounds)


def settings_of(run: Run) -> tuple[SettingEntry, ...]:
    """Those that its owner set."""
    return tuple(
        SettingEntry(name, _values(run.config[name]))
        for name in SETTINGS
        if run.config.get(name) not in _UNSET
    )


def instructions_of(run: Run) -> tuple[InstructionEntry, ...]:
    """What it was told while it was under way, in that order."""
    rows = Instruction.objects.filter(run=run).order_by("created_at", "id")
    return tuple(InstructionEntry(one.text, one.status, tuple(one.effects)) for one in rows)


_UNSET: Sequence[object] = (None, "", [], False)


def _values(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list) else (str(value),)


@dataclass(frozen=True, slots=True)
class Looked:
    """What a run looked for on the web, in its words, and what had to be read and could not be had."""

    queries: tuple[str, ...]
    unread: tuple[UnreadEntry, ...]


def looked_for(run_id: UUID, sources: Iterable[SourceEntry]) -> Looked:
    """`sources` are those of the run."""
    steps = Step.objects.filter(run_id=run_id, handler__in=(*TAKING, SEARCHING)).order_by("step_index")
    rows = list(steps.values_list("handler", "input", "status", "error_message"))
    never_taken = [
        UnreadEntry(given.get("url") or given.get("name") or "", reason)
        for handler, given, status, reason in rows
        if handler in TAKING and status == StepStatus.FAILED
    ]
    failed = (one for one in sources if one.must_read and one.status == SourceStatus.FAILED)
    return Looked(
        tuple(dict.fromkeys(given["query"] for handler, given, *_ in rows if handler == SEARCHING)),
        (*never_taken, *(UnreadEntry(one.url or one.title, one.reason) for one in failed)),
    )
