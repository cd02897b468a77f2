"""Builds the unsaved sources and chunks of a run from documents and pages, for steps and agents' tools.

All functions need the tenant set.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import QuerySet

from citations.credibility.source_authority import SourceClass, classify_source, origin_domain
from citations.credibility.source_authority_rules import AuthorityRule
from research.fetching.canonical_urls import canonical_url
from research.llm.budgets.budget_limits import most
from research.models import (
    Chunk,
    LibraryChunk,
    LibraryDocument,
    Source,
    SourceStatus,
    SourceType,
)

MAX_CHUNKS = 100  # per source at most, whatever the settings say
# Fields that a source keeps when its page is read later: they record how it was found.
KEPT = ("created_at", "url", "canonical_url", "region", "relevance_score", "subtopic", "must_read")
COPIED = (
    "text",
    "text_hash",
    "start_offset",
    "end_offset",
    "token_count",
    "page_number",
    "boxes",
    "section_header",
    "content_type",
    "is_quote",
    "quote_attribution",
    "entities",
    "embedding_model",
    "embedding",
)


@dataclass(frozen=True, slots=True)
class FoundPage:
    """A web page to be read. `relevance` 0–1 is its fused rank; None for a page that must be read."""

    url: str
    title: str = ""
    published: str = ""
    subtopic: str = ""
    relevance: float | None = None
    must_read: bool = False
    full_text: str = ""  # URL of an open-access copy
    kind: SourceType = SourceType.OTHER  # from the metadata of the provider that found it


def source_address(document: LibraryDocument) -> str:
    """Return the identifier of a document among a run's sources: a page's URL, else its folder and path."""
    return document.path if document.is_page else f"library:{document.folder}/{document.path}"


def source_row(
    run_id: UUID,
    document: LibraryDocument,
    rules: Sequence[AuthorityRule],
    *,
    status: SourceStatus = SourceStatus.EXTRACTED,
    subtopic: str = "",
) -> Source:
    """Build the source of a document. Raises ValueError for one that has not been read."""
    content = document.content
    if content is None:
        raise ValueError(f"{document.path} has not been read")
    kind = classify_source(
        url=document.url,
        publisher=document.publisher,
        author=document.author,
        title=document.title,
        rules=rules,
    )
    return Source(
        run_id=run_id,
        library_document=document,
        content=content,
        url=document.url,
        final_url=document.url,
        canonical_url=source_address(document),
        domain=origin_domain(document.url)[:255] if document.url else "",
        title=document.title or document.path,
        author=document.author,
        publisher=document.publisher or kind.publisher,
        syndicated_from=document.syndicated_from,
        published_date=document.published_date,
        modified_date=document.modified_date,
        content_hash=content.sha256,
        source_type=kind.source_type.value,
        tier=kind.tier,
        language=content.language,
        status=status,
        media_type=content.media_type,
        word_count=content.word_count,
        has_paywall=content.has_paywall,
        has_tables=bool(content.tables),
        table_count=len(content.tables),
        subtopic=subtopic,
    )


def page_row(run_id: UUID, page: FoundPage, rules: Sequence[AuthorityRule]) -> Source:
    """Build the source of a page that has not been read yet."""
    kind = classify_source(url=page.url, title=page.title, rules=rules)
    return Source(
        run_id=run_id,
        url=page.url,
        final_url=page.full_text,
        canonical_url=canonical_url(page.url),
        domain=origin_domain(page.url)[:255],
        title=page.title,
        publisher=kind.publisher,
        published_date=page.published[:10],
        source_type=select_source_type(kind, page.kind),
        tier=kind.tier,
        relevance_score=page.relevance,
        subtopic=page.subtopic[:300],
        must_read=page.must_read,
        status=SourceStatus.PENDING,
    )


def chunk_rows(source: Source, passages: Iterable[LibraryChunk], first: int = 0) -> list[Chunk]:
    """Build the chunks of a source from its passages, with indexes from `first`."""
    return [
        Chunk(
            run_id=source.run_id,
            source=source,
            chunk_index=index,
            **{name: getattr(passage, name) for name in COPIED},
        )
        for index, passage in enumerate(passages, start=first)
    ]


def refill_source(
    known: Source,
    document: LibraryDocument,
    rules: Sequence[AuthorityRule],
    *,
    status: SourceStatus = SourceStatus.EXTRACTED,
) -> Source:
    """Fill a source whose text has arrived, without saving it: the document's details, and how the source was found."""
    source = source_row(known.run_id, document, rules, status=status)
    source.pk = known.pk
    for name in KEPT:
        setattr(source, name, getattr(known, name))
    if source.source_type == SourceType.OTHER:
        source.source_type = known.source_type
    return source


def select_source_type(found: SourceClass, said: str) -> SourceType:
    """Return the type that the source's URL and metadata indicate, else the one that its finder gave.

    An index of scholarly works, for example, gives a type for each work.
    """
    kind = SourceType(found.source_type.value)
    return SourceType(said) if kind is SourceType.OTHER else kind


def passages_of(document: LibraryDocument) -> QuerySet[LibraryChunk]:
    return document.passages


def most_chunks() -> int:
    """Return the most chunks that one source may have."""
    return min(most("chunks"), MAX_CHUNKS)
