"""Freeze cited pages as sources of the run: the words of the excerpts, or the page itself if the library has it.

A brief fetches nothing. If the tenant's library has a copy of a cited page, the quotes are looked up in it: those found
are cited at their position; those not found are rejected as evidence, and reported.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.utils import timezone

from citations.anchoring import Span, anchor
from citations.credibility.source_authority import classify_source, origin_domain
from citations.dates.find_dates import find_times, read_date
from research.fetching.canonical_urls import find_by_url
from research.library.library_frozen_text import blocks_of
from research.library.prepare_library_documents import PreparedDocument
from research.library.rate_library_source import Judge
from research.library.sources_from_library import chunk_rows, most_chunks, source_row
from research.library.store_library_documents import keep_content
from research.models import (
    Chunk,
    Content,
    ContentType,
    LibraryChunk,
    LibraryDocument,
    Source,
    SourceStatus,
)
from research.parsing.frozen_text_builder import TextBuilder
from research.parsing.parsed_document import BlockKind, ReadDocument
from research.parsing.parsed_near_duplicates import signature
from research.parsing.parsed_quotable_text import quotable
from research.pipelines.brief.brief_evidence import DropReason, EvidencePage, SiftedEvidence
from research.pipelines.brief.stored_brief import StoredEvidence

EXCERPTS_ONLY = "These are excerpts as they were quoted in the task’s result; the page itself was not read."
NOT_THERE = "The words that are quoted from it do not stand in the copy of this page that the library holds."
DROPPED: Mapping[DropReason, str] = {
    DropReason.NO_ADDRESS: "It has no address of a web page.",
    DropReason.TOO_LITTLE: "What is quoted from it is too short, or has too little to do with the answer.",
}
NO_WORDS = "It was cited without any words of it."


@dataclass(frozen=True, slots=True)
class FrozenPage:
    """A page as it will be stored. `read` is None if its text is already in the library."""

    source: Source
    read: PreparedDocument | None
    places: tuple[tuple[Span, str], ...]  # positions of the quotes, each with its section
    chunks: tuple[LibraryChunk, ...] = ()
    lost: tuple[str, ...] = ()  # quotes that the copy does not contain


@dataclass(frozen=True, slots=True)
class Shelf:
    """The pages frozen for a run. Needs the tenant set while it is built and while it is stored."""

    run_id: UUID
    judge: Judge
    kept: tuple[FrozenPage, ...]
    dropped: tuple[Source, ...]

    @property
    def copies(self) -> dict[str, str]:
        """Return the hashes of the library texts in which quotes were looked up, by address."""
        sources = (page.source for page in self.kept if page.read is None)
        return {source.canonical_url: source.content_hash for source in sources}

    @property
    def not_found(self) -> list[str]:
        return [text for page in self.kept for text in page.lost]

    @property
    def unchecked_count(self) -> int:
        return sum(page.read is not None for page in self.kept)

    def evidence(self) -> list[StoredEvidence]:
        """Return the evidence ordered by relevance of its page; within a page, in the order of its text."""
        cited = [(page, span) for page in self.kept for span, _ in page.places]
        return [
            StoredEvidence(
                number=number,
                source=frozen_page.source.canonical_url,
                start=span.start,
                end=span.end,
                relevance=frozen_page.source.relevance_score or 0.0,
            )
            for number, (frozen_page, span) in enumerate(cited, start=1)
        ]

    def store(self) -> None:
        """Store the pages in the transaction that ends the step. Idempotent."""
        for page in self.kept:
            source = page.source
            if page.read is not None:
                source.content = keep_content(page.read)
            if not Source.objects.filter(run_id=self.run_id, canonical_url=source.canonical_url).exists():
                source.save(force_insert=True)
                Chunk.objects.bulk_create(_chunks(page))
        Source.objects.bulk_create(self.dropped, ignore_conflicts=True)


def shelve(run_id: UUID, sifted: SiftedEvidence, links: Mapping[str, str], judge: Judge) -> Shelf:
    """Freeze the sifted pages. `links`: titles by canonical address of all cited pages."""
    kept = [_freeze_page(run_id, page, judge) for page in sifted.kept]
    named = {page.key for page in (*sifted.kept, *(dropped_page for dropped_page, _ in sifted.dropped))}
    dropped = [
        _build_excluded_source(run_id, page, DROPPED[why], judge) for page, why in sifted.dropped if page.key
    ]
    bare = [
        EvidencePage(key, key, title, (), 0.0) for key, title in links.items() if key and key not in named
    ]
    dropped += [_build_excluded_source(run_id, page, NO_WORDS, judge) for page in bare]
    return Shelf(run_id, judge, tuple(kept), tuple(dropped))


def _freeze_page(run_id: UUID, page: EvidencePage, judge: Judge) -> FrozenPage:
    copy = find_by_url(page.url)
    if copy is not None and copy.content is not None:
        return _in_copy(run_id, page, copy, copy.content, judge)
    return _from_excerpts(run_id, page, judge)


def _in_copy(
    run_id: UUID, page: EvidencePage, copy: LibraryDocument, content: Content, judge: Judge
) -> FrozenPage:
    text = quotable(content.text, blocks_of(content))
    anchored = [(passage.text, anchor(passage.text, text)) for passage in page.passages]
    spans = [found.span for _, found in anchored if found is not None]
    source = source_row(run_id, copy, judge.rules, status=SourceStatus.PROCESSED)
    source.canonical_url, source.relevance_score = page.key, page.relevance
    if not spans:
        source.status, source.error_message = SourceStatus.EXCLUDED, NOT_THERE
    chunks = [chunk for span in spans if (chunk := _passage_at(copy, span)) is not None]
    return FrozenPage(
        source=judge.weigh(source),
        read=None,
        places=tuple((span, "") for span in dict.fromkeys(spans)),
        chunks=tuple({chunk.pk: chunk for chunk in chunks}.values()),
        lost=tuple(words for words, found in anchored if found is None),
    )


def _passage_at(copy: LibraryDocument, span: Span) -> LibraryChunk | None:
    around = copy.passages.filter(start_offset__lte=span.start, end_offset__gt=span.start)
    return around.filter(chunk_index__lt=most_chunks()).order_by("chunk_index").first()


def _from_excerpts(run_id: UUID, page: EvidencePage, judge: Judge) -> FrozenPage:
    builder, places = TextBuilder(), []
    builder.add_heading(page.title or page.url, 1)
    for passage in page.passages[: most_chunks()]:
        named = " · ".join(
            filter(None, (passage.title if passage.title != page.title else "", passage.context))
        )
        if named:
            builder.add_heading(named, 2)
        block = builder.add(BlockKind.PARAGRAPH, passage.text)
        if block is not None:
            places.append((Span(block.start, block.end), named))
    document = ReadDocument(
        builder.text,
        "text/plain",
        title=page.title,
        url=page.url,
        blocks=tuple(builder.blocks),
        notes=(EXCERPTS_ONLY,),
    )
    read = prepare_text(document, page.words)
    source = _row(run_id, page, judge)
    source.status, source.content_hash = SourceStatus.PROCESSED, read.sha256
    source.word_count, source.media_type = read.word_count, "text/plain"
    source.processed_at = timezone.now()
    return FrozenPage(judge.weigh(source), read, tuple(places))


def prepare_text(document: ReadDocument, words: str) -> PreparedDocument:
    """Return a text composed here as a prepared document: its bytes are the text itself, and no object is stored.

    The signature covers only the quoted `words`, so that one text under two titles counts as one origin.
    """
    data = document.text.encode()
    digest = hashlib.sha256(data).hexdigest()
    return PreparedDocument(
        raw_sha256=digest,
        raw_key="",
        raw_size=len(data),
        document=document,
        sha256=digest,
        minhash=signature(words).tobytes(),
        passages=(),
        word_count=document.word_count,
    )


def date_in(title: str) -> str:
    """Return the date at the end of a title, as ISO 8601 with the parts it names; empty if there is none.

    >>> date_in("WHO: Noise in cities (2023)"), date_in("Liu et al., NEJM, 2022"), date_in("Plans for 2030")
    ('2023', '2022', '')
    >>> date_in("Dryer Review: Payback table (March 2025)"), date_in("Sicherheit im Netz, 3. Mai 2019")
    ('2025-03', '2019-05-03')
    """
    found = re.search(r"(?:\(([^()]+)\)|,\s([^,()]+))$", title.strip())
    words = (found[1] or found[2]).strip() if found else ""
    times = find_times(words)
    return (read_date(words) or "") if len(times) == 1 and times[0].text == words else ""


def _row(run_id: UUID, page: EvidencePage, judge: Judge) -> Source:
    kind = classify_source(url=page.url, title=page.title, rules=judge.rules)
    return Source(
        run_id=run_id,
        url=page.url,
        final_url=page.url,
        canonical_url=page.key,
        domain=origin_domain(page.url)[:255],
        title=page.title,
        publisher=kind.publisher,
        published_date=date_in(page.title),
        source_type=kind.source_type.value,
        tier=kind.tier,
        relevance_score=min(1.0, max(0.0, page.relevance)),
    )


def _build_excluded_source(run_id: UUID, page: EvidencePage, reason: str, judge: Judge) -> Source:
    source = _row(run_id, page, judge)
    source.status, source.error_message = SourceStatus.EXCLUDED, reason
    return source


def _chunks(page: FrozenPage) -> Sequence[Chunk]:
    if page.read is None:
        return chunk_rows(page.source, page.chunks)
    return list(_excerpt_chunks(page))


def _excerpt_chunks(page: FrozenPage) -> Iterator[Chunk]:
    """Yield a passage for each excerpt, since only excerpts can be cited."""
    for index, (span, section) in enumerate(page.places):
        text = page.source.text[span.start : span.end]
        yield Chunk(
            run_id=page.source.run_id,
            source=page.source,
            chunk_index=index,
            text=text,
            text_hash=hashlib.sha256(text.encode()).hexdigest(),
            start_offset=span.start,
            end_offset=span.end,
            token_count=max(1, min(1000, len(text.split()))),
            section_header=section[:500],
            content_type=ContentType.QUOTE,
        )
