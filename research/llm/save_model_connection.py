"""Saves and removes the model server of a workspace. All functions need the tenant set.

A saved key is never shown again, and is sent to no other server than the one it was entered for.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from urllib.parse import urlsplit

from django.contrib.auth.models import User
from django.utils.crypto import salted_hmac
from pydantic import JsonValue

from research.accounts.audit.write_audit_trail import record
from research.db.tenancy import current_tenant_id
from research.llm.model_settings import (
    FALLBACK_KEY,
    KEY,
    Endpoint,
    FallbackModel,
    Models,
    load_connection,
    unseal_key,
)
from research.models import Act, ModelConnection, Tenant
from research.models.base_models import new_id
from research.storage.keys.data_encryption_keys import CannotOpen, seal

HINT = 4  # characters of a key that are shown
MAX_KEY = 500
Place = tuple[str, str, int | None]


@dataclass(frozen=True, slots=True)
class EnteredModels:
    """A connection as an owner entered it.

    A key of None means the saved one, if the address is still the same server's.
    """

    base_url: str
    model: str
    key: str | None = None
    role_models: Mapping[str, str] = field(default_factory=dict)
    fallback_model: str = ""
    fallback_url: str = ""  # empty: the same server
    fallback_key: str | None = None
    regions: Sequence[str] = ()
    context_length: int | None = None

    def __repr__(self) -> str:
        return f"EnteredModels({self.base_url!r}, {self.model!r})"  # a key must not appear in logs


def normal_url(url: str) -> str:
    """Return a URL as it is stored: without the endpoints that clients add themselves."""
    url = url.strip().rstrip("/")
    for ending in ("/chat/completions", "/completions", "/models", "/embeddings"):
        url = url.removesuffix(ending)
    return url.rstrip("/")


def with_saved_keys(entered: EnteredModels) -> EnteredModels:
    """Return the connection with saved keys in place of those that are None.

    Empty if none is saved for that server.
    """
    row = load_connection()
    key, fallback_key = entered.key, entered.fallback_key
    if key is None:
        is_same = row is not None and _place(row.base_url) == _place(entered.base_url)
        key = _load_saved_key(row.sealed_key, f"{KEY}:{row.pk}") if row and is_same else ""
    if fallback_key is None:
        is_same = row is not None and _place(row.fallback_url) == _place(entered.fallback_url)
        is_kept = row is not None and is_same and bool(entered.fallback_url)
        fallback_key = (
            _load_saved_key(row.sealed_fallback_key, f"{FALLBACK_KEY}:{row.pk}") if row and is_kept else ""
        )
    return replace(entered, key=key, fallback_key=fallback_key)


def _load_saved_key(sealed: bytes | memoryview | None, belongs_to: str) -> str:
    """Return a saved key; empty also if it can't be unsealed any more and has to be entered again."""
    try:
        return unseal_key(sealed, belongs_to)
    except CannotOpen:
        return ""


def _place(url: str) -> Place:
    """Return the scheme, host and port of a URL; a key is valid for all of that server."""
    parts = urlsplit(url)
    return parts.scheme, parts.hostname or "", parts.port


def models_as_entered(entered: EnteredModels) -> Models:
    """Return the models that would be called if the connection were saved."""
    entered = with_saved_keys(entered)
    endpoint = Endpoint(entered.base_url, entered.key or "", tuple(entered.regions), is_guarded=True)
    fallback = None
    if entered.fallback_model:
        other = Endpoint(
            entered.fallback_url, entered.fallback_key or "", tuple(entered.regions), is_guarded=True
        )
        fallback = FallbackModel(other if entered.fallback_url else endpoint, entered.fallback_model)
    return Models(endpoint, entered.model, entered.role_models, fallback, entered.context_length)


def save_connection(entered: EnteredModels, person: User | None) -> ModelConnection:
    """Save a workspace's connection for all calls from now on.

    Test results of another server or model are deleted.
    """
    Tenant.objects.select_for_update(no_key=True).get(pk=current_tenant_id())  # one save at a time
    entered = with_saved_keys(entered)
    before = load_connection()
    row = before or ModelConnection(pk=new_id(), tenant_id=current_tenant_id())
    told = _facts(before)
    if before is not None and (row.base_url, row.model) != (entered.base_url, entered.model):
        row.findings, row.checked_at = [], None
    row.base_url, row.model = entered.base_url, entered.model
    row.role_models = {role: model for role, model in entered.role_models.items() if model}
    row.fallback_model, row.fallback_url = entered.fallback_model, entered.fallback_url
    row.regions, row.context_length, row.changed_by = (
        list(entered.regions),
        entered.context_length,
        person,
    )
    row.sealed_key, row.key_hint = _seal_key(entered.key or "", f"{KEY}:{row.pk}")
    row.sealed_fallback_key, row.fallback_key_hint = _seal_key(
        entered.fallback_key or "", f"{FALLBACK_KEY}:{row.pk}"
    )
    row.save(force_insert=before is None)
    record(Act.MODEL, on=row, before=told, after=_facts(row))
    return row


def _seal_key(key: str, belongs_to: str) -> tuple[bytes | None, str]:
    """Return a sealed key and the hint to show for it.

    A short key gets none, since four characters would reveal too much.
    """
    if not key:
        return None, ""
    return seal(key.encode(), belongs_to), key[-HINT:] if len(key) >= 4 * HINT else "…"


def remove_connection() -> bool:
    """Remove a workspace's connection, so that the settings apply again. Return False if there was none."""
    row = load_connection()
    if row is None:
        return False
    record(Act.MODEL, on=row, before=_facts(row), after={})
    row.delete()
    return True


def keep_findings(
    mark: str, findings: Sequence[JsonValue], checked_at: datetime, context_length: int | None
) -> bool:
    """Store the results of a test if it tested the saved connection (`mark_of`).

    The saved version does not change.
    """
    row = load_connection()
    if row is None or mark_of(_load_saved_models(row)) != mark:
        return False
    kept = {"findings": findings, "checked_at": checked_at}
    if row.context_length is None and context_length is not None:
        kept["context_length"] = context_length
    ModelConnection.objects.filter(pk=row.pk).update(**kept)
    return True


def _load_saved_models(row: ModelConnection) -> Models:
    key = _load_saved_key(row.sealed_key, f"{KEY}:{row.pk}")
    return Models(Endpoint(row.base_url, key, is_guarded=True), row.model)


def mark_of(models: Models) -> str:
    """Return a hash that identifies the tested address, key and model without revealing them."""
    tested = "\n".join((models.endpoint.base_url, models.model, models.endpoint.api_key))
    return salted_hmac("research.llm.save_connection", tested, algorithm="sha256").hexdigest()


def _facts(row: ModelConnection | None) -> dict[str, JsonValue]:
    """Return what the audit trail records, never a key."""
    if row is None:
        return {}
    facts = {
        "address": row.base_url,
        "model": row.model,
        "fallback": row.fallback_model,
        "ending": row.key_hint,
    }
    return {name: value for name, value in facts.items() if value}
