"""Looking for one item in the library: documents that have it in their title, then those whose passages name it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

from citations.text.quote_normalizing import normalize
from research.db.bulk_sql import insert_rows, update_rows
from research.db.tenancy import tenant_context
from research.engine.batch_save import BatchSave
from research.engine.pipeline_registry import Following, StepDraft, StepResult, StepWork
from research.extractive.question.parsed_question import analyse
from research.fetching.canonical_urls import documents_at
from research.library.rate_library_source import judge_of
from research.library.retrieval.hybrid_retrieval import QueryVector, cards, documents, rarity, retrieve
from research.library.retrieval.library_query_embedding import embed_library_query
from research.library.sources_from_library import source_address, source_row
from research.llm.call_types import Payer
from research.llm.model_errors import ModelError
from research.models import AgentRole, Content, Item, LibraryDocument, Source, SourceStatus
from research.pipelines.common.pipeline_kept_values import KeptValues
from research.pipelines.report.collecting.add_report_sources import HEAVY_COLUMNS, refusal_of
from research.pipelines.table.finding.table_item_scope import is_address
from research.pipelines.table.gathering.table_item_mentions import longest_word, stands_in
from research.pipelines.table.gathering.table_item_mentions import names as is_named
from research.pipelines.table.items.table_item_lanes import open_further
from research.pipelines.table.items.table_item_steps import begins_in_library, build_filling_step, web_step
from research.pipelines.table.items.table_items import AskedItem, read_item
from research.pipelines.table.table_config import TableConfig


def search_library(work: StepWork) -> StepResult:
    with tenant_context(work.tenant_id):
        item = read_item(work)
        matches, missing = find_documents_by_title(item), find_missing_pages(item)
        rest = item.config.pages_per_item - len(matches)
    if rest > 0:
        matches = [*matches, *_by_passages(work, item, [document.pk for document in matches])[:rest]]
    is_enough = not missing and len(matches) >= item.config.pages_per_item
    next_ = next_step(item, str(work.input["name"]), is_enough=is_enough)
    titles = [document.title or document.path for document in matches]
    return StepResult(
        {"item": item.input, "documents": titles},
        follow=BatchSave(
            follow_found, GatheredSources(work, item, sources_of(work, matches), lambda _: Following([next_]))
        ),
        activity=f"Looking for “{item.input}”"[:300],
    )


def next_step(item: AskedItem, name: str, *, is_enough: bool) -> StepDraft:
    """Return the item's next step: a web search if it is allowed and the library has too little, else the filling."""
    if item.config.uses_web and not is_enough:
        return web_step(name, item.index)
    return build_filling_step(item.index, name, by_model=item.is_by_model)


def sources_of(work: StepWork, found: Sequence[LibraryDocument]) -> list[Source]:
    """Return the run's sources of documents.

    New ones are not saved, but weighed here, before the transaction, since their texts are read.
    """
    with tenant_context(work.tenant_id):
        judge, addresses = judge_of(work.run_id), map(source_address, found)
        stored = Source.objects.filter(run_id=work.run_id, canonical_url__in=list(addresses))
        by_address = {row.canonical_url: row for row in stored}
        return [
            by_address.get(source_address(document))
            or judge.weigh(source_row(work.run_id, document, judge.rules, status=SourceStatus.PROCESSED))
            for document in found
        ]


@dataclass(frozen=True, slots=True)
class GatheredSources:
    """Sources found for an item, not saved yet, and the follow-up to run once they are stored."""

    work: StepWork
    item: AskedItem
    rows: Sequence[Source]
    then: Callable[[Sequence[Source]], Following]


def follow_found(batch: Sequence[GatheredSources]) -> list[Sequence[Following]]:
    """Store the sources of items of one run and return what follows for each. Needs the run's row locked."""
    return follow_gathered(batch, add_sources(batch))


def follow_gathered(
    batch: Sequence[GatheredSources], stored: Sequence[Sequence[Source]]
) -> list[Sequence[Following]]:
    """Return what follows for items of one run whose sources are stored, the lanes that they open with the first.
    Needs the run's row locked.
    """
    ways = [[gathered.then(theirs)] for gathered, theirs in zip(batch, stored, strict=True)]
    in_library = begins_in_library(batch[0].item.config)
    ways[0] += open_further([gathered.work for gathered in batch], in_library=in_library)
    return [*ways]


