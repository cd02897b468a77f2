"""Finding the rows of a table: lists are searched for in the library and on the web, read, and proposed to the owner.

search → fetch, each page → read the lists ─────────────────→ propose their rows
                             └→ fetch the next page of each ─┘ (again and again)
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from django.db.models import F

from research.db.tenancy import in_tenant, in_thread, tenant_context
from research.engine.pipeline_registry import (
    Following,
    JsonObject,
    StepDraft,
    StepResult,
    StepUsage,
    StepWork,
)
from research.engine.states.step_failures import StepError
from research.engine.states.transitions import lock_run
from research.fetching.canonical_urls import documents_at
from research.library.rate_library_source import judge_with
from research.library.retrieval.hybrid_retrieval import documents
from research.library.sources_from_library import FoundPage
from research.models import AgentRole, LibraryDocument, PlanTrigger, Run, Source, SourceStatus
from research.models.schemas import RunOutcome
from research.pipelines.common.ask_model_in_pipeline_step import ask
from research.pipelines.table.decomposing.decompose_table_request_by_model import (
    DecompositionPromptInput,
    sound,
)
from research.pipelines.table.decomposing.decompose_table_request_by_rules import NO_FIELDS
from research.pipelines.table.decomposing.table_request_decomposition import INPUT, Decomposition
from research.pipelines.table.filling.load_table_item_texts import ReadSources, find_sources, load_texts
from research.pipelines.table.gathering.fetch_table_item_pages import draft_list_page
from research.pipelines.table.gathering.search_library_for_table_item import rank_documents, sources_of
from research.pipelines.table.gathering.search_web_for_table_item import (
    TO_READ,
    filters_of,
    new_source,
    search_pages,
    select_pages_to_read,
)
from research.pipelines.table.items.initial_table_rows import set_rows
from research.pipelines.table.items.table_items import config_of
from research.pipelines.table.listing.cite_listed_table_rows import cite_rows
from research.pipelines.table.listing.further_pages_of_table_lists import (
    PagedList,
    count_rows,
    find_next_pages,
    goes_on,
    join_known_pages,
    join_numbered_pages,
    join_pages,
    read_paged,
)
from research.pipelines.table.listing.merge_lists_into_table import ListedRows, merge_lists
from research.pipelines.table.listing.read_lists_for_table import SourceList, read_stated_count
from research.pipelines.table.listing.table_list_request import RowsRequest, parse_rows_request
from research.pipelines.table.listing.table_rows_in_prose import (
    admit_members,
    ask_for_members,
    choose_passages,
)
from research.pipelines.table.plan_table import open_section, plan_of
from research.pipelines.table.table_columns import LISTED, MAX_FIELDS, TableField
from research.pipelines.table.table_config import TableConfig
from research.pipelines.table.table_engine import Engine, choose
from research.pipelines.table.table_refusals import TableRefused
from research.pipelines.table.table_row_credits import reserve_rows, store_estimate, with_estimate
from research.pipelines.table.table_step_names import TableStepName
from research.runs.run_plan_versions import keep_version
from research.search.chosen_search_services import list_configured_services

MAX_PAGES, MAX_DOCUMENTS = 10, 8  # that are looked through for lists
GOES_ON = "The list goes on after the pages that were read."
NAMES_REFUSED = "Names that the model gave and no source has, left out: %s."
FROM_MEMORY = "The rows are proposed by the model without a source."


# --- searching


async def search_lists(work: StepWork) -> StepResult:
    """Search the library and the web for lists. If every search service fails, the library's are read alone."""
    config, request = await in_tenant(work.tenant_id, lambda: _load_request(work))
    found = await in_thread(lambda: _find_documents(work, config, request)) if config.uses_library else []
    given = await in_tenant(work.tenant_id, lambda: _find_missing_pages(config))
    searched = await _search(work, config, request)
    pages = select_pages_to_read(given, searched, MAX_PAGES)
    rows = await in_thread(lambda: sources_of(work, found))
    rows += await in_tenant(work.tenant_id, lambda: _page_rows(work, config, pages))
    return StepResult(
        {"queries": request.queries, "pages": [page.url for page in pages], "documents": len(found)},
        follow=lambda: _follow_searched(work.run_id, rows),
        activity=f"Looking for a list of {request.phrase}"[:300],
    )


