"""All of a tenant's objects, whichever rows name them: for resealing, copying and deleting."""

from collections.abc import Iterator
from uuid import UUID

from django.core.files.base import ContentFile
from django.core.files.storage import Storage

from research.storage.keys.data_encryption_keys import HEAD_BYTES, lock_in_use, lock_of
from research.storage.object_store import home_of, homes, purpose_of, sha256_in, storage_of, store_in


def keys_of(tenant_id: UUID) -> Iterator[str]:
    """Yield the keys of the tenant's objects, sorted. Raises OSError if the store is unreachable."""
    yield from _keys_in(storage_of(tenant_id), tenant_id)


def _keys_in(storage: Storage, tenant_id: UUID) -> Iterator[str]:
    folder = f"objects/{tenant_id}"
    for part in _folders(storage, folder):
        for name in sorted(_files(storage, f"{folder}/{part}")):
            if name.endswith(".gz"):
                yield f"{folder}/{part}/{name}"


def read_sealed_bytes(tenant_id: UUID, key: str) -> bytes | None:
    """Return the stored bytes; None if the object was deleted in the meantime. Raises OSError."""
    try:
        with storage_of(tenant_id).open(key) as file:
            return bytes(file.read())
    except FileNotFoundError:
        return None


def put_back(tenant_id: UUID, key: str, sealed: bytes) -> None:
    """Store sealed bytes under a key. Raises OSError."""
    storage_of(tenant_id).save(key, ContentFile(sealed))


def seal_anew(tenant_id: UUID, key: str, key_id: UUID) -> bool:
    """Reseal an object under the data key in use if it is sealed under `key_id`.

    Raises CannotOpen, OSError.
    """
    if _head(tenant_id, key)[1:] != key_id.bytes:
        return False
    stored = read_sealed_bytes(tenant_id, key)
    if stored is None:
        return False
    purpose = purpose_of(sha256_in(key))
    plain = lock_of(tenant_id, stored).open(stored, purpose)
    put_back(tenant_id, key, lock_in_use(tenant_id).seal(plain, purpose))
    return True


def move_home(tenant_id: UUID) -> int:
    """Move files to the store of the workspace's region after that was set or changed; return how many.

    Each file is copied before the original is deleted, so an interrupted move can be repeated. Raises
    OSError.
    """
    home, moved = home_of(tenant_id), 0
    for abroad in (store_in(other) for other in homes() if other != home):
        for key in _keys_in(abroad, tenant_id):
            with abroad.open(key) as file:
                store_in(home).save(key, ContentFile(file.read()))
            abroad.delete(key)
            moved += 1
    return moved


def remove_all(tenant_id: UUID) -> int:
    """Delete all files of the tenant in any store, also partial ones; return how many. Safe to repeat.

    Raises OSError.
    """
    return sum(_remove_from(store_in(home), f"objects/{tenant_id}") for home in homes())


def _remove_from(storage: Storage, folder: str) -> int:
    removed = 0
    for part in _folders(storage, folder):
        for name in _files(storage, f"{folder}/{part}"):
            storage.delete(f"{folder}/{part}/{name}")
            removed += 1
        _remove_folder(storage, f"{folder}/{part}")
    _remove_folder(storage, folder)
    return removed


def _head(tenant_id: UUID, key: str) -> bytes:
    try:
        with storage_of(tenant_id).open(key) as file:
            return bytes(file.read(HEAD_BYTES))
    except FileNotFoundError:
        return b""


def _folders(storage: Storage, folder: str) -> list[str]:
    return sorted(_list_folder(storage, folder)[0])


def _files(storage: Storage, folder: str) -> list[str]:
    return _list_folder(storage, folder)[1]


def _list_folder(storage: Storage, folder: str) -> tuple[list[str], list[str]]:
    try:
        return storage.listdir(folder)
    except FileNotFoundError:
        return [], []


def _remove_folder(storage: Storage, folder: str) -> None:
    """Delete a folder on disk; a bucket has none.

    One that was written to in the meantime stays until the next time.
    """
    try:
        storage.delete(folder)
    except OSError:
        return
