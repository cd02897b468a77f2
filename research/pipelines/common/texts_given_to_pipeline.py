"""Texts given to a run instead of found by it: frozen, cut into passages and cited like all others."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from citations.credibility.source_authority import classify_source, origin_domain
from citations.models import DomainRule
from research.library.prepare_library_documents import PreparedDocument, PreparedPassage
from research.library.rate_library_source import judge_of
from research.library.sources_from_library import MAX_CHUNKS
from research.library.store_library_documents import keep_content
from research.models import Chunk, ContentType, Run, Source, SourceStatus, SourceType
from research.models.base_models import new_id
from research.parsing.chunking import cut
from research.parsing.detect_language import detect_language
from research.parsing.parsed_document import ReadDocument


@dataclass(frozen=True, slots=True)
class GivenText:
    """A text with its metadata. `address`, a URL or a name, identifies it as one source of the run."""

    address: str
    document: ReadDocument
    title: str
    url: str = ""
    author: str = ""
    publisher: str = ""
    published: str = ""  # ISO 8601, as precise as known
    source_type: SourceType | None = None  # None: derived from its address and publisher
    relevance: float | None = None  # 0–1
    left_out: str = ""  # the reason why it is not used; empty if it is


def prepare_text(text: GivenText) -> PreparedDocument:
    """Cut the text into passages and sign it, without storing it. No bytes are kept, since it came as text."""
    words = text.document.text
    sha = hashlib.sha256(words.encode()).hexdigest()
    read = replace(text.document, language=detect_language(words))
    made = cut(read)
    return PreparedDocument(
        raw_sha256=sha,
        raw_key="",
        raw_size=len(words.encode()),
        document=read,
        sha256=sha,
        minhash=made.minhash,
        passages=tuple(
            PreparedPassage(
                chunk,
                words[chunk.start : chunk.end],
                hashlib.sha256(words[chunk.start : chunk.end].encode()).hexdigest(),
            )
            for chunk in made.chunks
        ),
        word_count=read.word_count,
    )


def keep_texts(run_id: UUID, texts: Sequence[tuple[GivenText, PreparedDocument]]) -> list[Source]:
    """Store the texts as sources of the run and return these in the same order.

    Runs inside the transaction that ends a step.
    """
    rules, judge = DomainRule.objects.as_rules(), judge_of(run_id)
    rows = []
    for text, read in texts:
        content = keep_content(read)
        kind = classify_source(
            url=text.url, publisher=text.publisher, author=text.author, title=text.title, rules=rules
        )
        row = Source(
            id=new_id(),
            run_id=run_id,
            content=content,
            url=text.url,
            final_url=text.url,
            canonical_url=text.address,
            domain=origin_domain(text.url)[:255] if text.url else "",
            title=text.title,
            author=text.author,
            publisher=text.publisher or kind.publisher,
            published_date=text.published[:10],
            content_hash=content.sha256,
            source_type=(text.source_type or SourceType(kind.source_type.value)).value,
            tier=kind.tier,
            language=content.language,
            relevance_score=text.relevance,
            status=SourceStatus.EXCLUDED if text.left_out else SourceStatus.PROCESSED,
            error_message=text.left_out,
            media_type=content.media_type,
            word_count=content.word_count,
        )
        rows.append(judge.weigh(row))
    Source.objects.bulk_create(rows)
    Chunk.objects.bulk_create(
        _chunk(row, passage)
        for row, (text, read) in zip(rows, texts, strict=True)
        if not text.left_out
        for passage in read.passages[:MAX_CHUNKS]
    )
    used = sum(not text.left_out for text, _read in texts)
    Run.objects.filter(pk=run_id).update(sources_found=len(rows), sources_processed=used)
    return rows


def _chunk(source: Source, passage: PreparedPassage) -> Chunk:
    draft = passage.draft
    return Chunk(
        run_id=source.run_id,
        source=source,
        chunk_index=draft.index,
        text=passage.text,
        text_hash=passage.text_hash,
        start_offset=draft.start,
        end_offset=draft.end,
        token_count=max(1, draft.token_count),
        section_header=draft.section[:500],
        content_type=ContentType(draft.kind.value),
    )
