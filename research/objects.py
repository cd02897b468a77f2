"""The object store: the bytes of documents, each kept once a tenant under its own hash, compressed.

An object is written before the row that names it, so that a kill between the two leaves an object too many, never a
row without its bytes. Writing the same bytes again changes nothing.
"""

import errno
import gzip
import hashlib
import os
import re
import secrets
import zlib
from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.core.files.base import ContentFile, File
from django.core.files.storage import FileSystemStorage, Storage, storages

# Documents compress little beyond this (PDF streams are compressed already), and it is three times as fast as 6.
COMPRESSION = 1
_KEY = re.compile(r"objects/[0-9a-f-]{36}/[0-9a-f]{2}/([0-9a-f]{64})\.gz")
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class ObjectError(Exception):
    """Bytes could not be kept or found again; str() is for the person who asked."""


class AtomicFileStorage(FileSystemStorage):
    """A local folder in which a file is there whole or not at all."""

    def _save(self, name: str, content: File) -> str:  # type: ignore[type-arg]  # django-stubs: bytes or text
        path = Path(self.path(name))
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")
        try:
            with draft.open("xb") as file:
                for part in content.chunks():
                    file.write(part)
                file.flush()
                os.fsync(file.fileno())
            os.replace(draft, path)
        finally:
            draft.unlink(missing_ok=True)
        return name


def object_key(tenant_id: UUID, sha256: str) -> str:
    """Name of an object: its tenant and the hash of its bytes."""
    return f"objects/{tenant_id}/{sha256[:2]}/{sha256}.gz"


def sha256_in(key: str) -> str:
    """The hash of the bytes that the object holds."""
    return key.rpartition("/")[2].removesuffix(".gz")


def put_object(tenant_id: UUID, data: bytes, sha256: str = "") -> str:
    """Keep the bytes and return their key; `sha256`: their hash, where it is known.

    Idempotent. Raises ObjectError when there is no room for them.
    """
    key = object_key(tenant_id, sha256 or hashlib.sha256(data).hexdigest())
    storage = _storage()
    try:
        if not storage.exists(key):
            storage.save(key, ContentFile(gzip.compress(data, COMPRESSION, mtime=0)))
    except OSError as error:
        raise ObjectError(_reason(error)) from error
    return key


def get_object(key: str) -> bytes:
    """The bytes under a key, checked against their hash. Raises ObjectError when they are gone or damaged."""
    match = _KEY.fullmatch(key)
    if match is None:
        raise ObjectError(f"“{key}” does not name a stored file.")
    try:
        with _storage().open(key) as file:
            data = gzip.decompress(file.read())
    except FileNotFoundError as error:
        raise ObjectError("The stored file is no longer there.") from error
    except (OSError, EOFError, zlib.error) as error:
        raise ObjectError("The stored file is damaged or cannot be opened.") from error
    if hashlib.sha256(data).hexdigest() != match[1]:
        raise ObjectError("The stored file is damaged: its bytes are not those that were kept.")
    return data


def _storage() -> Storage:
    """The store that the settings name (S3, on a cluster); a folder of this machine without one."""
    return storages["objects"] if "objects" in settings.STORAGES else AtomicFileStorage(settings.MEDIA_ROOT)


def _reason(error: OSError) -> str:
    if error.errno in _NO_ROOM:
        return "The disk is full: the file could not be stored. Free some space and try again."
    return f"The file could not be stored: {error.strerror or error}."
