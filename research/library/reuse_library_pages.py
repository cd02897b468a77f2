"""Finds web pages whose bytes were read before, and returns what was read of them from the rows.

Reading a page takes some 20 ms of a processor, and most pages that a run finds again have not changed.
"""

from research.db.bulk_sql import rows_of
from research.library.library_frozen_text import document_of
from research.library.pages_saved_in_library import find_page_row
from research.library.prepare_library_documents import PreparedDocument, PreparedPassage
from research.library.store_library_documents import details_of, is_own
from research.models import Content, DocumentStatus, LibraryChunk, LibraryDocument
from research.parsing.parsed_document import BlockKind
from research.parsing.parsed_passage_chunks import ChunkDraft

READ = (DocumentStatus.READY, DocumentStatus.DUPLICATE)


def page_as_read(url: str, raw_sha256: str) -> LibraryDocument | None:
    """Return the saved page with its text if this version of the reader read it from these bytes. Needs the tenant
    set.
    """
    row = find_page_row(url)
    return row if row is not None and _is_reading_of(row, raw_sha256) else None


def _is_reading_of(row: LibraryDocument, raw_sha256: str) -> bool:
    """True if this version of the reader read the saved page from these bytes; its text is loaded then."""
    if row.status not in READ or row.content_id is None:
        return False
    rows = rows_of(Content, "WHERE id = %(id)s::uuid AND raw_sha256 = %(raw)s", {
        "id": str(row.content_id), "raw": raw_sha256,
    })  # fmt: skip
    if not rows or not is_own(rows[0].extractor):
        return False
    row.content = rows[0]
    return True


def find_known_reading(row: LibraryDocument | None, raw_sha256: str) -> PreparedDocument | None:
    """Return the prepared document that reading these bytes of a saved page would give, without details from the
    search; None if they must be read.

    Needs the tenant set.
    """
    if row is None or not _is_reading_of(row, raw_sha256):
        return None
    passages = list(row.passages.defer("embedding", "search"))
    if row.content is None or not passages:
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
