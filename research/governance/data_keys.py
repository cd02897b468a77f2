"""Envelope encryption: AES-256-GCM under a tenant's data key, which a key-encryption key wraps.

The key-encryption key comes from the settings or from a file of the data folder that only its owner may read.
A sealed value names its data key, and is bound to what it belongs to: moved to another row or tenant, it does
not open. Without its data key it is lost, which is how a tenant is erased.
"""

import hashlib
import os
from functools import lru_cache
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings

from config.secret_key import stored_secret_key
from research.kept import Kept
from research.models import DataKey
from research.tenancy import current_tenant_id

VERSION = b"\x01"
KEY_BYTES, NONCE_BYTES, ID_BYTES = 32, 12, 16
WRAPPING = b"plumbline data key"
_kept = Kept[UUID, tuple[UUID, bytes]](for_s=60)  # a retired key is used for no longer than this
forget = _kept.forget


class CannotOpen(Exception):
    """A sealed value is damaged, belongs elsewhere, or its key is gone."""


def seal(plain: bytes, belongs_to: str) -> bytes:
    """Encrypt for the current tenant; its first data key is made where there is none. Inside `tenant_context`."""
    key_id, key = _data_key()
    nonce = os.urandom(NONCE_BYTES)
    sealed = AESGCM(key).encrypt(nonce, plain, _binding(belongs_to))
    return VERSION + key_id.bytes + nonce + sealed


def open_sealed(sealed: bytes, belongs_to: str) -> bytes:
    """Decrypt what `seal` made for the same purpose. Raises CannotOpen. Inside `tenant_context`."""
    head = 1 + ID_BYTES + NONCE_BYTES
    if len(sealed) < head or sealed[:1] != VERSION:
        raise CannotOpen("this is no sealed value")
    key = _data_key_of(UUID(bytes=sealed[1 : 1 + ID_BYTES]))
    try:
        return AESGCM(key).decrypt(sealed[1 + ID_BYTES : head], sealed[head:], _binding(belongs_to))
    except InvalidTag:
        raise CannotOpen("the value was changed, or belongs elsewhere") from None


def _binding(belongs_to: str) -> bytes:
    return f"{current_tenant_id()}:{belongs_to}".encode()


def _data_key() -> tuple[UUID, bytes]:
    """The tenant's oldest key in use, so that of two made at the same moment one is used. Asked once a minute."""
    tenant_id = current_tenant_id()
    kept = _kept.get(tenant_id)
    if kept is not None:
        return kept
    row = DataKey.objects.filter(retired_at=None).order_by("created_at", "id").first()
    if row is None:
        row = _new_data_key()  # not kept in memory: the transaction that makes it may still roll back
        return row.pk, _unwrapped(bytes(row.wrapped_key), tenant_id)
    return _kept.keep(tenant_id, (row.pk, _unwrapped(bytes(row.wrapped_key), tenant_id)))


def _data_key_of(key_id: UUID) -> bytes:
    row = DataKey.objects.filter(pk=key_id).first()
    if row is None:
        raise CannotOpen("the data key is gone")
    return _unwrapped(bytes(row.wrapped_key), row.tenant_id)


def _new_data_key() -> DataKey:
    nonce = os.urandom(NONCE_BYTES)
    wrapped = nonce + AESGCM(_kek()).encrypt(nonce, os.urandom(KEY_BYTES), _wrapping(current_tenant_id()))
    return DataKey.objects.create(wrapped_key=wrapped, kek_id=hashlib.sha256(_kek()).hexdigest()[:16])


@lru_cache(maxsize=256)
def _unwrapped(wrapped: bytes, tenant_id: UUID) -> bytes:
    try:
        return AESGCM(_kek()).decrypt(wrapped[:NONCE_BYTES], wrapped[NONCE_BYTES:], _wrapping(tenant_id))
    except InvalidTag:
        raise CannotOpen("the data key was wrapped by another key-encryption key") from None


def _wrapping(tenant_id: UUID) -> bytes:
    return WRAPPING + tenant_id.bytes


def _kek() -> bytes:
    """32 bytes of the key that the settings name, or that the data folder keeps."""
    given = settings.PLUMBLINE_KEY_ENCRYPTION_KEY
    text = given or stored_secret_key(settings.PATHS.key_encryption_key)
    # The text is random and long: a slow derivation would add nothing.
    return hashlib.sha256(b"plumbline kek" + text.encode()).digest()
