"""Collect from the web: every query of the plan to every provider, the answers merged, the best pages taken.

Before a query is asked, pages saved by earlier runs are checked: they may be enough (search/search_or_reuse_pages.py).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from functools import partial
from uuid import UUID

from django.utils import timezone
from pydantic import TypeAdapter

from citations.credibility.source_regions import Region
from research.db.tenancy import in_tenant, tenant_context
from research.engine.pipeline_registry import JsonObject, StepDraft, StepResult, StepWork
from research.engine.states.state_source_stats import load_source_stats
from research.engine.states.state_source_sufficiency import find_uncovered_subtopics
from research.engine.states.step_failures import StepError
from research.fetching.canonical_urls import canonical_url
from research.library.sources_from_library import FoundPage
from research.models import (
    AgentRole,
    LibraryDocument,
    Queue,
    Relation,
    Run,
    Source,
    SourceStatus,
    SourceType,
)
from research.models.schemas import Plan
from research.pipelines.common.pipeline_input_values import require_list
from research.pipelines.report.collecting.add_report_sources import (
    HEAVY_COLUMNS,
    add_documents,
    add_rows,
    best_first,
    new_pages,
)
from research.pipelines.report.collecting.collect_saved_report_pages import (
    SavedPages,
    coverage_of,
    decide_reuse,
    find_saved_pages,
)
from research.pipelines.report.collecting.reword_report_queries import further_query
from research.pipelines.report.passages_found_for_report import dump_passages
from research.pipelines.report.report_config import ReportConfig
from research.pipelines.report.report_queries import Query, load_answered_queries, queries_of
from research.pipelines.report.report_step_names import ReportStepName
from research.search.ask_search_providers import ProviderResults
from research.search.chosen_search_services import list_configured_services
from research.search.search_or_reuse_pages import ReuseDecision, ReuseMode
from research.search.search_process import search_process
from research.search.search_protocol import Filters, SearchCode, SearchHit, fuse_rankings
from research.search.searched_source_kinds import search_types

COUNTRIES = frozenset(
    {Region.US, Region.CH}
)  # regions that providers can filter by; others are checked after reading
OVER_FETCH = 2  # results requested per wanted page
MAX_RESULTS = 100  # of one query
MAX_FURTHER = 12  # queries of a further round
_HITS = TypeAdapter(list[SearchHit])
_FILTERS = TypeAdapter(Filters)
MAX_WAIT_S = 120.0  # for providers that want a pause


def searches_web(config: ReportConfig) -> bool:
    """Return True if the web may be used, and a provider is set up."""
    return config.uses_web and bool(list_configured_services())


def web_drafts(run: Run) -> Iterator[StepDraft]:
    """Yield one step for the whole search; with a new plan, only if it has queries that were not asked yet."""
    is_new = run.attempt or select_unasked_queries(run)
    if searches_web(ReportConfig.model_validate(run.config)) and is_new:
        yield StepDraft("web", ReportStepName.PLAN_WEB, AgentRole.RESEARCHER)


@dataclass(frozen=True, slots=True)
class Round:
    """The queries of one round of searching, and what is done for each."""

    number: int  # from 0
    config: ReportConfig
    decisions: Mapping[Query, ReuseDecision]
    saved: Mapping[Query, SavedPages]

    @property
    def asked(self) -> list[Query]:
        return [query for query, choice in self.decisions.items() if choice.decision.searches]

    @property
    def reused(self) -> list[tuple[Query, SavedPages]]:
        return [
            (query, self.saved[query]) for query, choice in self.decisions.items() if choice.decision.reuses
        ]

    def searches(self) -> Iterator[StepDraft]:
        asked = self.asked
        for number, query in enumerate(asked):
            yield web_search(f"web/search.{number}", query, len(asked), self.config, self.number)

    def describe_decisions(self) -> list[JsonObject]:
        """The decisions as the step's log has them."""
        return [
            {"query": query.text, "decision": choice.decision.value, "reason": choice.reason}
            for query, choice in self.decisions.items()
        ]


def web_search(key: str, query: Query, queries: int, config: ReportConfig, further: int = 0) -> StepDraft:
    """Return the step of one of `queries` queries, which share the wanted sources; `further` is the round's number."""
    return StepDraft(
        key,
        ReportStepName.SEARCH_WEB,
        AgentRole.RESEARCHER,
        input={
            "query": query.text,
            "subtopic": query.subtopic,
            "filters": _FILTERS.dump_python(filters_of(config, queries, further), mode="json"),
            "providers": list(config.providers),
        },
        tool_name="search",
        agent_id="web",
    )


