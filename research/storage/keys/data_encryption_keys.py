"""Envelope encryption: AES-256-GCM under a tenant's data key, which a key-encryption key wraps.

A sealed value names its data key and is bound to its owner: moved to another row or tenant, it does not open.
Without its data key it is lost, which is how a tenant is erased.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.db import transaction
from django.db.models.functions import Now

from research.db.bulk_sql import rows_of
from research.db.tenancy import current_tenant_id, tenant_context
from research.models import DataKey
from research.runtime.ttl_cache import TtlCache
from research.storage.keys import key_encryption
from research.storage.keys.key_encryption import NONCE_BYTES, CannotUnwrap

VERSION = b"\x01"
KEY_BYTES, ID_BYTES = 32, 16
WRAPPING = b"plumbline data key"
HEAD_BYTES = 1 + ID_BYTES  # of a sealed value: its version and the id of its key
_uncommitted: set[UUID] = set()  # keys created by this process in a transaction that may still roll back


class CannotOpen(Exception):
    """A sealed value is damaged, was moved, or its key is unavailable."""


class KeyDestroyed(CannotOpen):
    """The data key of a value was destroyed: nobody can open the value again."""


class KeyLocked(CannotOpen):
    """The data key exists, but no available key-encryption key unwraps it."""


@dataclass(frozen=True, slots=True)
class Lock:
    """A tenant's data key, unwrapped, for use without the database."""

    tenant_id: UUID
    key_id: UUID
    key: bytes

    def seal(self, plain: bytes, belongs_to: str) -> bytes:
        nonce = os.urandom(NONCE_BYTES)
        sealed = AESGCM(self.key).encrypt(nonce, plain, self._binding(belongs_to))
        return VERSION + self.key_id.bytes + nonce + sealed

    def open(self, sealed: bytes, belongs_to: str) -> bytes:
        """Decrypt a sealed value. Raises CannotOpen."""
        head = HEAD_BYTES + NONCE_BYTES
        try:
            return AESGCM(self.key).decrypt(sealed[HEAD_BYTES:head], sealed[head:], self._binding(belongs_to))
        except (InvalidTag, ValueError):
            raise CannotOpen("the value was changed, or belongs elsewhere") from None

    def _binding(self, belongs_to: str) -> bytes:
        return f"{self.tenant_id}:{belongs_to}".encode()


@dataclass(frozen=True, slots=True)
class _Hand:
    in_use: Lock
    locks: Mapping[UUID, Lock]


_kept = TtlCache[UUID, Lock](for_s=60)  # a retired key is used for at most this long
forget = _kept.forget
_at_hand: dict[UUID, list[_Hand]] = {}


@contextmanager
def at_hand(tenant_id: UUID) -> Iterator[None]:
    """Load the tenant's keys into memory, where this process's threads find them until the block ends."""
    hand = _hand(tenant_id)
    if hand is None:
        yield
        return
    hands = _at_hand.setdefault(tenant_id, [])
    hands.append(hand)
    try:
        yield
    finally:
        hands.remove(hand)


def _hand(tenant_id: UUID) -> _Hand | None:
    """Return the tenant's keys; None if one cannot be unwrapped: whoever needs it will get the error."""
    try:
        with tenant_context(tenant_id):
            in_use = lock_in_use(tenant_id)
            return _Hand(in_use, {row.pk: _lock(row) for row in DataKey.objects.all()})
    except CannotOpen:
        return None


def _find_cached_key(tenant_id: UUID) -> _Hand | None:
    hands = _at_hand.get(tenant_id)
    return hands[-1] if hands else None


def seal(plain: bytes, belongs_to: str) -> bytes:
    """Encrypt for the current tenant, creating its first data key if needed. Needs `tenant_context`."""
    return lock_in_use(current_tenant_id()).seal(plain, belongs_to)


def open_sealed(sealed: bytes, belongs_to: str) -> bytes:
    """Decrypt what `seal` encrypted for the same purpose. Raises CannotOpen. Needs `tenant_context`."""
    return lock_of(current_tenant_id(), sealed).open(sealed, belongs_to)


def seal_own(plain: bytes, belongs_to: str) -> bytes:
    """Encrypt what belongs to the installation and not to a tenant, directly under the key-encryption key."""
    key_encryption.hold_exchange(is_exchanging=False)
    return key_encryption.in_use().wrap(plain, belongs_to.encode())