def _page_rows(work: StepWork, config: TableConfig, pages: Sequence[FoundPage]) -> list[Source]:
    judge = judge_with(config.recency_bias)
    return [new_source(work.run_id, page, judge) for page in pages]


def _load_request(work: StepWork) -> tuple[TableConfig, RowsRequest]:
    topic = Run.objects.values_list("topic", flat=True).get(pk=work.run_id)
    return config_of(work.run_id), request_of(topic)


def request_of(topic: str) -> RowsRequest:
    """A request that names no rows by its form is taken as the name of the things."""
    return parse_rows_request(topic) or RowsRequest(topic.strip(" .?!"))


def _find_documents(work: StepWork, config: TableConfig, request: RowsRequest) -> list[LibraryDocument]:
    """Those that must be read, then those with the best passages."""
    with tenant_context(work.tenant_id):
        rows = documents(config.scope).select_related("content").defer("content__blocks")
        must = list(rows.filter(pk__in=config.documents))
        must += [document for url in config.must_read for document in documents_at(url, rows)]
    ranked = rank_documents(work, config, request.queries[0], request.phrase, [row.pk for row in must])
    return [*must, *ranked[: max(0, MAX_DOCUMENTS - len(must))]]


def _find_missing_pages(config: TableConfig) -> list[str]:
    rows = documents(config.scope)
    return [url for url in config.must_read if next(documents_at(url, rows), None) is None]


async def _search(work: StepWork, config: TableConfig, request: RowsRequest) -> list[FoundPage]:
    """The best pages for each of the queries in turn."""
    if not config.uses_web or not list_configured_services():
        return []
    filters = replace(filters_of(config), most=MAX_PAGES)
    rankings = []
    for query in request.queries:
        try:
            rankings.append(await search_pages(work, config, query, filters))
        except StepError:
            continue
    return list(_alternate(rankings))


def _alternate(rankings: Sequence[Sequence[FoundPage]]) -> Iterator[FoundPage]:
    """The first of each ranking, then the second of each, every page once."""
    seen: set[str] = set()
    for place in range(max(map(len, rankings), default=0)):
        for ranking in rankings:
            if place < len(ranking) and ranking[place].url not in seen:
                seen.add(ranking[place].url)
                yield ranking[place]


def _follow_searched(run_id: UUID, rows: Sequence[Source]) -> Following:
    stored = _store_sources(run_id, rows)
    return Following(_fetches(stored.values()), _build_reading_step())


def _store_sources(run_id: UUID, rows: Sequence[Source]) -> dict[str, Source]:
    """Store new sources of the run and return those that are stored, by their address."""
    Source.objects.bulk_create(rows, ignore_conflicts=True)
    addresses = [row.canonical_url for row in rows]
    found = Source.objects.filter(run_id=run_id, canonical_url__in=addresses)
    stored = {source.canonical_url: source for source in found.only("canonical_url", "url", "status")}
    read = sum(source.status == SourceStatus.PROCESSED for source in stored.values())
    Run.objects.filter(pk=run_id).update(sources_processed=F("sources_processed") + read)
    return stored


def _fetches(sources: Iterable[Source]) -> list[StepDraft]:
    return [draft_list_page(source.pk, source.url) for source in sources if source.status in TO_READ]


# --- reading


def _build_reading_step(paged: Sequence[PagedList] = ()) -> StepDraft:
    """The step that reads the lists, with the pages that were followed to so far."""
    count = sum(len(each.pages) - 1 for each in paged)
    return StepDraft(
        f"plan/rows.{count}" if count else "plan/rows",
        TableStepName.READ_LISTS,
        AgentRole.PLANNER,
        input={"paged": [each.as_json() for each in paged]} if paged else {},
    )


