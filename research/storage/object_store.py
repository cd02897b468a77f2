"""The object store: the bytes of documents, stored once per tenant under their hash, compressed and
encrypted.

An object is written before the row that names it, so that a crash between the two leaves an unused object,
never a row without its bytes. Writing the same bytes again changes nothing. Objects from before there was
encryption are read as they are, and encrypted when written again. Without its tenant's data key an object is
lost.
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

from config.region_store_settings import alias
from research.db.tenancy import may_see
from research.runtime.fault_injection import FaultPoint, crash_point
from research.storage.data_residency import region_of, stays_within
from research.storage.keys.data_encryption_keys import (
    HEAD_BYTES,
    CannotOpen,
    KeyDestroyed,
    KeyLocked,
    lock_in_use,
    lock_of,
)

# A higher level compresses documents little more (PDF streams are compressed already); 1 is three times as
# fast as 6.
COMPRESSION = 1
_KEY = re.compile(r"objects/([0-9a-f-]{36})/[0-9a-f]{2}/([0-9a-f]{64})\.gz")
_PLAIN = b"\x1f\x8b"  # gzip's magic number: not encrypted
DRAFT, DOOMED = ".part", ".doomed"  # a file being written, and one being deleted
NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class ObjectError(Exception):
    """Bytes could not be stored or loaded; str() is for the user."""


class DiskFull(ObjectError):
    """The disk is full: once there is room, the same bytes can be stored."""


class ObjectDamaged(ObjectError):
    """The stored bytes are not those that were stored."""


class ForeignObject(ObjectError):
    """The key names a file of another workspace, or none."""


class AtomicFileStorage(FileSystemStorage):
    """A local folder in which files are written atomically. A file of the same name is replaced."""

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
        """Set the file's time to now, to mark it as in use. Raises FileNotFoundError."""
        os.utime(self.path(name))


def object_key(tenant_id: UUID, sha256: str) -> str:
    """Return the key of an object: its tenant and the hash of its bytes."""
    return f"objects/{tenant_id}/{sha256[:2]}/{sha256}.gz"


def sha256_in(key: str) -> str:
    """Return the hash of the bytes that the object holds."""
    return key.rpartition("/")[2].removesuffix(".gz")


def _tenant_in(key: str) -> UUID:
    return UUID(key.split("/")[1])


def put_object(tenant_id: UUID, data: bytes, sha256: str = "") -> str:
    """Store the bytes and return their key; `sha256` is their hash, if known.

    Idempotent. Raises ObjectError; DiskFull if the disk is full.
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
    """Return True if the object exists and its head names an existing key."""
    match = _KEY.fullmatch(key)
    return match is not None and _is_kept(UUID(match[1]), storage_of(UUID(match[1])), key)


def get_object(key: str) -> bytes:
    """Return the bytes under a key, checked against their hash.

    Raises ObjectError if they are missing; ObjectDamaged, ForeignObject.
    """
    match = _KEY.fullmatch(key)
    if match is None or not may_see(UUID(match[1])):
        raise ForeignObject(f"“{key}” does not name a stored file.")
    try:
        data = gzip.decompress(
            _decrypt_object(UUID(match[1]), match[2], _read_stored_bytes(UUID(match[1]), key))
        )
    except FileNotFoundError as error:
        raise ObjectError("The stored file is no longer there.") from error
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise ObjectDamaged("The stored file is damaged: it cannot be unpacked.") from error
    except OSError as error:
        raise ObjectError("The stored file cannot be opened.") from error
    if hashlib.sha256(data).hexdigest() != match[2]:
        raise ObjectDamaged("The stored file is damaged: its bytes are not those that were kept.")
    return data


def _read_stored_bytes(tenant_id: UUID, key: str) -> bytes:
    """Return the stored bytes, also from the store used before the workspace's region changed.

    Raises FileNotFoundError.
    """
    home = home_of(tenant_id)
    for place in (home, *(other for other in homes() if other != home)):
        with contextlib.suppress(FileNotFoundError), store_in(place).open(key) as file:
            return bytes(file.read())
    raise FileNotFoundError(key)


def _is_kept(tenant_id: UUID, storage: Storage, key: str) -> bool:
    """Return True if the object exists and is encrypted under an existing key.

    A key that was rolled back or destroyed opens nothing.
    """
    try:
        with storage.open(key) as file:
            lock_of(tenant_id, file.read(HEAD_BYTES))
    except (FileNotFoundError, CannotOpen):
        return False
    return True


def _is_kept_on(storage: Storage, key: str) -> bool:
    """Mark a file as just used, so that it is not deleted before a row names it.

    Return False if it is gone.
    """
    if isinstance(storage, AtomicFileStorage):
        try:
            storage.touch(key)
        except FileNotFoundError:
            return False
    return True


def old_objects(tenant_id: UUID, age: timedelta) -> Iterator[str]:
    """Yield keys of the tenant's files in this machine's folder that were not written for that long; none of
    other stores.

    Files left by interrupted writes and deletions are removed or restored on the way.
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
    """Delete a file that no row names. Return False if it is in use again or already gone."""
    path = Path(storage_of(_tenant_in(key)).path(key))
    doomed = path.with_suffix(DOOMED)
    try:
        os.replace(path, doomed)  # from here on, writing the same bytes creates the file again
    except FileNotFoundError:
        return False
    return _settle(doomed, time.time() - age.total_seconds())


def drop_elsewhere(key: str) -> None:
    """Delete a file that no row names from a remote store; this machine's folder is swept by age instead."""
    storage = storage_of(_tenant_in(key))
    if not isinstance(storage, AtomicFileStorage):
        with contextlib.suppress(OSError):  # store unreachable: the file stays, unused
            storage.delete(key)


def _settle(path: Path, before: float) -> bool:
    """Delete the file if it is old; restore one that was used at the last moment."""
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
    except (KeyDestroyed, KeyLocked) as error:
        raise ObjectError(f"The stored file cannot be opened: {error}.") from error
    except CannotOpen as error:
        raise ObjectDamaged(f"The stored file is damaged or cannot be opened: {error}.") from error


def purpose_of(sha256: str) -> str:
    """Return the purpose that an object is sealed for."""
    return f"object:{sha256}"


def storage_of(tenant_id: UUID) -> Storage:
    return store_in(home_of(tenant_id))


def home_of(tenant_id: UUID) -> str:
    """Return the region whose store has the tenant's files; "" for the default store."""
    region = region_of(tenant_id) if settings.PLUMBLINE_REGION_STORES else None
    return region if region and region in settings.PLUMBLINE_REGION_STORES else ""


def homes() -> tuple[str, ...]:
    """Return the regions of all stores; "" is the default store."""
    return ("", *settings.PLUMBLINE_REGION_STORES)


def store_in(home: str) -> Storage:
    """Return the store of a region, or else the default: as in the settings (S3) or a local folder."""
    if home:
        return storages[alias(home)]
    return storages["objects"] if "objects" in settings.STORAGES else AtomicFileStorage(settings.MEDIA_ROOT)


def _failure(error: OSError) -> ObjectError:
    if error.errno in NO_ROOM:
        return DiskFull("The disk is full: the file could not be stored. Free some space and try again.")
    return ObjectError(f"The file could not be stored: {error.strerror or error}.")
