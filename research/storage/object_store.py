"""The object store: the bytes of documents, each kept once a tenant under its own hash, compressed and encrypted.

An object is written before the row that names it, so that a kill between the two leaves an object too many, never a
row without its bytes. Writing the same bytes again changes nothing. What was kept before there was encryption is
read as it is, and encrypted when it is written again. Without its tenant's data key an object is lost.
"""

import contextlib
import errno
import gzip
import hashlib
import os
import re
import secrets
import time
import zlib
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.core.files.base import ContentFile, File
from django.core.files.storage import FileSystemStorage, Storage, storages

from config.region_stores import alias
from research.db.tenancy import may_see
from research.runtime.fault_injection import FaultPoint, crash_point
from research.storage.keys.data_keys import HEAD_BYTES, CannotOpen, lock_in_use, lock_of
from research.storage.residency import region_of, stays_within

# Documents compress little beyond this (PDF streams are compressed already), and it is three times as fast as 6.
COMPRESSION = 1
_KEY = re.compile(r"objects/([0-9a-f-]{36})/[0-9a-f]{2}/([0-9a-f]{64})\.gz")
_PLAIN = b"\x1f\x8b"  # gzip's mark: not encrypted
DRAFT, DOOMED = ".part", ".doomed"  # a file on its way in, and on its way out
NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class ObjectError(Exception):
    """Bytes could not be kept or found again; str() is for the person who asked."""


class DiskFull(ObjectError):
    """The disk is full: with room on it the same bytes can be kept."""


class AtomicFileStorage(FileSystemStorage):
    """A local folder in which a file is there whole or not at all. One of the same name takes its place."""

    def get_available_name(self, name: str, max_length: int | None = None) -> str:
        return name

    def _save(self, name: str, content: File) -> str:  # type: ignore[type-arg]  # django-stubs: bytes or text
        path = Path(self.path(name))
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}{DRAFT}")
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

    def touch(self, name: str) -> None:
        """Say that it is wanted now. Raises FileNotFoundError."""
        os.utime(self.path(name))


def object_key(tenant_id: UUID, sha256: str) -> str:
    """Name of an object: its tenant and the hash of its bytes."""
    return f"objects/{tenant_id}/{sha256[:2]}/{sha256}.gz"


def sha256_in(key: str) -> str:
    """The hash of the bytes that the object holds."""
    return key.rpartition("/")[2].removesuffix(".gz")


def _tenant_in(key: str) -> UUID:
    return UUID(key.split("/")[1])


def put_object(tenant_id: UUID, data: bytes, sha256: str = "") -> str:
    """Keep the bytes and return their key; `sha256`: their hash, where it is known.

    Idempotent. Raises ObjectError; NoRoom where it is the disk that is full.
    """
    home = home_of(tenant_id)
    if not home and not stays_within(tenant_id, settings.PLUMBLINE_STORE_REGIONS):
        raise ObjectError(
            "The data of this workspace stay in its region; the store of files stands in another."
        )
    sha256 = sha256 or hashlib.sha256(data).hexdigest()
    key, storage = object_key(tenant_id, sha256), store_in(home)
    try:
        if not (_is_kept(tenant_id, storage, key) and _is_kept_on(storage, key)):
            packed = gzip.compress(data, COMPRESSION, mtime=0)
            storage.save(key, ContentFile(lock_in_use(tenant_id).seal(packed, purpose_of(sha256))))
            crash_point(FaultPoint.OBJECT_BEFORE_ROW)
    except CannotOpen as error:
        raise ObjectError(f"The file could not be stored: {error}.") from error
    except OSError as error:
        raise _failure(error) from error
    return key


def has_object(key: str) -> bool:
    """Return True if the bytes are there and can be opened, as far as their beginning tells."""
    match = _KEY.fullmatch(key)
    return match is not None and _is_kept(UUID(match[1]), storage_of(UUID(match[1])), key)


def get_object(key: str) -> bytes:
    """The bytes under a key, checked against their hash. Raises ObjectError when they are gone or damaged."""
    match = _KEY.fullmatch(key)
    if match is None or not may_see(UUID(match[1])):
        raise ObjectError(f"“{key}” does not name a stored file.")
    try:
        data = gzip.decompress(
            _decrypt_object(UUID(match[1]), match[2], _read_stored_bytes(UUID(match[1]), key))
        )
    except FileNotFoundError as error:
        raise ObjectError("The stored file is no longer there.") from error
    except (OSError, EOFError, zlib.error) as error:
        raise ObjectError("The stored file is damaged or cannot be opened.") from error
    if hashlib.sha256(data).hexdigest() != match[2]:
        raise ObjectError("The stored file is damaged: its bytes are not those that were kept.")
    return data