def open_own(sealed: bytes, belongs_to: str) -> bytes:
    """Decrypt what `seal_own` encrypted for the same purpose. Raises CannotOpen."""
    try:
        return key_encryption.unwrap_by_any(sealed, belongs_to.encode())[0]
    except CannotUnwrap:
        raise CannotOpen("the value was changed, or sealed by another key-encryption key") from None


def reseal_bytes(sealed: bytes, belongs_to: str) -> bytes:
    """Return the value encrypted under the key-encryption key in use; unchanged if it already is.

    Raises CannotOpen.
    """
    try:
        plain, wrapper_id = key_encryption.unwrap_by_any(sealed, belongs_to.encode())
    except CannotUnwrap as error:
        raise CannotOpen(str(error)) from None
    own = key_encryption.in_use()
    return sealed if wrapper_id == own.id else own.wrap(plain, belongs_to.encode())


def lock_in_use(tenant_id: UUID) -> Lock:
    """Return the tenant's oldest key in use, loaded at most once a minute.

    The oldest, so that of two keys created at the same moment the same one is always used.
    """
    held = _find_cached_key(tenant_id)
    kept = held.in_use if held is not None else _kept.get(tenant_id)
    if kept is not None:
        return kept
    with tenant_context(tenant_id):
        row = DataKey.objects.filter(retired_at=None).order_by("created_at", "id").first() or _new_data_key()
        lock = _lock(row)
    return lock if row.pk in _uncommitted else _kept.keep(tenant_id, lock)


def lock_of(tenant_id: UUID, sealed: bytes) -> Lock:
    """Return the data key that a sealed value names; the value's head is enough.

    Raises CannotOpen if it is gone.
    """
    if len(sealed) < HEAD_BYTES or sealed[:1] != VERSION:
        raise CannotOpen("this is no sealed value")
    key_id, held = UUID(bytes=sealed[1:HEAD_BYTES]), _find_cached_key(tenant_id)
    if held is not None and key_id in held.locks:
        return held.locks[key_id]
    with tenant_context(tenant_id):
        rows = rows_of(DataKey, "WHERE id = %(id)s", {"id": key_id})
    if not rows:
        raise KeyDestroyed("the data key is gone")
    return _lock(rows[0])


def _lock(row: DataKey) -> Lock:
    return Lock(row.tenant_id, row.pk, _unwrap_data_key(bytes(row.wrapped_key), row.tenant_id, row.kek_id))


def _new_data_key() -> DataKey:
    key_encryption.hold_exchange(is_exchanging=False)
    wrapper = key_encryption.in_use()
    wrapped = wrapper.wrap(os.urandom(KEY_BYTES), _wrapping(current_tenant_id()))
    row = DataKey.objects.create(wrapped_key=wrapped, kek_id=wrapper.id)
    _uncommitted.add(row.pk)
    transaction.on_commit(lambda: _uncommitted.discard(row.pk))
    return row


def new_data_key() -> DataKey:
    """Create a data key for all values sealed from now on, and retire the others, which still open old
    values.

    Needs `tenant_context`. Processes that have cached the key in use continue with it for a minute.
    """
    row = _new_data_key()
    DataKey.objects.filter(retired_at=None).exclude(pk=row.pk).update(retired_at=Now())
    forget()
    return row


def rewrap_data_key(row: DataKey) -> bool:
    """Rewrap a data key under the key-encryption key in use. Return False if it already is.

    Raises CannotOpen. Needs `tenant_context`.
    """
    wrapper, binding = key_encryption.in_use(), _wrapping(row.tenant_id)
    if row.kek_id == wrapper.id:
        return False
    plain = _unwrap_data_key(bytes(row.wrapped_key), row.tenant_id, row.kek_id)
    DataKey.objects.filter(pk=row.pk).update(wrapped_key=wrapper.wrap(plain, binding), kek_id=wrapper.id)
    return True


@lru_cache(maxsize=256)
def _unwrap_data_key(wrapped: bytes, tenant_id: UUID, wrapper_id: str) -> bytes:
    try:
        return key_encryption.unwrap(wrapped, _wrapping(tenant_id), wrapper_id)
    except CannotUnwrap as error:
        raise KeyLocked(f"the data key cannot be unwrapped: {error}") from None


def _wrapping(tenant_id: UUID) -> bytes:
    return WRAPPING + tenant_id.bytes
