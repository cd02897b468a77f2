"""The run's registry of sources and chunks: filled from rows and from what pages are, never with a model's words.

The rows of a recipe's steps and of an agent's tools are made here alike: `source_row`, `page_row`, `chunk_rows`.
All of it needs the tenant set.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Max, QuerySet
from django.db.models.functions import Now

from citations.models import DomainRule
from citations.weighing.authority import classify_source, origin_domain
from citations.weighing.authority_rules import Rule
from research.governance.limits import most
from research.library.addresses import canonical_url
from research.library.folders import WEB
from research.models import Chunk, DocumentStatus, LibraryChunk, LibraryDocument, Run, Source, SourceStatus

MOST_CHUNKS = 100  # of one source that the table takes, whatever the settings say
# What a source keeps when its page is read at last: how it came into the run.
KEPT = ("created_at", "url", "canonical_url", "region", "relevance_score", "subtopic")
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


class RegistryFull(Exception):
    """The run has as many sources as it may."""


@dataclass(frozen=True, slots=True)
class FoundPage:
    """A page of the web that is to be read. `relevance` 0–1 is its fused rank; None for one that must be read."""

    url: str
    title: str = ""
    published: str = ""
    subtopic: str = ""
    relevance: float | None = None


def register_source(run_id: UUID, document: LibraryDocument) -> Source:
    """The document as the run's source, made or filled where it has no text yet. Raises RegistryFull."""
    known = _registered(run_id, source_address(document))
    if known is not None and known.content_id is not None:
        return known
    rules = DomainRule.objects.as_rules()
    if known is None:
        source = source_row(run_id, document, rules)
        _add(source)
        return source
    source = refilled(known, document, rules)
    source.save(force_update=True)
    return source


def refilled(
    known: Source,
    document: LibraryDocument,
    rules: Sequence[Rule],
    *,
    status: SourceStatus = SourceStatus.EXTRACTED,
) -> Source:
    """A source whose text has come at last, not saved yet: what the document says, and how it came into the run."""
    source = source_row(known.run_id, document, rules, status=status)
    source.pk = known.pk
    for name in KEPT:
        setattr(source, name, getattr(known, name))
    return source


def register_unread(
    run_id: UUID, page: FoundPage, code: str, message: str, status: SourceStatus = SourceStatus.FAILED
) -> None:
    """The page as a source that says why it has no text; one that has been read stays. Raises RegistryFull."""
    known = _registered(run_id, canonical_url(page.url))
    if known is None:
        known = page_row(run_id, page, DomainRule.objects.as_rules())
        _add(known)
    Source.objects.filter(pk=known.pk, content=None).update(
        status=status, error_code=code, error_message=message, updated_at=Now()
    )


def most_chunks() -> int:
    """Of one source."""
    return min(most("chunks"), MOST_CHUNKS)


def is_full(run_id: UUID) -> bool:
    """The run has as many sources as it may."""
    return Source.objects.filter(run_id=run_id).count() >= most("sources")


def _registered(run_id: UUID, address: str) -> Source | None:
    Run.objects.select_for_update().get(pk=run_id)  # one at a time: sources are counted
    return Source.objects.filter(run_id=run_id, canonical_url=address).first()


def _add(source: Source) -> None:
    if is_full(source.run_id):
        raise RegistryFull
    source.save()
    count = Source.objects.filter(run_id=source.run_id).count()
    Run.objects.filter(pk=source.run_id).update(sources_found=count)


def register_chunks(source: Source, passages: Iterable[LibraryChunk]) -> tuple[list[Chunk], int]:
    """The passages as chunks of the source, and how many are new."""
    Run.objects.select_for_update().get(pk=source.run_id)  # one at a time: chunks are numbered
    held = {_place(chunk): chunk for chunk in Chunk.objects.filter(source=source).defer("embedding")}
    last = Chunk.objects.filter(source=source).aggregate(last=Max("chunk_index"))["last"]
    following = 0 if last is None else last + 1
    wanted = {_place(passage): passage for passage in passages}
    room = max(0, most_chunks() - following)
    made = chunk_rows(source, [wanted[place] for place in wanted if place not in held][:room], following)
    Chunk.objects.bulk_create(made)
    chunks = held | {_place(chunk): chunk for chunk in made}
    return [chunks[place] for place in wanted if place in chunks], len(made)


def _place(passage: Chunk | LibraryChunk) -> tuple[int, int]:
    return passage.start_offset, passage.end_offset


def passages_of(document: LibraryDocument) -> QuerySet[LibraryChunk]:
    """An exact copy has those of its original, which stand in the same places of the same text."""
    is_copy = document.status == DocumentStatus.DUPLICATE and document.duplicate_of_id is not None
    holder = document.duplicate_of_id if is_copy else document.pk
    return LibraryChunk.objects.filter(document_id=holder).order_by("chunk_index")


def source_address(document: LibraryDocument) -> str:
    """What makes it one source of a run: a saved page's address, else the document's place."""
    return document.path if document.folder == WEB else f"library:{document.folder}/{document.path}"


def source_row(
    run_id: UUID,
    document: LibraryDocument,
    rules: Sequence[Rule],
    *,
    status: SourceStatus = SourceStatus.EXTRACTED,
    subtopic: str = "",
) -> Source:
    """A document as a source, not saved yet. Raises ValueError for one that has not been read."""
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


def page_row(run_id: UUID, page: FoundPage, rules: Sequence[Rule]) -> Source:
    """A page as a source that is still to be read, not saved yet."""
    kind = classify_source(url=page.url, title=page.title, rules=rules)
    return Source(
        run_id=run_id,
        url=page.url,
        canonical_url=canonical_url(page.url),
        domain=origin_domain(page.url)[:255],
        title=page.title,
        publisher=kind.publisher,
        published_date=page.published[:10],
        source_type=kind.source_type.value,
        tier=kind.tier,
        relevance_score=page.relevance,
        subtopic=page.subtopic[:300],
        status=SourceStatus.PENDING,
    )


def chunk_rows(source: Source, passages: Iterable[LibraryChunk], first: int = 0) -> list[Chunk]:
    """Passages as chunks of the source with indexes from `first`, not saved yet."""
    return [
        Chunk(
            run_id=source.run_id,
            source=source,
            chunk_index=index,
            **{name: getattr(passage, name) for name in COPIED},
        )
        for index, passage in enumerate(passages, start=first)
    ]