async def read_lists(work: StepWork) -> StepResult:
    """Follow the lists to their next pages, or propose their rows where no list goes on.

    Raises ModelError for a failure that a later try may mend.
    """
    followed, paged = await in_thread(lambda: _follow_lists(work))
    return followed or await _propose_rows(work, paged)


def _follow_lists(work: StepWork) -> tuple[StepResult | None, list[PagedList]]:
    """Return the result that has the next pages fetched, None where no list goes on; and the lists so far."""
    with tenant_context(work.tenant_id):
        run = Run.objects.get(pk=work.run_id)
        config, request = TableConfig.model_validate(run.config), request_of(run.topic)
        before = read_paged(work.input.get("paged", []))
        paged = before or [PagedList((str(pk),)) for pk in _read_sources(run)]
        ends = [page for each in paged for page in (each.pages[0], each.pages[-1])]
        read = load_texts(work.tenant_id, find_sources([UUID(page) for page in dict.fromkeys(ends)]))
        texts = {text.key: text for text in read.texts}
        counted = [count_rows(request, each, texts) for each in paged]
        paged = join_known_pages([each for each in counted if each.rows], read)
        further = find_next_pages(run, config, request, paged, read)
        rows = _page_rows(work, config, list(further.values()))
    if not further:
        return None, paged

    def follow() -> Following:
        stored = _store_sources(run.pk, rows)
        longer = list(paged)
        for place, row in zip(further, rows, strict=True):
            if (source := stored.get(row.canonical_url)) is not None:
                longer[place] = replace(paged[place], pages=(*paged[place].pages, str(source.pk)))
        return Following(_fetches(stored.values()), _build_reading_step(longer))

    output: JsonObject = {
        "rows": [each.rows for each in paged],
        "next": [page.url for page in further.values()],
    }
    return StepResult(output, follow=follow, activity=f"Reading lists of {request.phrase}"[:300]), paged


def _read_sources(run: Run) -> list[UUID]:
    """Return the sources that were read, in the order in which they were found."""
    read = Source.objects.filter(run=run, status=SourceStatus.PROCESSED)
    return list(read.order_by("created_at", "pk").values_list("pk", flat=True))


def _reserve(run_id: UUID, count: int) -> None:
    """Reserve the rows of a run whose owner wants to be asked nothing. Raises StepError."""
    run = lock_run(run_id)
    if run is None:
        return
    try:
        reserve_rows(run, TableConfig.model_validate(run.config), count)
    except TableRefused as refused:
        raise StepError("BUDGET_EXCEEDED_HARD", str(refused)) from refused


@dataclass(frozen=True, slots=True)
class _TableListing:
    """A table's rows as its sources list them."""

    topic: str
    engine: Engine
    request: RowsRequest
    listed: ListedRows
    read: ReadSources
    lists: tuple[SourceList, ...]
    stated: tuple[int, ...]  # how many there are, as each page says it
    fields: tuple[TableField, ...]  # that were given, first the one that says where a row is listed
    waits: bool  # for its owner's consent before anything is filled

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(row.name for row in self.listed.rows)

    @property
    def is_short(self) -> bool:
        """Lists name fewer rows than are wanted, as far as their number is known."""
        return len(self.names) < (self.request.count or max(self.stated, default=1))


