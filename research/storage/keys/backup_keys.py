"""The key ring of backups: one key for each workspace's archives, outside the database and every backup.

It is a folder with a file for each key, wrapped by the key-encryption key. When a workspace is erased, its
key is destroyed and replaced by a tombstone: its archives can never be opened again, whoever has copies, and
no new key is created.
"""

import json
import os
import secrets
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

from django.conf import settings

from config.services.service_paths import private_folder
from research.storage.keys import key_encryption
from research.storage.keys.key_encryption import CannotUnwrap

KEY_BYTES = 32
INSTALLATION = "installation"  # name of the archive of what belongs to no workspace
KEY, TOMBSTONE = ".key", ".erased"


class NoBackupKey(Exception):
    """The key is missing or cannot be unwrapped; str() says which and why."""


class ErasedBackupKey(NoBackupKey):
    """The workspace was erased: its archives can never be opened again."""


def key_ring_file() -> Path:
    folder: Path = settings.PLUMBLINE_BACKUP_KEYS
    return folder


def key_for(name: str) -> bytes:
    """Return the 32-byte key, creating it if there is none. Raises NoBackupKey, OSError."""
    with suppress(FileNotFoundError):
        return load_backup_key(name)
    private_folder(key_ring_file())
    key = os.urandom(KEY_BYTES)
    _write_once(key_ring_file() / f"{name}{KEY}", _build_key_entry(name, key))
    return load_backup_key(name)


def load_backup_key(name: str) -> bytes:
    """Return the key. Raises FileNotFoundError if there is none, ErasedBackupKey, NoBackupKey."""
    if (key_ring_file() / f"{name}{TOMBSTONE}").exists():
        raise ErasedBackupKey(f"the workspace {name} was erased")
    wrapped, wrapper_id = _entry(key_ring_file() / f"{name}{KEY}")
    try:
        return key_encryption.unwrap(wrapped, _binding(name), wrapper_id)
    except CannotUnwrap as error:
        raise NoBackupKey(f"the backup key of {name} cannot be unwrapped: {error}") from None


def _entry(path: Path) -> tuple[bytes, str]:
    """Return the wrapped key, and the id of the key that wraps it. Raises FileNotFoundError, NoBackupKey."""
    try:
        entry = json.loads(path.read_text(encoding="ascii"))
        return b64decode(entry["wrapped"]), str(entry["kek"])
    except (ValueError, KeyError, TypeError) as error:
        raise NoBackupKey(f"{path} is damaged: put it back from a copy of the ring") from error


def destroy(tenant_id: UUID) -> None:
    """Destroy a workspace's key. Safe to repeat. Raises OSError.

    The tombstone comes first: if the process is killed in between, the remaining key is no longer handed out.
    """
    private_folder(key_ring_file())
    _write_once(key_ring_file() / f"{tenant_id}{TOMBSTONE}", datetime.now(tz=UTC).isoformat().encode())
    path = key_ring_file() / f"{tenant_id}{KEY}"
    with suppress(FileNotFoundError):
        size = path.stat().st_size
        with path.open("r+b") as file:  # overwrites the old bytes on file systems that write in place
            file.write(os.urandom(size))
            file.flush()
            os.fsync(file.fileno())
        path.unlink()


def list_erased_workspaces() -> frozenset[UUID]:
    """Return the workspaces with a tombstone, from this installation or one that was restored here."""
    return frozenset(UUID(path.stem) for path in key_ring_file().glob(f"*{TOMBSTONE}"))


def rewrap_ring() -> int:
    """Rewrap all keys under the key-encryption key in use, and return how many changed.

    Raises NoBackupKey, OSError.
    """
    return sum(_rewrap(path) for path in sorted(key_ring_file().glob(f"*{KEY}")))


def _rewrap(path: Path) -> bool:
    if _entry(path)[1] == key_encryption.in_use().id:
        return False
    _replace(path, _build_key_entry(path.stem, load_backup_key(path.stem)))
    return True


def _build_key_entry(name: str, key: bytes) -> bytes:
    wrapper = key_encryption.in_use()
    entry = {"kek": wrapper.id, "wrapped": b64encode(wrapper.wrap(key, _binding(name))).decode()}
    return json.dumps(entry).encode()


def _binding(name: str) -> bytes:
    return f"plumbline backup key {name}".encode()


def _write_once(path: Path, data: bytes) -> None:
    """Write a file atomically, unless it exists."""
    with _draft(path, data) as draft, suppress(FileExistsError):
        os.link(draft, path)


def _replace(path: Path, data: bytes) -> None:
    with _draft(path, data) as draft:
        os.replace(draft, path)


@contextmanager
def _draft(path: Path, data: bytes) -> Iterator[Path]:
    draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        yield draft
    finally:
        draft.unlink(missing_ok=True)
