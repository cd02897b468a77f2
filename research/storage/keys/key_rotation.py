"""Rotates keys while work goes on: a tenant's data keys, and the installation's key-encryption key.

The rows show what is left to do, so an operation that was killed resumes where it stopped.
"""

from base64 import b64decode, b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from uuid import UUID

from allauth.mfa.models import Authenticator
from django.db import connection, models, transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from research.db.tenancy import tenant_context, tenant_ids
from research.models import DataKey, ModelCall, ModelConnection, TenantSecret
from research.storage.keys import key_encryption
from research.storage.keys.backup_keys import rewrap_ring
from research.storage.keys.data_encryption_keys import (
    VERSION,
    lock_in_use,
    lock_of,
    new_data_key,
    reseal_bytes,
    rewrap_data_key,
)
from research.storage.stored_tenant_objects import keys_of, seal_anew

SECOND_FACTOR = "second factor"  # what an authenticator's secrets are sealed for
BATCH = 100
# A process that reads a large folder uses the key that was in use when it began.
RETIRED_FOR = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class SealedColumn:
    """A column of sealed values, each bound to `belongs_to` and its row's primary key."""

    model: type[models.Model]
    field: str
    belongs_to: str

    @property
    def table(self) -> str:
        return self.model._meta.db_table


SEALED = (
    SealedColumn(TenantSecret, "sealed", "secret"),
    SealedColumn(ModelCall, "answer", "answer"),
    SealedColumn(ModelCall, "request_body", "request"),
    SealedColumn(ModelCall, "response_body", "response"),
    SealedColumn(ModelConnection, "sealed_key", "model_key"),
    SealedColumn(ModelConnection, "sealed_fallback_key", "fallback_key"),
)


@dataclass(frozen=True, slots=True)
class ResealCounts:
    """Numbers of resealed values and objects, of destroyed keys, and of keys to be destroyed later."""

    values: int = 0
    objects: int = 0
    destroyed: int = 0
    kept: int = 0  # unused retired keys, not retired long enough to be destroyed


def rotate(tenant_id: UUID) -> DataKey:
    """Create a new data key for the tenant; values sealed with the old ones still open."""
    with tenant_context(tenant_id):
        return new_data_key()


def reseal(tenant_id: UUID) -> ResealCounts:
    """Reseal what retired keys sealed under the key in use, then destroy those retired for `RETIRED_FOR`.

    Raises CannotOpen, OSError.
    """
    with tenant_context(tenant_id):
        retired = list(DataKey.objects.exclude(retired_at=None))
    values = sum(_reseal_column(tenant_id, column, old.pk) for old in retired for column in SEALED)
    objects = sum(seal_anew(tenant_id, key, old.pk) for old in retired for key in keys_of(tenant_id))
    destroyed = sum(_destroy(tenant_id, old) for old in retired)
    return ResealCounts(values, objects, destroyed, len(retired) - destroyed)


def _reseal_column(tenant_id: UUID, column: SealedColumn, key_id: UUID) -> int:
    done = 0
    while batch := _reseal_batch(tenant_id, column, key_id):
        done += batch
    return done


def _reseal_batch(tenant_id: UUID, column: SealedColumn, key_id: UUID) -> int:
    """Reseal a batch of values.

    It waits for locked rows, which would be unreadable once their key is destroyed.
    """
    with tenant_context(tenant_id), connection.cursor() as cursor:
        cursor.execute(
            f"SELECT id, {column.field} FROM {column.table}"  # noqa: S608 - names of ours
            f" WHERE tenant_id = %s AND substring({column.field} FROM 1 FOR 17) = %s LIMIT %s FOR UPDATE",
            [tenant_id, VERSION + key_id.bytes, BATCH],
        )
        rows = cursor.fetchall()
        for pk, sealed in rows:
            purpose = f"{column.belongs_to}:{pk}"
            plain = lock_of(tenant_id, bytes(sealed)).open(bytes(sealed), purpose)
            anew = lock_in_use(tenant_id).seal(plain, purpose)
            # In SQL, not through the model, so that immutable rows change in nothing but their encryption.
            cursor.execute(f"UPDATE {column.table} SET {column.field} = %s WHERE id = %s", [anew, pk])  # noqa: S608
    return len(rows)


def _destroy(tenant_id: UUID, old: DataKey) -> bool:
    """Destroy a key, unless it was in use within the last day: a process may still seal with it."""
    with tenant_context(tenant_id):
        done, _ = DataKey.objects.filter(pk=old.pk, retired_at__lt=Now() - RETIRED_FOR).delete()
    return bool(done)


@dataclass(frozen=True, slots=True)
class RewrapCounts:
    """The number of keys and secrets that were rewrapped."""

    data_keys: int = 0
    secrets: int = 0
    backup_keys: int = 0


def rewrap() -> RewrapCounts:
    """Rewrap everything under the key-encryption key in use. Raises the error of a key that does not open."""
    keys = sum(_rewrap_keys(tenant_id) for tenant_id in tenant_ids())
    return RewrapCounts(keys, _rewrap_authenticators(), rewrap_ring())


def _rewrap_keys(tenant_id: UUID) -> int:
    with tenant_context(tenant_id):
        key_encryption.hold_exchange(is_exchanging=True)
        return sum(rewrap_data_key(row) for row in DataKey.objects.select_for_update())


def _rewrap_authenticators() -> int:
    done, rows = 0, Authenticator.objects.order_by("pk").values_list("pk", flat=True)
    for keys in _batches(rows):
        with transaction.atomic():
            key_encryption.hold_exchange(is_exchanging=True)
            done += sum(
                _rewrap_one(row) for row in Authenticator.objects.select_for_update().filter(pk__in=keys)
            )
    return done


def _rewrap_one(row: Authenticator) -> bool:
    data = {name: _anew(name, value) for name, value in row.data.items()}
    if data == row.data:
        return False
    row.data = data
    row.save(update_fields=["data"])
    return True


def _anew(name: str, value: object) -> object:
    """Return an authenticator's value, rewrapped if it is a secret or recovery codes.

    Other values unchanged.
    """
    if name in ("secret", "seed") and isinstance(value, str):
        return b64encode(reseal_bytes(b64decode(value), SECOND_FACTOR)).decode()
    if name == "migrated_codes" and isinstance(value, list):
        return [b64encode(reseal_bytes(b64decode(code), SECOND_FACTOR)).decode() for code in value]
    return value


def _batches(found: "QuerySet[Authenticator, int]") -> Iterator[list[int]]:
    rows = iter(list(found))
    while batch := list(islice(rows, BATCH)):
        yield batch
