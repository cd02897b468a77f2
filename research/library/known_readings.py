"""Finds web pages whose bytes were read before, and returns what was read of them from the rows.

Reading a page takes some 20 ms of a processor, and most pages that a run finds again have not changed.
"""

from research.db.bulk_sql import rows_of
from research.fetching.canonical_urls import canonical_url
from research.library.folders import WEB
from research.library.frozen_text import document_of
from research.library.prepare_documents import PreparedDocument, PreparedPassage
from research.library.store_documents import details_of, is_own
from research.models import Content, DocumentStatus, LibraryChunk, LibraryDocument
from research.parsing.parsed_document import BlockKind
from research.parsing.passage_chunks import ChunkDraft

READ = (DocumentStatus.READY, DocumentStatus.DUPLICATE)

AS_READ = """
JOIN research_content content ON content.id = one.content_id
WHERE one.folder = %(folder)s AND one.path = %(path)s AND one.status = ANY(%(statuses)s)
    AND content.raw_sha256 = %(raw)s
"""


def page_as_read(url: str, raw_sha256: str) -> LibraryDocument | None:
    """Return the saved page with its text if this version of the reader read it from these bytes. Needs the tenant
    set.
    """
    criteria: dict[str, str | list[str]] = {
        "folder": WEB,
        "path": canonical_url(url),
        "statuses": [str(status) for status in READ],
        "raw": raw_sha256,
    }
    rows = rows_of(LibraryDocument, AS_READ, criteria)
    if not rows:
        return None
    [row], [content] = rows, rows_of(Content, "WHERE id = %(id)s::uuid", {"id": str(rows[0].content_id)})
    row.content = content
    return row if is_own(content.extractor) else None


def find_known_reading(url: str, raw_sha256: str) -> PreparedDocument | None:
    """Return the prepared document that reading would give, without details from the search; None if it must be read.

    Needs the tenant set.
    """
    row = page_as_read(url, raw_sha256)
    passages = list(row.passages.defer("embedding", "search")) if row is not None else []
    if row is None or row.content is None or not passages:
        return None
    said, content = details_of(row), row.content
    return PreparedDocument(
        raw_sha256=content.raw_sha256,
        raw_key=content.raw_key,
        raw_size=content.raw_size,
        document=document_of(content, said),
        sha256=content.sha256,
        minhash=bytes(content.minhash),
        passages=tuple(map(_passage, passages)),
        word_count=content.word_count,
    )


def _passage(row: LibraryChunk) -> PreparedPassage:
    draft = ChunkDraft(
        index=row.chunk_index,
        start=row.start_offset,
        end=row.end_offset,
        section=row.section_header,
        kind=BlockKind(row.content_type),
        page=row.page_number,
        token_count=row.token_count,
    )
    return PreparedPassage(draft, row.text, row.text_hash)