def _read_stored_bytes(tenant_id: UUID, key: str) -> bytes:
    """Read the bytes as stored, in the workspace's region or, if it moved, a former one. Raises FileNotFoundError."""
    home = home_of(tenant_id)
    for place in (home, *(other for other in homes() if other != home)):
        with contextlib.suppress(FileNotFoundError), store_in(place).open(key) as file:
            return bytes(file.read())
    raise FileNotFoundError(key)


def _is_kept(tenant_id: UUID, storage: Storage, key: str) -> bool:
    """Encrypted, under a key that still exists: one that was made in vain, or destroyed, opens nothing."""
    try:
        with storage.open(key) as file:
            lock_of(tenant_id, file.read(HEAD_BYTES))
    except (FileNotFoundError, CannotOpen):
        return False
    return True


def _is_kept_on(storage: Storage, key: str) -> bool:
    """A file that is wanted again is young again: none is dropped between being wanted and being named by a row."""
    if isinstance(storage, AtomicFileStorage):
        try:
            storage.touch(key)
        except FileNotFoundError:
            return False
    return True


def old_objects(tenant_id: UUID, age: timedelta) -> Iterator[str]:
    """Keys of the tenant's files on this machine that nobody has put for so long; of another store, none.

    What a kill left of a file on its way in or out is removed, or put back, on the way.
    """
    storage = storage_of(tenant_id)
    if not isinstance(storage, AtomicFileStorage):
        return
    before = time.time() - age.total_seconds()
    for path in sorted(Path(storage.path(f"objects/{tenant_id}")).glob("??/*")):
        if path.suffix in (DOOMED, DRAFT):
            _settle(path, before)
        elif _read_modified_time(path) < before:
            yield path.relative_to(storage.location).as_posix()


def drop_object(key: str, age: timedelta) -> bool:
    """Remove a file that no row names. False: it is wanted again, or gone."""
    path = Path(storage_of(_tenant_in(key)).path(key))
    doomed = path.with_suffix(DOOMED)
    try:
        os.replace(path, doomed)  # from here on whoever wants it writes it anew
    except FileNotFoundError:
        return False
    return _settle(doomed, time.time() - age.total_seconds())


def drop_elsewhere(key: str) -> None:
    """Remove a file that no row names from a store that is not this machine's folder, which sweeps itself by age."""
    storage = storage_of(_tenant_in(key))
    if not isinstance(storage, AtomicFileStorage):
        with contextlib.suppress(OSError):  # it is away: the file is one too many, and unreadable to others
            storage.delete(key)


def _settle(path: Path, before: float) -> bool:
    """Remove it if it is old; a doomed file that was wanted at the last moment goes back to its place."""
    if _read_modified_time(path) < before:
        path.unlink(missing_ok=True)
        return True
    if path.suffix == DOOMED:
        with contextlib.suppress(FileNotFoundError):
            os.replace(path, path.with_suffix(".gz"))
    return False


def _read_modified_time(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:  # another sweep was faster
        return 0.0


def _decrypt_object(tenant_id: UUID, sha256: str, stored: bytes) -> bytes:
    if stored.startswith(_PLAIN):
        return stored
    try:
        return lock_of(tenant_id, stored).open(stored, purpose_of(sha256))
    except CannotOpen as error:
        raise ObjectError(f"The stored file is damaged or cannot be opened: {error}.") from error


def purpose_of(sha256: str) -> str:
    """Return the purpose that an object is sealed for."""
    return f"object:{sha256}"


def storage_of(tenant_id: UUID) -> Storage:
    return store_in(home_of(tenant_id))


def home_of(tenant_id: UUID) -> str:
    """The region whose store has its files; empty: the store for all that the settings give none of their own."""
    region = region_of(tenant_id) if settings.PLUMBLINE_REGION_STORES else None
    return region if region and region in settings.PLUMBLINE_REGION_STORES else ""


def homes() -> tuple[str, ...]:
    """Return the regions of all stores; "" is the default store."""
    return ("", *settings.PLUMBLINE_REGION_STORES)


def store_in(home: str) -> Storage:
    """Return a region's store; for "" that of the settings (S3, on a cluster), else a folder of this machine."""
    if home:
        return storages[alias(home)]
    return storages["objects"] if "objects" in settings.STORAGES else AtomicFileStorage(settings.MEDIA_ROOT)


def _failure(error: OSError) -> ObjectError:
    if error.errno in NO_ROOM:
        return DiskFull("The disk is full: the file could not be stored. Free some space and try again.")
    return ObjectError(f"The file could not be stored: {error.strerror or error}.")
