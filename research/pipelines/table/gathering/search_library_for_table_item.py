"""Look for one item in the library: documents that have it in their title, then those whose passages name it."""

from collections.abc import Sequence
from uuid import UUID

from citations.text.quote_normalizing import normalize
from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import StepWork
from research.extractive.question.parsed_question import analyse
from research.fetching.canonical_urls import documents_at
from research.library.rate_library_source import judge_of
from research.library.retrieval.hybrid_retrieval import QueryVector, cards, documents, rarity, retrieve
from research.library.retrieval.library_query_embedding import embed_library_query
from research.library.sources_from_library import source_address, source_row
from research.llm.call_types import Payer
from research.llm.model_errors import ModelError
from research.models import AgentRole, Content, LibraryDocument, Source, SourceStatus
from research.pipelines.common.pipeline_kept_values import KeptValues
from research.pipelines.report.collecting.add_report_sources import HEAVY_COLUMNS, refusal_of
from research.pipelines.table.finding.table_item_scope import is_address
from research.pipelines.table.gathering.store_table_sources import find_stored_sources, identify
from research.pipelines.table.gathering.table_item_mentions import longest_word, stands_in
from research.pipelines.table.gathering.table_item_mentions import names as is_named
from research.pipelines.table.items.table_items import AskedItem
from research.pipelines.table.table_config import TableConfig


def search_library(work: StepWork, item: AskedItem) -> list[Source]:
    """Return what the library has on an item, best first, as sources that are stored or not."""
    with tenant_context(work.tenant_id):
        matches = find_documents_by_title(item)
    rest = item.config.pages_per_item - len(matches)
    if rest > 0:
        matches = [*matches, *_by_passages(work, item, [document.pk for document in matches])[:rest]]
    return [identify(source, work.tenant_id) for source in sources_of(work, matches)]


def sources_of(work: StepWork, found: Sequence[LibraryDocument]) -> list[Source]:
    """Return the run's sources of documents.

    New ones are not saved, but weighed here, before the transaction, since their texts are read.
    """
    with tenant_context(work.tenant_id):
        judge, stored = (
            judge_of(work.run_id),
            find_stored_sources(work.run_id, list(map(source_address, found))),
        )
        return [
            stored.get(source_address(document))
            or judge.weigh(source_row(work.run_id, document, judge.rules, status=SourceStatus.PROCESSED))
            for document in found
        ]


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