async def _propose_rows(work: StepWork, paged: Sequence[PagedList]) -> StepResult:
    """Propose what the lists name as rows. A model names columns, and rows only if no list was found."""
    listing = await in_thread(lambda: _load_listing(work, paged))
    usage = StepUsage()
    if listing.engine is Engine.MODEL and listing.is_short:
        listing, usage = await _read_prose(work, listing)
    told = DecompositionPromptInput(listing.topic, listing.names)
    asked = await ask(work, told.question()) if listing.engine is Engine.MODEL else None
    found = _decompose(listing)
    if asked is not None and asked.answer is not None:
        found = _with_model(listing, sound(asked.answer, told))
    if not listing.waits:
        await in_tenant(work.tenant_id, lambda: _reserve(work.run_id, len(found.items)))

    def save() -> None:
        run = Run.objects.get(pk=work.run_id)
        config = set_rows(run, found.items, found.fields, found.template)
        open_section(run)
        outcome = RunOutcome(engine=listing.engine.value).model_dump(mode="json")
        Run.objects.filter(pk=run.pk).update(result=outcome, total_sections=1, report_version=1)
        run.refresh_from_db()
        cite_rows(run.pk, config, listing.listed.rows, listing.read)
        plan = plan_of(run.topic, config).model_copy(update={"risks": list(found.notes)})
        keep_version(run, with_estimate(plan, store_estimate(run, run.config)), PlanTrigger.PLANNER, "")

    output: JsonObject = {
        "items": len(found.items),
        "columns": len(found.fields),
        "sources": list(listing.listed.sources),
        "notes": list(found.notes),
        **(asked.note if asked else {}),
    }
    activity = f"Reading lists of {listing.request.phrase}"[:300]
    usage = usage + asked.usage if asked else usage
    return StepResult(output, save=save, activity=activity, usage=usage)


async def _read_prose(work: StepWork, listing: "_TableListing") -> tuple["_TableListing", StepUsage]:
    """Add what a model finds named in prose. Raises ModelError for a failure that a later try may mend."""
    texts = listing.read.texts
    passages = choose_passages(listing.request, texts)
    if not passages:
        return listing, StepUsage()
    asked = await ask(work, ask_for_members(listing.request, passages))
    if asked.answer is None:
        return listing, asked.usage
    found, refused = admit_members(asked.answer, texts, passages)
    merged = merge_lists(listing.request, [*listing.lists, *found], listing.stated)
    if refused:
        merged = replace(merged, notes=(*merged.notes, NAMES_REFUSED % refused))
    return replace(listing, listed=merged), asked.usage


def _load_listing(work: StepWork, paged: Sequence[PagedList]) -> _TableListing:
    with tenant_context(work.tenant_id):
        run = Run.objects.get(pk=work.run_id)
        config = TableConfig.model_validate(run.config)
        read = load_texts(work.tenant_id, find_sources(_read_sources(run)))
    request = request_of(run.topic)
    ordered = join_numbered_pages(paged, read)
    lists = list(join_pages(request, ordered, {text.key: text for text in read.texts}))
    counts = [read_stated_count(request, text) for text in read.texts]
    stated = tuple(count for count in counts if count)
    listed = merge_lists(request, lists, stated)
    if goes_on(request, [each for each in paged if each.pages[0] in listed.sources], read):
        listed = replace(listed, notes=(*listed.notes, GOES_ON))
    return _TableListing(
        topic=run.topic,
        engine=choose(config, work.tenant_id),
        request=request,
        listed=listed,
        read=read,
        lists=tuple(lists),
        stated=stated,
        fields=tuple(config.fields),
        waits=config.reviews != "never",
    )


def _decompose(listing: _TableListing) -> Decomposition:
    fields = listing.request.fields
    notes = (*listing.listed.notes, *(() if fields or len(listing.fields) > 1 else (NO_FIELDS,)))
    return _complete(listing, Decomposition(listing.names, listing.request.template, fields, notes))


def _with_model(listing: _TableListing, proposed: Decomposition) -> Decomposition:
    notes = (*listing.listed.notes, *(() if listing.names else (FROM_MEMORY,)), *proposed.notes)
    return _complete(listing, replace(proposed, notes=notes))


def _complete(listing: _TableListing, found: Decomposition) -> Decomposition:
    """With the columns that were given, or else those that the request asks for behind the one for the lists."""
    given = listing.fields
    asked = [field for field in found.fields if field.name != LISTED] if len(given) < 2 else []
    fields = (*given, *asked)[:MAX_FIELDS]
    return replace(found, fields=fields, template=found.template or INPUT)
