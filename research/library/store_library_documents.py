"""Stores the result of reading a document in the tables, in one transaction."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from operator import attrgetter
from typing import Any

from django.utils.text import Truncator

from citations.credibility.source_authority import classify_source
from citations.models.domain_rule_models import rules_of
from research.db.bulk_sql import insert_rows, rows_of, update_rows
from research.db.tenancy import current_tenant_id
from research.library.duplicate_library_documents import (
    DocumentText,
    KnownSignatures,
    Original,
    find_originals,
)
from research.library.library_manifest import DETAIL_NAMES, Details
from research.library.prepare_library_documents import PreparedDocument, PreparedPassage, UnreadableDocument
from research.library.retrieval.passage_embedding import PassageVectors
from research.library.scan_library_folder import FoundFile
from research.models import Content, ContentType, DocumentStatus, LibraryChunk, LibraryDocument
from research.parsing.parsed_document import EXTRACTOR_VERSION, fields_of
from research.runtime.fault_injection import FaultPoint, crash_point

EXTRACTOR = f"plumbline {EXTRACTOR_VERSION}"
ROWS_AT_ONCE = 200
LONG = frozenset({"text", "blocks", "pages"})  # of a text that is only searched


class RowTaken(Exception):
    """Another transaction has made a row for the document in the meantime. Nothing of it was stored in this one."""


@dataclass(frozen=True, slots=True)
class NewReading:
    """A document that was read, and the row that its text is stored for."""

    row: LibraryDocument
    file: FoundFile
    read: PreparedDocument
    vectors: PassageVectors


def store_readings(
    readings: Sequence[NewReading], known: Mapping[str, KnownSignatures] | None = None
) -> list[Original | None]:
    """Store new texts and their passages for their rows; earlier texts stay for the runs that cite them.

    Return the original of each if it is a copy. An exact copy gets no passages, because they would be found twice.
    `known`: signatures of the documents' folders, to which theirs are added. Raises RowTaken.
    """
    originals: dict[int, Original | None] = {}
    left = list(range(len(readings)))
    while left:
        # Of several with one row, one text or the same bytes, each is compared with those before it.
        seen: set[object] = set()
        group = []
        for place in left:
            reading = readings[place]
            marks = {reading.row.pk, reading.read.sha256, reading.read.raw_sha256}
            if seen.isdisjoint(marks):
                group.append(place)
            seen |= marks
        originals |= zip(group, _store_distinct([readings[place] for place in group], known), strict=True)
        left = [place for place in left if place not in originals]
    return [originals[place] for place in range(len(readings))]


def _store_distinct(
    readings: Sequence[NewReading], known: Mapping[str, KnownSignatures] | None
) -> list[Original | None]:
    contents = keep_contents(
        [reading.read for reading in readings],
        are_new=all(reading.row._state.adding for reading in readings),
    )
    originals = find_originals(
        [
            DocumentText(reading.row, reading.read.sha256, reading.read.minhash, reading.read.word_count)
            for reading in readings
        ],
        known,
    )
    for reading, original in zip(readings, originals, strict=True):
        if known and original is None and (signatures := known.get(reading.row.folder)):
            signatures.add(reading.row.pk, reading.read.minhash)
    changes = [
        _change(reading, content, original)
        for reading, content, original in zip(readings, contents, originals, strict=True)
    ]
    new = sorted(
        (change.reading.row for change in changes if change.is_new), key=attrgetter("folder", "path")
    )
    if insert_rows(new, unless_there=True) < len(new):
        raise RowTaken
    update_rows([change.reading.row for change in changes if not change.is_new])
    passages: list[LibraryChunk] = []
    for change in changes:
        row, vectors = change.reading.row, change.reading.vectors
        if change.is_same_text and change.passages and row.chunks.exists():
            _add_vectors(row, vectors)  # its passages stay
            continue
        if change.had_text:
            row.chunks.all().delete()
        passages += [chunk_row(row, passage, vectors) for passage in change.passages]
    _insert_passages(passages)
    return originals


@dataclass(frozen=True, slots=True)
class _Change:
    """A row with its new text, not stored yet, and how it stood before."""

    reading: NewReading
    passages: Sequence[PreparedPassage]
    is_new: bool
    had_text: bool
    is_same_text: bool


def _change(reading: NewReading, content: Content, original: Original | None) -> _Change:
    row, is_copy = reading.row, original is not None and original.is_exact
    change = _Change(
        reading,
        () if is_copy else reading.read.passages,
        is_new=row._state.adding,
        had_text=row.content_id is not None,
        is_same_text=row.content_id == content.pk and row.status == DocumentStatus.READY,
    )
    row.content = content
    row.duplicate_of_id = original.document_id if original else None
    row.status = DocumentStatus.DUPLICATE if is_copy else DocumentStatus.READY
    row.error_code = row.error_message = ""
    _note_file(row, reading.file, reading.read.raw_sha256)
    describe(row, reading.file.details.over(reading.read.details))
    return change


def _insert_passages(passages: Sequence[LibraryChunk]) -> None:
    for start in range(0, len(passages), ROWS_AT_ONCE):
        insert_rows(passages[start : start + ROWS_AT_ONCE])
        crash_point(FaultPoint.CHUNK_BATCH)


def _add_vectors(row: LibraryDocument, vectors: PassageVectors) -> None:
    """Add missing vectors to existing passages. Rewriting the passages would also update their text index."""
    if not (vectors.known or vectors.rows):
        return
    lacking = row.chunks.exclude(embedding__isnull=False, embedding_model=vectors.model_id).only("text_hash")
    given = [chunk for chunk in lacking if vectors.vector(chunk.text_hash) is not None]
    for chunk in given:
        chunk.embedding_model, chunk.embedding = vectors.model_id, vectors.vector(chunk.text_hash)
    LibraryChunk.objects.bulk_update(given, ["embedding_model", "embedding"], batch_size=ROWS_AT_ONCE)


def store_failure(row: LibraryDocument, file: FoundFile, problem: UnreadableDocument) -> None:
    """Store the reason why the document cannot be read. Its earlier text stays."""
    row.status = DocumentStatus.FAILED
    row.error_code, row.error_message = problem.code, problem.message
    _note_file(row, file, problem.raw_sha256)
    describe(row, file.details.over(details_of(row)))
    row.save()


def store_same(row: LibraryDocument, file: FoundFile) -> None:
    """Store that the file's time changed but not its bytes."""
    row.file_size, row.file_mtime = file.size, file.mtime
    describe(row, file.details.over(details_of(row)))
    row.save()


