"""The run's registry of sources and chunks: filled from the library's rows, never with a model's words."""

from collections.abc import Iterable, Sequence
from uuid import UUID

from django.db.models import Max

from citations.authority import classify_source, origin_domain
from citations.authority_rules import Rule
from citations.models import DomainRule
from research.models import Chunk, LibraryChunk, LibraryDocument, Run, Source, SourceStatus

MOST_CHUNKS = 100  # of one source (spec: data-model.md, Chunk)
MOST_SOURCES = 500  # of a run (spec: governance.md, Limits)
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


def register_source(run_id: UUID, document: LibraryDocument) -> Source:
    """The document as the run's source, made where it is new. Raises RegistryFull. Needs the tenant set."""
    Run.objects.select_for_update().get(pk=run_id)  # one at a time: the limit is counted
    known = Source.objects.filter(run_id=run_id, canonical_url=canonical_url(document)).first()
    if known is not None:
        return known
    count = Source.objects.filter(run_id=run_id).count()
    if count >= MOST_SOURCES:
        raise RegistryFull
    source = source_row(run_id, document, DomainRule.objects.as_rules())
    source.save()
    Run.objects.filter(pk=run_id).update(sources_found=count + 1)
    return source


def register_chunks(source: Source, passages: Iterable[LibraryChunk]) -> tuple[list[Chunk], int]:
    """The passages as chunks of the source, and how many are new. Needs the tenant set and the run locked."""
    held = {_place(chunk): chunk for chunk in Chunk.objects.filter(source=source).defer("embedding")}
    last = Chunk.objects.filter(source=source).aggregate(last=Max("chunk_index"))["last"]
    following = 0 if last is None else last + 1
    wanted = {_place(passage): passage for passage in passages}
    new = [passage for place, passage in wanted.items() if place not in held][: MOST_CHUNKS - following]
    made = [_chunk(source, passage, following + number) for number, passage in enumerate(new)]
    Chunk.objects.bulk_create(made)
    chunks = held | {_place(chunk): chunk for chunk in made}
    return [chunks[place] for place in wanted if place in chunks], len(made)


def _place(passage: Chunk | LibraryChunk) -> tuple[int, int]:
    return passage.start_offset, passage.end_offset


def canonical_url(document: LibraryDocument) -> str:
    return f"library:{document.folder}/{document.path}"


def source_row(run_id: UUID, document: LibraryDocument, rules: Sequence[Rule]) -> Source:
    """Not saved yet."""
    content = document.content
    assert content is not None  # noqa: S101 - documents that can be found have been read
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
        canonical_url=canonical_url(document),
        domain=origin_domain(document.url) if document.url else "",
        title=document.title or document.path,
        author=document.author,
        publisher=document.publisher or kind.publisher,
        published_date=document.published_date,
        modified_date=document.modified_date,
        content_hash=content.sha256,
        source_type=kind.source_type.value,
        tier=kind.tier,
        language=content.language,
        status=SourceStatus.EXTRACTED,
        media_type=content.media_type,
        word_count=content.word_count,
        has_paywall=content.has_paywall,
    )


def _chunk(source: Source, passage: LibraryChunk, index: int) -> Chunk:
    copied = {name: getattr(passage, name) for name in COPIED}
    return Chunk(run_id=source.run_id, source=source, chunk_index=index, **copied)
