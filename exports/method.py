"""How a run chose what it read: what was asked for, whether it was enough, what could not be had."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from uuid import UUID

from exports.document import CheckEntry, SettingEntry, SourceEntry, SufficiencyEntry, UnreadEntry
from research.models import Run, SourceStatus, Step, StepStatus
from research.models.schemas import StoredSufficiency

TAKING = ("report.url", "report.document")  # handlers of what must be read
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


_UNSET: Sequence[object] = (None, "", [], False)


def _values(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list) else (str(value),)


def unread_of(run_id: UUID, sources: Iterable[SourceEntry]) -> tuple[UnreadEntry, ...]:
    """What had to be read and could not be had, with the reason. `sources` are those of the run."""
    failed = (one for one in sources if one.must_read and one.status == SourceStatus.FAILED)
    return (*_never_taken(run_id), *(UnreadEntry(one.url or one.title, one.reason) for one in failed))


def _never_taken(run_id: UUID) -> Iterator[UnreadEntry]:
    failed = Step.objects.filter(run_id=run_id, handler__in=TAKING, status=StepStatus.FAILED)
    rows = failed.order_by("step_index").values_list("input", "error_message")
    return (UnreadEntry(_named(given), reason) for given, reason in rows)


def _named(given: Mapping[str, str]) -> str:
    return given.get("url") or given.get("document") or ""