def describe(row: LibraryDocument, details: Details) -> None:
    """Store the details, and the type of source that follows from them."""
    for name in DETAIL_NAMES:
        setattr(row, name, getattr(details, name))
    classification = classify_source(
        url=row.url,
        publisher=row.publisher,
        author=row.author,
        title=row.title,
        rules=rules_of(current_tenant_id()),
    )
    row.source_type = classification.source_type.value


def details_of(row: LibraryDocument) -> Details:
    return Details(**{name: getattr(row, name) for name in DETAIL_NAMES})


def keep_content(read: PreparedDocument) -> Content:
    """Return the row with the frozen text of these bytes, as `keep_contents` does."""
    return keep_contents([read])[0]


def keep_contents(reads: Sequence[PreparedDocument], *, are_new: bool = False) -> list[Content]:
    """Return the rows with the frozen texts of different bytes, creating them if necessary; safe under concurrency.

    `are_new`: probably none of them has a row, so they are looked for only if one has.
    """
    if are_new and _insert_contents(contents := [_content(read, EXTRACTOR) for read in reads]):
        return contents
    raws = [read.raw_sha256 for read in reads]
    known = rows_of(Content, "WHERE raw_sha256 = ANY(%(raws)s)", {"raws": raws}, LONG)
    contents = [
        _choose_content(read, [row for row in known if row.raw_sha256 == read.raw_sha256]) for read in reads
    ]
    return (
        contents
        if _insert_contents([content for content in contents if content._state.adding])
        else keep_contents(reads)
    )


