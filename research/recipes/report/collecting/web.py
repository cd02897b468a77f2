"""Collecting from the web: every query of the plan to every provider, the answers fused, the best pages taken."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import date
from uuid import UUID

from pydantic import TypeAdapter

from research.acquisition.process import fetch_process
from research.acquisition.providers.asking import Found
from research.acquisition.providers.catalogue import configured
from research.acquisition.providers.kinds import search_types
from research.acquisition.providers.protocol import Filters, SearchHit, fused
from research.library.addresses import canonical_url
from research.library.sources import FoundPage
from research.lifecycle.failures import StepError
from research.lifecycle.recipe import Json, StepDraft, StepResult, StepWork
from research.models import AgentRole, Queue, Run, Source, SourceStatus, SourceType
from research.recipes.report.collecting.sources import add_pages
from research.recipes.report.config import ReportConfig
from research.recipes.report.queries import queries_of
from research.recipes.report.work import Work
from research.tenancy import tenant_context

OVER_FETCH = 2  # results asked for, for each page that is wanted
_HITS = TypeAdapter(list[SearchHit])
_FILTERS = TypeAdapter(Filters)
_RETRIED = {"RATE_LIMITED", "TIMEOUT"}


def web_drafts(run: Run) -> Iterator[StepDraft]:
    """One step for all of it, where a provider is set up."""
    if ReportConfig.model_validate(run.config).uses_web and configured():
        yield StepDraft("web", Work.PLAN_WEB, AgentRole.RESEARCHER)


def plan_web(work: StepWork) -> StepResult:
    """A search for each query, then one step that takes the best of all."""
    with tenant_context(work.tenant_id):
        run = Run.objects.get(pk=work.run_id)
    queries, config = queries_of(run), ReportConfig.model_validate(run.config)
    filters = filters_of(config, len(queries))
    stored = _FILTERS.dump_python(filters, mode="json")
    searches = [
        StepDraft(
            f"web/search.{number}",
            Work.SEARCH_WEB,
            AgentRole.RESEARCHER,
            input={
                "query": query.text,
                "subtopic": query.subtopic,
                "filters": stored,
                "providers": list(config.providers),
            },
            tool_name="search",
            agent_id="web",
        )
        for number, query in enumerate(queries)
    ]
    pick = StepDraft("web/pick", Work.PICK_PAGES, AgentRole.RESEARCHER, queue=Queue.AGENTS)
    return StepResult({"queries": len(queries)}, children=searches, then=pick)


async def search_web(work: StepWork) -> StepResult:
    """Raises StepError when every provider failed; one that failed beside others is noted."""
    query = str(work.input["query"])
    filters = _FILTERS.validate_python(work.input["filters"])
    process = fetch_process()
    names = [str(name) for name in _listed(work.input.get("providers"))]
    found = await process.do(process.search(query, filters, str(work.run_id), work.tenant_id, names))
    if found.skipped and not found.hits:
        _give_up(found)
    output = {
        "query": query,
        "found": len(found.hits),
        "pages": _HITS.dump_python(list(found.hits), mode="json"),
        "by_provider": dict(found.counts),
        "skipped": [asdict(one) for one in found.skipped],
        "unreadable": found.unreadable,
    }
    return StepResult(output, activity=f"Searching the web for “{query}”"[:300])


def filters_of(config: ReportConfig, queries: int) -> Filters:
    """Each query is asked for its share of the pages, twice over."""
    share = -(-OVER_FETCH * config.target_sources // queries)
    excluded = frozenset(word.lower().removeprefix("www.") for word in config.excluded_domains)
    first, *others = search_types(config.source_types)
    return Filters(
        first, _first_day(config), most=max(10, share), excluded_domains=excluded, also=tuple(others)
    )


def pick_pages(work: StepWork) -> StepResult:
    """The best pages of all searches, as many as the run wants."""
    done = [child for child in work.children() if child.handler == Work.SEARCH_WEB]
    rankings = [
        (str(child.input["subtopic"]), _HITS.validate_python(child.output.get("pages", []))) for child in done
    ]
    subtopics, config = _subtopics(rankings), _config(work)
    wanted = [
        FoundPage(hit.url, hit.title, hit.published[:10], subtopics[canonical_url(hit.url)], relevance)
        for hit, relevance in fused([hits for _, hits in rankings])
        if _may_be_wanted(hit, config)
    ]

    def save() -> None:
        add_pages(work.run_id, wanted[: room_for_pages(work.run_id, config)])

    return StepResult(
        {"found": len(wanted), "searches": len(done)},
        save=save,
        activity=f"Found {len(wanted)} pages on the web"[:300],
    )


def room_for_pages(run_id: UUID, config: ReportConfig) -> int:
    """What the library and the must-read pages leave of the wanted sources, but at least half. Needs the tenant set."""
    held = Source.objects.filter(run_id=run_id).exclude(status=SourceStatus.EXCLUDED).count()
    return max(config.target_sources - held, -(-config.target_sources // 2))


def _config(work: StepWork) -> ReportConfig:
    with tenant_context(work.tenant_id):
        return ReportConfig.model_validate(Run.objects.get(pk=work.run_id).config)


def _listed(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _give_up(found: Found) -> None:
    reasons = "; ".join(f"{one.provider}: {one.message}" for one in found.skipped)
    code = next((one.code for one in found.skipped if one.code in _RETRIED), "NO_RESULTS")
    raise StepError(code, reasons)


def _subtopics(rankings: Sequence[tuple[str, Sequence[SearchHit]]]) -> dict[str, str]:
    """For each page the subtopic of the search that has it highest."""
    places = [
        (position, subtopic, canonical_url(hit.url))
        for subtopic, hits in rankings
        for position, hit in enumerate(hits)
    ]
    return {url: subtopic for _, subtopic, url in sorted(places, key=lambda place: place[0], reverse=True)}


def _may_be_wanted(hit: SearchHit, config: ReportConfig) -> bool:
    """A page of a kind that is not known yet stays until it is read."""
    unknown = hit.source_type == SourceType.OTHER
    return not config.source_types or unknown or hit.source_type in config.source_types


def _first_day(config: ReportConfig) -> date | None:
    text = config.published_from
    return date.fromisoformat(text + "-01-01"[len(text) - 4 :]) if text else None