async def plan_web(work: StepWork) -> StepResult:
    """Plan a search for each query that saved pages do not answer, and a step that takes the best of all results."""
    planned = await _round_of(work)

    def save() -> None:
        rows = LibraryDocument.objects.select_related("content").defer(*HEAVY_COLUMNS)
        for query, pages in planned.reused:
            documents = rows.in_bulk(pages.documents)
            add_documents(work.run_id, documents.values(), query.subtopic)

    hits = [passage for _, pages in planned.reused for passage in pages.passages]
    pick = StepDraft("web/pick", ReportStepName.PICK_PAGES, AgentRole.RESEARCHER, queue=Queue.AGENTS)
    output: JsonObject = {
        "round": planned.number + 1,
        "queries": len(planned.decisions),
        "decisions": planned.describe_decisions(),
        "hits": dump_passages(hits),
    }
    return StepResult(output, save=save, children=list(planned.searches()), then=pick)


async def _round_of(work: StepWork) -> Round:
    run, queries = await in_tenant(work.tenant_id, partial(_to_ask, work.run_id))
    config = ReportConfig.model_validate(run.config)
    if run.attempt:
        again = ReuseDecision(ReuseMode.BROWSE, "what was found before is not enough")
        return Round(run.attempt, config, dict.fromkeys(queries, again), {})
    is_extension = run.relation == Relation.EXTENSION  # it has the saved pages already
    saved = (
        {}
        if config.fresh_pages or is_extension
        else await find_saved_pages(work.tenant_id, queries, config, timezone.now())
    )
    coverage = coverage_of(saved, Plan.model_validate(run.plan).subtopics)
    return Round(0, config, {query: decide_reuse(saved, coverage, query, config) for query in queries}, saved)


def _to_ask(run_id: UUID) -> tuple[Run, list[Query]]:
    run = Run.objects.get(pk=run_id)
    return run, further_queries(run) if run.attempt else select_unasked_queries(run)


def select_unasked_queries(run: Run) -> list[Query]:
    asked = load_answered_queries(run.pk)
    return [query for query in queries_of(run) if query.text.casefold() not in asked]


def further_queries(run: Run) -> list[Query]:
    """Return queries for a deeper search of thin subtopics, also reworded; for all subtopics if none is thin."""
    thin = set(thin_subtopics(run))
    queries = [query for query in queries_of(run) if not thin or query.subtopic in thin]
    titles = list(Source.objects.filter(run=run).exclude(title="").values_list("subtopic", "title"))
    others = []
    for query in queries:
        of_subtopic = [title for subtopic, title in titles if subtopic == query.subtopic]
        if other := further_query(query.text, of_subtopic or [title for _, title in titles], run.attempt):
            others.append(Query(other, query.subtopic))
    return list(dict.fromkeys([*others, *queries]))[:MAX_FURTHER]


def thin_subtopics(run: Run) -> list[str]:
    """Return the subtopics that have less than half of their sources yet."""
    targets = {subtopic.name: subtopic.target_sources for subtopic in Plan.model_validate(run.plan).subtopics}
    return find_uncovered_subtopics(load_source_stats(run), targets)


async def search_web(work: StepWork) -> StepResult:
    """Search the web for one query. Raises StepError if every provider failed; a single failure is noted."""
    query = str(work.input["query"])
    filters = _FILTERS.validate_python(work.input["filters"])
    names = [str(name) for name in require_list(work.input.get("providers", []))]
    results = await search_process().search(query, filters, str(work.run_id), work.tenant_id, names)
    if results.skipped and not results.hits:
        raise build_search_error(results)
    output = {
        "query": query,
        "found": len(results.hits),
        "pages": _HITS.dump_python(list(results.hits), mode="json"),
        "by_provider": dict(results.counts),
        "skipped": [asdict(failure) for failure in results.skipped],
        "unreadable": results.unreadable,
    }
    return StepResult(output, activity=f"Searching the web for “{query}”"[:300])