def _insert_contents(new: Sequence[Content]) -> bool:
    """Insert the rows, in an order that avoids deadlocks; return False if one of them is there already."""
    return insert_rows(sorted(new, key=attrgetter("raw_sha256")), unless_there=True) == len(new)


def _choose_content(read: PreparedDocument, readings: Sequence[Content]) -> Content:
    """Return the one of these readings of the same bytes that has this text, or a new, unsaved one."""
    # A picture of the same page may differ by a clock or a cursor.
    rendering = read.rendering.model_dump(mode="json", exclude={"picture"}) if read.rendering else None
    for reading in readings:
        before = {**reading.rendering, "picture": ""} if reading.rendering else None
        now = {**rendering, "picture": ""} if rendering else None
        if reading.sha256 == read.sha256 and is_own(reading.extractor) and before == now:
            return reading
    # The same bytes with another media type, or after another action in the browser, may yield another text.
    is_taken = any(reading.extractor == EXTRACTOR for reading in readings)
    variant = f"{read.sha256}{json.dumps(rendering, sort_keys=True)}" if rendering else ""
    mark = sha256(variant.encode()).hexdigest() if variant else read.sha256
    return _content(read, f"{EXTRACTOR}~{mark[:8]}" if is_taken else EXTRACTOR)


def is_own(extractor: str) -> bool:
    """Return True if this version of the reader made the text, in any of its variants."""
    return extractor.partition("~")[0] == EXTRACTOR


def _content(read: PreparedDocument, extractor: str) -> Content:
    return Content(
        raw_sha256=read.raw_sha256,
        extractor=extractor,
        sha256=read.sha256,
        raw_key=read.raw_key,
        raw_size=read.raw_size,
        minhash=read.minhash,
        text=read.document.text,
        media_type=read.document.media_type,
        language=read.document.language or "",
        word_count=read.word_count,
        has_paywall=read.document.has_paywall,
        blocks=list(map(fields_of, read.document.blocks)),
        pages=list(map(fields_of, read.document.pages)),
        tables=list(map(fields_of, read.document.tables)),
        rendering=read.rendering.model_dump(mode="json") if read.rendering else None,
        dropped=list(map(fields_of, read.document.dropped)),
        notes=list(read.document.notes),
    )


def _note_file(row: LibraryDocument, file: FoundFile, raw_sha256: str) -> None:
    row.file_size, row.file_mtime = file.size, file.mtime
    row.raw_sha256 = raw_sha256 or row.raw_sha256


def chunk_row(row: LibraryDocument, passage: PreparedPassage, vectors: PassageVectors) -> LibraryChunk:
    """Build the unsaved row of a passage."""
    return LibraryChunk(document=row, chunk_index=passage.draft.index, **passage_fields(passage, vectors))


def passage_fields(passage: PreparedPassage, vectors: PassageVectors) -> dict[str, Any]:
    """Return the fields that a passage has in the library and in a run."""
    draft = passage.draft
    return {
        "text": passage.text,
        "text_hash": passage.text_hash,
        "start_offset": draft.start,
        "end_offset": draft.end,
        "token_count": max(1, draft.token_count),
        "page_number": draft.page,
        "section_header": _shorten_section(draft.section),
        "content_type": ContentType(draft.kind.value),
        "embedding_model": vectors.model_id,
        "embedding": vectors.vector(passage.text_hash),
    }


@lru_cache(maxsize=256)  # the passages of a section share it
def _shorten_section(section: str) -> str:
    return str(Truncator(section).chars(500))
