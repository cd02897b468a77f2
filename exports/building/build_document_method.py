"""Reads how a run's sources were selected: the request, its sufficiency, and what could not be retrieved."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import PurePath
from uuid import UUID

from exports.document.document_tree import (
    CheckEntry,
    FolderEntry,
    InstructionEntry,
    SearchedEntry,
    SearchEntry,
    SettingEntry,
    SourceEntry,
    SufficiencyEntry,
    UnreadEntry,
)
from research.db.bulk_sql import rows_of
from research.models import Instruction, Run, SourceStatus, Step, StepStatus
from research.models.schemas import SearchedLibrary, StoredSufficiency

# Handlers of steps.
SEARCHING_WEB = "report.web_search"
# The place that each of these handlers searches.
PLACES: Mapping[str, str] = {"report.search": "library", SEARCHING_WEB: "web"}
GATHERING = "report.gather"  # handler of agents' work, including their searches
TAKING = ("report.url", "report.document")  # handlers that read must-reads
# Settings of a run that affect the selection of sources, in display order.
SETTINGS = (
    "subtopics",
    "excluded_subjects",
    "sources",
    "depth",
    "words",
    "target_sources",
    "sources_per_claim",
    "thin_claims",
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
    "ignore_known",
    "urls",
    "dois",
)


def sufficiency_of(run: Run) -> SufficiencyEntry | None:
    """Return the result of the sufficiency check; None if the run's sources have not been checked yet."""
    if not run.sufficiency:
        return None
    stored = StoredSufficiency.model_validate(run.sufficiency)
    checks = tuple(
        CheckEntry(check.name, check.score, check.is_passed, check.detail) for check in stored.checks
    )
    return SufficiencyEntry(checks, stored.score, stored.is_enough and not run.is_insufficient, stored.rounds)


def build_searched_entry(run: Run) -> SearchedEntry | None:
    """Return the search scope; None if the run searched nothing, or is older than stored scopes."""
    drawn_on = run.config.get("sources", "")
    if run.searched is None:
        return SearchedEntry((), is_whole=False, has_web=True) if drawn_on == "web" else None
    stored = SearchedLibrary.model_validate(run.searched)
    folders = tuple(FolderEntry(_remove_path(folder.key), folder.documents) for folder in stored.folders)
    return SearchedEntry(folders, stored.is_whole, has_web=drawn_on == "both")


def _remove_path(key: str) -> str:
    """Remove the path, since a report that is sent to others must not reveal where the server stores files."""
    return f"/{PurePath(key).name}" if PurePath(key).is_absolute() else key


def settings_of(run: Run) -> tuple[SettingEntry, ...]:
    """Return the settings that the run's owner changed."""
    return tuple(
        SettingEntry(name, _values(run.config[name]))
        for name in SETTINGS
        if run.config.get(name) not in _UNSET
    )


def instructions_of(run: Run) -> tuple[InstructionEntry, ...]:
    """Return the instructions that the run received while it was active, oldest first."""
    clause = "WHERE one.run_id = %(run)s ORDER BY one.created_at, one.id"
    rows = rows_of(Instruction, clause, {"run": run.pk})
    return tuple(InstructionEntry(row.text, row.status, tuple(row.effects)) for row in rows)


_UNSET: Sequence[object] = (None, "", [], False)


def _values(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list) else (str(value),)


@dataclass(frozen=True, slots=True)
class WebSearchSummary:
    """The web searches of a run: its queries, the pages that could not be read, and the searches that found nothing."""

    queries: tuple[str, ...]
    unread: tuple[UnreadEntry, ...]
    vain: tuple[SearchEntry, ...]


@dataclass(frozen=True, slots=True)
class _SearchStep:
    """A step that searched, read must-reads, or stored an agent's results.

    `found` is None until the step has ended, and if it failed.
    """

    handler: str
    about: Mapping[str, str]  # the step's input
    status: str
    reason: str
    found: int | None
    queries: Sequence[str] | None = None

    @property
    def listed_queries(self) -> Sequence[str]:
        """Return the agent's queries."""
        return self.queries or ()

    @property
    def is_vain(self) -> bool:
        if self.handler not in PLACES:
            return False
        return self.status == StepStatus.FAILED or self.status == StepStatus.COMPLETED and self.found == 0


def load_search_history(run_id: UUID, sources: Iterable[SourceEntry]) -> WebSearchSummary:
    """Return the searches of a run; `sources` are its sources."""
    steps = Step.objects.filter(run_id=run_id, handler__in=(*TAKING, *PLACES, GATHERING)).order_by(
        "step_index"
    )
    columns = ("handler", "input", "status", "error_message", "output__found", "output__queries")
    searches = [_SearchStep(*row) for row in steps.values_list(*columns)]
    never_taken = [
        UnreadEntry(search.about.get("url") or search.about.get("name") or "", search.reason)
        for search in searches
        if search.handler in TAKING and search.status == StepStatus.FAILED
    ]
    failed = (source for source in sources if source.must_read and source.status == SourceStatus.FAILED)
    vain = (
        SearchEntry(search.about["query"], PLACES[search.handler], search.reason)
        for search in searches
        if search.is_vain
    )
    asked = [search.about["query"] for search in searches if search.handler == SEARCHING_WEB]
    return WebSearchSummary(
        queries=tuple(
            dict.fromkeys([*asked, *chain.from_iterable(search.listed_queries for search in searches)])
        ),
        unread=(*never_taken, *(UnreadEntry(source.url or source.title, source.reason) for source in failed)),
        vain=tuple(dict.fromkeys(vain)),
    )
