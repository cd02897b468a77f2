"""Pages of the web whose very bytes were read before: what was read of them, from the rows.

Reading a page costs some 20 ms of a processor, and most pages that a run finds again have not changed.
"""

from research.library.addresses import canonical_url
from research.library.folders import WEB
from research.library.frozen import document_of
from research.library.preparing import Passage, Prepared
from research.library.storing import details_of, is_own
from research.models import Content, DocumentStatus, LibraryChunk, LibraryDocument
from research.reading.chunks import ChunkDraft
from research.reading.document import BlockKind

READ = (DocumentStatus.READY, DocumentStatus.DUPLICATE)

# As it stands: Django takes longer to write a statement of so many columns than the server to answer it.
AS_READ = """
SELECT document.* FROM research_librarydocument document
    JOIN research_content content ON content.id = document.content_id
WHERE document.folder = %(folder)s AND document.path = %(path)s AND document.status = ANY(%(statuses)s)
    AND content.raw_sha256 = %(raw)s
"""


def page_as_read(url: str, raw_sha256: str) -> LibraryDocument | None:
    """The saved page with its text, where these bytes gave it and this version of the reader read them. Needs the
    tenant set.
    """
    wanted = {"folder": WEB, "path": canonical_url(url), "statuses": list(READ), "raw": raw_sha256}
    row = next(iter(LibraryDocument.objects.raw(AS_READ, wanted)), None)
    if row is None:
        return None
    row.content = Content.objects.raw("SELECT * FROM research_content WHERE id = %s", [row.content_id])[0]
    return row if is_own(row.content.extractor) else None


def known_reading(url: str, raw_sha256: str) -> Prepared | None:
    """The same as reading would give it, but for what search says of it. None: it has to be read. Needs the tenant
    set.
    """
    row = page_as_read(url, raw_sha256)
    passages = list(row.passages.defer("embedding", "search")) if row is not None else []
    if row is None or row.content is None or not passages:
        return None
    said, content = details_of(row), row.content
    return Prepared(
        raw_sha256=content.raw_sha256,
        raw_key=content.raw_key,
        raw_size=content.raw_size,
        document=document_of(content, said),
        sha256=content.sha256,
        minhash=bytes(content.minhash),
        passages=tuple(map(_passage, passages)),
        word_count=content.word_count,
    )


def _passage(row: LibraryChunk) -> Passage:
    draft = ChunkDraft(
        index=row.chunk_index,
        start=row.start_offset,
        end=row.end_offset,
        section=row.section_header,
        kind=BlockKind(row.content_type),
        page=row.page_number,
        token_count=row.token_count,
    )
    return Passage(draft, row.text, row.text_hash)
