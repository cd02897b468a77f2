"""Bytes → what the database will keep of them. Nothing here touches the database, so threads may do it."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from uuid import UUID

from research.library.manifests import Details, details
from research.library.scanning import access_message
from research.objects import ObjectError, put_object
from research.reading.child import cut_in_child
from research.reading.chunks import ChunkDraft
from research.reading.document import MAX_BYTES, ReadDocument, ReadError


@dataclass(frozen=True, slots=True)
class Job:
    """One document to read. `load` gives its bytes; `known_sha256` are bytes that need not be read again."""

    document_id: UUID
    path: str
    load: Callable[[], bytes]
    details: Details = Details()
    size: int = 0
    mtime: float | None = None
    known_sha256: str = ""


@dataclass(frozen=True, slots=True)
class Same:
    """The bytes are those that were read before; only the file's time changed."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why there is no text; `raw_sha256` is empty when not even the bytes could be had."""

    code: str
    message: str
    raw_sha256: str = ""


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk with the words it stands for."""

    draft: ChunkDraft
    text: str
    text_hash: str


@dataclass(frozen=True, slots=True)
class Prepared:
    """A document read, cut and stored as bytes, but in no table yet."""

    raw_sha256: str
    raw_key: str
    raw_size: int
    document: ReadDocument
    sha256: str  # of the text
    minhash: bytes
    passages: tuple[Passage, ...]

    @property
    def details(self) -> Details:
        """What the document says of itself."""
        read = self.document
        return details(
            {
                "url": read.url,
                "title": read.title,
                "author": read.author,
                "publisher": read.site_name,
                "published_date": read.published,
                "modified_date": read.modified,
            }
        )


Preparation = Prepared | Unreadable | Same


def prepare(tenant_id: UUID, job: Job) -> Preparation:
    """Load, read and cut into passages in the limited child, and keep the bytes. Expected failures are values."""
    try:
        data = job.load()
    except OSError as error:
        return Unreadable("no_access", access_message(error))
    except ObjectError as error:
        return Unreadable("no_access", str(error))
    except ReadError as error:
        return Unreadable(error.code, error.message)
    raw_sha256 = hashlib.sha256(data).hexdigest()
    if raw_sha256 == job.known_sha256:
        return Same()
    try:
        return _prepared(tenant_id, PurePosixPath(job.path).name, data, raw_sha256)
    except ReadError as error:
        return Unreadable(error.code, error.message, raw_sha256)
    except ObjectError as error:
        return Unreadable("storage", str(error), raw_sha256)


def _prepared(tenant_id: UUID, name: str, data: bytes, raw_sha256: str) -> Prepared:
    read = cut_in_child(data, name)
    text = read.document.text
    return Prepared(
        raw_sha256=raw_sha256,
        raw_key=put_object(tenant_id, data),
        raw_size=len(data),
        document=read.document,
        sha256=_sha256(text),
        minhash=read.minhash,
        passages=tuple(_passage(text, draft) for draft in read.chunks),
    )


def load_file(path: Path) -> bytes:
    """The file's bytes. Raises ReadError instead of loading what is larger than can be read; OSError."""
    if path.stat().st_size > MAX_BYTES:
        raise ReadError("too_large", f"“{path.name}” is larger than {MAX_BYTES // 10**6} MB.")
    return path.read_bytes()


def _passage(text: str, draft: ChunkDraft) -> Passage:
    words = text[draft.start : draft.end]
    return Passage(draft, words, _sha256(words))


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
