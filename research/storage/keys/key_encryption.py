"""Key-encryption keys: one that wraps, and previous ones that still unwrap while keys are rotated.

Each is 32 bytes from the settings, or from a file in the data folder that only its owner may read. An
external key store (a KMS) would be another `KeyWrapper`: no other part of the program sees the key.
"""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings
from django.db import connection

from config.secret_key import load_secret_key

NONCE_BYTES = 12
EXCHANGE_LOCK = 0x6B656B  # of the advisory lock; any number not used elsewhere


class CannotUnwrap(Exception):
    """No available key-encryption key opens this; str() names the one it needs."""


class KeyWrapper(Protocol):
    """Wraps and unwraps keys. `id` identifies the wrapping key without revealing anything of it."""

    @property
    def id(self) -> str: ...

    def wrap(self, plain: bytes, binding: bytes) -> bytes: ...

    def unwrap(self, wrapped: bytes, binding: bytes) -> bytes:
        """Unwrap a key. Raises CannotUnwrap."""
        ...


class LocalKey:
    """A key-encryption key in this process's memory; AES-256-GCM."""

    def __init__(self, text: str) -> None:
        # The text is random and long, so a slow key derivation would add nothing.
        self._key = hashlib.sha256(b"plumbline kek" + text.encode()).digest()
        self.id = hashlib.sha256(self._key).hexdigest()[:16]

    def wrap(self, plain: bytes, binding: bytes) -> bytes:
        nonce = os.urandom(NONCE_BYTES)
        return nonce + AESGCM(self._key).encrypt(nonce, plain, binding)

    def unwrap(self, wrapped: bytes, binding: bytes) -> bytes:
        try:
            return AESGCM(self._key).decrypt(wrapped[:NONCE_BYTES], wrapped[NONCE_BYTES:], binding)
        except (InvalidTag, ValueError):
            raise CannotUnwrap("it was changed, or wrapped by another key-encryption key") from None


def in_use() -> KeyWrapper:
    """Return the key that wraps: from the settings, else from the data folder, created if needed."""
    return LocalKey(settings.PLUMBLINE_KEY_ENCRYPTION_KEY or load_secret_key(key_file()))


def beside() -> Iterator[KeyWrapper]:
    """Yield the keys that only unwrap: the previous one from the settings and from the file."""
    if settings.PLUMBLINE_PREVIOUS_KEY_ENCRYPTION_KEY:
        yield LocalKey(settings.PLUMBLINE_PREVIOUS_KEY_ENCRYPTION_KEY)
    if previous_file().exists():
        yield LocalKey(load_secret_key(previous_file()))


def unwrap(wrapped: bytes, binding: bytes, wrapper_id: str) -> bytes:
    """Unwrap with the key that has this id. Raises CannotUnwrap, also if that key is not available."""
    own = in_use()
    for key in [own] if own.id == wrapper_id else beside():
        if key.id == wrapper_id:
            return key.unwrap(wrapped, binding)
    raise CannotUnwrap(
        f"it was wrapped by another key-encryption key, {wrapper_id}: this installation has {own.id}."
        " Set PLUMBLINE_PREVIOUS_KEY_ENCRYPTION_KEY to the other, or put its file back"
    )


def unwrap_by_any(wrapped: bytes, binding: bytes) -> tuple[bytes, str]:
    """Unwrap a value that does not name its key; return the plain bytes and the key's id.

    Raises CannotUnwrap.
    """
    for key in (in_use(), *beside()):
        try:
            return key.unwrap(wrapped, binding), key.id
        except CannotUnwrap:
            continue
    raise CannotUnwrap("it was changed, or wrapped by a key-encryption key that is not here")


def hold_exchange(*, is_exchanging: bool) -> None:
    """Lock until the transaction ends: wrapping blocks a key rotation, and a rotation blocks wrapping."""
    shared = "" if is_exchanging else "_shared"
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT pg_advisory_xact_lock{shared}(%s)", [EXCHANGE_LOCK])


def key_file() -> Path:
    path: Path = settings.PATHS.key_encryption_key
    return path


def previous_file() -> Path:
    return key_file().with_name(f"{key_file().name}.previous")


def exchange_file() -> None:
    """Replace the key file by a new key, and keep the old one beside it. An interrupted call is resumed."""
    previous, path = previous_file(), key_file()
    if previous.exists():
        if not path.exists() or not _are_one(previous, path):
            return
    else:
        load_secret_key(path)
        os.link(path, previous)
    fresh = path.with_name(f"{path.name}.next")
    load_secret_key(fresh)
    os.replace(fresh, path)


def _are_one(first: Path, second: Path) -> bool:
    return os.path.samefile(first, second)