def filters_of(config: ReportConfig, queries: int, further: int = 0) -> Filters:
    """Return the filters of a search.

    Each query requests twice its share of the pages, and as many more in each further round.
    """
    share = -(-OVER_FETCH * config.target_sources // queries)
    most = min(MAX_RESULTS, max(10, share)) * (further + 1)
    first, *others = search_types(config.source_types)
    return Filters(
        first,
        _first_day(config),
        region=_region(config.regions, config.languages),
        most=most,
        excluded_domains=frozenset(config.excluded_domains),
        also=tuple(others),
    )


def _region(regions: Sequence[Region], languages: Sequence[str]) -> str:
    """Return the region as providers take it: a country, perhaps with a language ("de-ch"); "" for several."""
    country = regions[0].value if len(regions) == 1 and regions[0] in COUNTRIES else ""
    return f"{languages[0]}-{country}" if country and len(languages) == 1 else country


def pick_pages(work: StepWork) -> StepResult:
    """Take the best pages of all searches, as many as the run wants, or as the step's input says."""
    done = [child for child in work.children() if child.handler == ReportStepName.SEARCH_WEB]
    rankings = [
        (str(child.input["subtopic"]), _HITS.validate_python(child.output.get("pages", []))) for child in done
    ]
    with tenant_context(work.tenant_id):
        run = Run.objects.get(pk=work.run_id)
        config = ReportConfig.model_validate(run.config)
        wanted = list(_pages(rankings, config))
        new = new_pages(work.run_id, wanted)
        thin = frozenset(thin_subtopics(run)) if run.attempt else frozenset[str]()
    ranked = sorted(
        sorted(new, key=best_first(config)), key=lambda row: bool(thin) and row.subtopic not in thin
    )

    most = int(str(work.input.get("most", 0)))

    def save() -> None:
        add_rows(work.run_id, ranked[: most or room_for_pages(run, config)])

    answered = sum("pages" in child.output for child in done)
    return StepResult(
        {"found": len(wanted), "new": len(new), "searches": len(done), "answered": answered},
        save=save,
        activity=f"Found {len(wanted)} pages on the web"[:300],
    )


def _pages(rankings: Sequence[tuple[str, Sequence[SearchHit]]], config: ReportConfig) -> Iterator[FoundPage]:
    subtopics = _subtopics(rankings)
    for hit, relevance in fuse_rankings([hits for _, hits in rankings]):
        if not config.refusal(hit.url, hit.published, _find_source_type(hit)):
            yield FoundPage(
                hit.url,
                hit.title,
                hit.published[:10],
                subtopics[canonical_url(hit.url)],
                relevance,
                full_text=hit.full_text,
                kind=hit.source_type,
            )


def room_for_pages(run: Run, config: ReportConfig) -> int:
    """Return the number of web pages that the run may add.

    It is what the library and the must-read pages leave of the wanted sources, but at least half; in a further round
    at least a quarter. An extension gets what it asks for. Needs the tenant set.
    """
    held = Source.objects.filter(run=run).exclude(status=SourceStatus.EXCLUDED).count()
    is_extension = run.relation == Relation.EXTENSION
    least = 1 if is_extension else -(-config.target_sources // (4 if run.attempt else 2))
    return max(config.target_sources - held, least)


def build_search_error(results: ProviderResults) -> StepError:
    """Return the error of a failed search.

    It is retried if a provider was only slow, or busy for no longer than a run can wait.
    """
    reasons = "; ".join(f"{failure.provider}: {failure.message}" for failure in results.skipped)
    codes = {failure.code for failure in results.skipped}
    if SearchCode.TIMEOUT in codes:
        return StepError("TIMEOUT", reasons)
    if SearchCode.RATE_LIMITED not in codes:
        return StepError("NO_RESULTS", reasons)
    pause_s = min(
        failure.pause_s or 0.0 for failure in results.skipped if failure.code is SearchCode.RATE_LIMITED
    )
    return StepError("RATE_LIMITED", reasons, retryable=pause_s <= MAX_WAIT_S, retry_after_s=pause_s)


def _subtopics(rankings: Sequence[tuple[str, Sequence[SearchHit]]]) -> dict[str, str]:
    """Return for each page the subtopic of the search that ranks it highest."""
    places = [
        (position, subtopic, canonical_url(hit.url))
        for subtopic, hits in rankings
        for position, hit in enumerate(hits)
    ]
    return {url: subtopic for _, subtopic, url in sorted(places, key=lambda place: place[0], reverse=True)}


def _find_source_type(hit: SearchHit) -> SourceType | None:
    """Return the page's type, or None if it is not known before the page is read."""
    return None if hit.source_type == SourceType.OTHER else hit.source_type


def _first_day(config: ReportConfig) -> date | None:
    text = config.published_from
    return date.fromisoformat(text + "-01-01"[len(text) - 4 :]) if text else None
