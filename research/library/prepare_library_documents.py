"""Turns bytes into what the database stores of them.

Usable in threads, because it makes no query if the tenant's keys are loaded.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from uuid import UUID

from research.library.library_manifest import Details, details
from research.library.scan_library_folder import FoundFile, access_message
from research.models.schemas import Rendering
from research.parsing.parsed_document import ReadDocument
from research.parsing.parsed_passage_chunks import ChunkDraft
from research.parsing.parsing_child import read_in_child
from research.runtime.sandbox.sandbox_read_error import MAX_BYTES, ReadError
from research.storage.object_store import ObjectError, get_object, put_object, sha256_in


@dataclass(frozen=True, slots=True)
class RawDocument:
    """A document's bytes with their hash and the key of their object; "" if they are not stored yet."""

    data: bytes
    sha256: str
    key: str = ""


@dataclass(frozen=True, slots=True)
class Job:
    """A document of the library to be read. `known_sha256` is the hash of bytes that need not be read again.

    `name` is passed to the reader if it differs from the file's name; `refuse` returns why a text is unusable.
    """

    document_id: UUID
    file: FoundFile
    load: Callable[[], RawDocument]
    known_sha256: str = ""
    name: str = ""
    refuse: Callable[["PreparedDocument"], tuple[str, str] | None] | None = None


@dataclass(frozen=True, slots=True)
class Same:
    """The bytes were read before; only the file's time has changed."""


@dataclass(frozen=True, slots=True)
class UnreadableDocument:
    """The reason why a document has no text; `raw_sha256` is empty if not even its bytes could be read."""

    code: str
    message: str
    raw_sha256: str = ""


@dataclass(frozen=True, slots=True)
class PreparedPassage:
    """A chunk with its text."""

    draft: ChunkDraft
    text: str
    text_hash: str


@dataclass(frozen=True, slots=True)
class PreparedDocument:
    """A document that is read, chunked and stored as bytes, but not in a table yet."""

    raw_sha256: str
    raw_key: str
    raw_size: int
    document: ReadDocument
    sha256: str  # of the text
    minhash: bytes
    passages: tuple[PreparedPassage, ...]
    word_count: int
    rendering: Rendering | None = None  # set if a browser rendered the bytes

    @property
    def details(self) -> Details:
        """The document's details from its own text and metadata."""
        read = self.document
        return details(
            {
                "url": read.url,
                "title": read.title,
                "author": read.author,
                "publisher": read.site_name,
                "syndicated_from": read.syndicated_from,
                "published_date": read.published,
                "modified_date": read.modified,
            }
        )


Preparation = PreparedDocument | UnreadableDocument | Same


def prepare(tenant_id: UUID, job: Job) -> Preparation:
    """Load a document of the library and prepare its bytes. Expected failures are returned."""
    try:
        raw = job.load()
    except OSError as error:
        return UnreadableDocument("no_access", access_message(error))
    except ObjectError as error:
        return UnreadableDocument("no_access", str(error))
    except ReadError as error:
        return UnreadableDocument(error.code, error.message)
    if raw.sha256 == job.known_sha256:
        return Same()
    prepared = prepare_bytes(tenant_id, job.name or PurePosixPath(job.file.path).name, raw)
    problem = job.refuse(prepared) if job.refuse and isinstance(prepared, PreparedDocument) else None
    return UnreadableDocument(*problem, raw.sha256) if problem else prepared


def prepare_bytes(tenant_id: UUID, name: str, raw: RawDocument) -> PreparedDocument | UnreadableDocument:
    """Read and chunk the document in the sandbox, and store its bytes. Expected failures are returned."""
    try:
        return _prepare_document(tenant_id, name, raw)
    except ReadError as error:
        return UnreadableDocument(error.code, error.message, raw.sha256)
    except ObjectError as error:
        return UnreadableDocument("storage", str(error), raw.sha256)


def _prepare_document(tenant_id: UUID, name: str, raw: RawDocument) -> PreparedDocument:
    read = read_in_child(raw.data, name)
    text = read.document.text
    return PreparedDocument(
        raw_sha256=raw.sha256,
        raw_key=raw.key or put_object(tenant_id, raw.data, raw.sha256),
        raw_size=len(raw.data),
        document=read.document,
        sha256=_sha256(text),
        minhash=read.minhash,
        passages=tuple(_passage(text, draft) for draft in read.chunks),
        word_count=read.document.word_count,
    )


def new_raw(data: bytes) -> RawDocument:
    """Return bytes that are not stored yet, with their hash."""
    return RawDocument(data, hashlib.sha256(data).hexdigest())


def load_object(key: str) -> RawDocument:
    """Load the bytes of an object. Raises ObjectError."""
    return RawDocument(get_object(key), sha256_in(key), key)


def load_file(path: Path) -> RawDocument:
    """Load a file. Raises OSError, and ReadError for a file that is too large."""
    if path.stat().st_size > MAX_BYTES:
        raise ReadError("too_large", f"“{path.name}” is larger than {MAX_BYTES // 10**6} MB.")
    return new_raw(path.read_bytes())


def _passage(text: str, draft: ChunkDraft) -> PreparedPassage:
    words = text[draft.start : draft.end]
    return PreparedPassage(draft, words, _sha256(words))


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