def add_sources(batch: Sequence[GatheredSources]) -> list[list[Source]]:
    """Store sources of the run and append them to those of their items; items may share them.

    Returns the stored sources of each item, without their texts.
    """
    rows = [row for sources in batch for row in sources.rows]
    insert_rows(rows, unless_there=True)
    addresses = [row.canonical_url for row in rows]
    stored = Source.objects.filter(run_id=batch[0].work.run_id, canonical_url__in=addresses)
    by_address = {source.canonical_url: source for source in stored.only("canonical_url", "url", "status")}
    theirs = [
        [by_address[row.canonical_url] for row in sources.rows if row.canonical_url in by_address]
        for sources in batch
    ]
    items = [_with(gathered.item, each) for gathered, each in zip(batch, theirs, strict=True)]
    update_rows(items, ["sources"])
    return theirs


def _with(item: AskedItem, found: Sequence[Source]) -> Item:
    ids = dict.fromkeys([*map(str, item.sources), *(str(source.pk) for source in found)])
    return Item(pk=item.pk, sources=list(ids))


def find_missing_pages(item: AskedItem) -> list[str]:
    """Return the pages that must be read and that the library has no copy of. Needs the tenant set."""
    rows = documents(item.config.scope)
    return [url for url in _pages(item) if next(documents_at(url, rows), None) is None]


def _pages(item: AskedItem) -> list[str]:
    """Return the pages that must be read, and the item itself where it is an address."""
    is_page = is_address(item.input) and not item.config.refusal(item.input)
    return [*item.config.must_read, *([item.input.strip()] if is_page else [])]


def find_documents_by_title(item: AskedItem) -> list[LibraryDocument]:
    """Return the documents whose title is the item, or has it as whole words, the shortest title first.

    Documents that must be read come before all others.
    """
    rows = documents(item.config.scope).select_related("content").defer(*HEAVY_COLUMNS)
    titled = rows.filter(title__icontains=longest_word(item.input))
    named = [row for row in titled if is_named(row.title, item.input) and not refusal_of(row, item.config)]
    must = list(rows.filter(pk__in=item.config.documents)) if item.config.documents else []
    must += [document for url in _pages(item) for document in documents_at(url, rows)]
    ranked = sorted(named, key=lambda row: (normalize(row.title) != normalize(item.input), len(row.title)))
    chosen = {row.pk: row for row in (*must, *ranked)}
    return list(chosen.values())[: max(len(must), item.config.pages_per_item)]


def _by_passages(work: StepWork, item: AskedItem, known: Sequence[UUID]) -> list[LibraryDocument]:
    query = " ".join([item.input, *(field.title for field in item.fields)])[:1_000]
    return find_documents_by_passages(work, item, query, known)


def find_documents_by_passages(
    work: StepWork, item: AskedItem, query: str, known: Sequence[UUID], names: Sequence[str] = ()
) -> list[LibraryDocument]:
    """Return the documents whose text has the item or one of its other `names`, those with the best passages first."""
    found = rank_documents(work, item.config, query, item.input, known)
    with tenant_context(work.tenant_id):
        texts = _normal_texts.get([document.content_id for document in found], _load_normal_texts)
    called = (item.input, *names)
    return [
        document
        for document in found
        if any(stands_in(texts.get(document.content_id, ""), name) for name in called)
    ]


def rank_documents(
    work: StepWork, config: TableConfig, query: str, meant: str, known: Sequence[UUID] = ()
) -> list[LibraryDocument]:
    """Return the documents with the best passages for a query, best first, without those that are `known`.

    `meant` are the words whose meaning is compared.
    """
    meaning = _embed_query(meant, work)
    with tenant_context(work.tenant_id):
        scope, question = config.scope, analyse(query)
        rare = rarity(question, scope)
        hits = retrieve(question, meaning, scope, known=cards(scope), rare=rare)
        ranked = [pk for pk in dict.fromkeys(hit.document for hit in hits) if pk not in known]
        rows = LibraryDocument.objects.select_related("content").defer(*HEAVY_COLUMNS).in_bulk(ranked[:20])
    return [rows[pk] for pk in ranked if pk in rows and not refusal_of(rows[pk], config)]


MAX_KEPT = 10_000_000  # characters of the texts that are kept
_normal_texts = KeptValues[UUID | None, str](MAX_KEPT, len)  # by the content, which never changes


def _load_normal_texts(contents: Sequence[UUID | None]) -> dict[UUID | None, str]:
    rows = Content.objects.filter(pk__in=[pk for pk in contents if pk]).values_list("pk", "text")
    return {pk: normalize(text) for pk, text in rows}


def _embed_query(query: str, work: StepWork) -> QueryVector | None:
    """Return the vector of a query, or None if the model fails: passages are then found by words alone."""
    try:
        return embed_library_query(query, Payer(work, AgentRole.RESEARCHER))
    except ModelError:
        return None
