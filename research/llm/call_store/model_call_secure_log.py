"""The log of model calls: callers and contents are hashed (spec: governance.md, Secure log).

Contents are stored as well, redacted and encrypted, if the tenant wants it.
"""

import hashlib
import json
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING
from uuid import UUID

from django.utils.crypto import salted_hmac
from pydantic import BaseModel, ConfigDict

from research.llm.call_store.model_call_personal_data import kinds_of, redact_personal_data
from research.llm.provider.completion_replies import Reply
from research.models import KeptBodies, Run, Tenant
from research.parsing.lenient_json import Json, read_json
from research.runtime.ttl_cache import TtlCache
from research.storage.keys.data_encryption_keys import seal

if TYPE_CHECKING:
    from research.llm.model_requests import ModelCallRequest

REQUEST, RESPONSE = "request", "response"  # what bodies are sealed for, with the call's id


@dataclass(frozen=True, slots=True)
class Identities:
    """The caller of a model as keyed hashes, which only this installation's secret key can match."""

    tenant: str
    user: str
    run: str


def identities(tenant_id: UUID, run_id: UUID) -> Identities:
    """Return the hashed identities of a run's caller. Needs `tenant_context`."""
    return Identities(
        _hash_value("tenant", tenant_id), _hash_value("user", _owner_of(run_id)), _hash_value("run", run_id)
    )


def _hash_value(kind: str, value: object) -> str:
    return salted_hmac(f"research.llm.{kind}", str(value), algorithm="sha256").hexdigest()


@lru_cache(maxsize=4096)
def _owner_of(run_id: UUID) -> int:
    return int(Run.objects.values_list("owner_id", flat=True).get(pk=run_id))


@dataclass(frozen=True, slots=True)
class CallContent:
    """The content of a model call, as far as the log keeps it."""

    response_hash: str
    pii_types: list[str]
    request_body: bytes | None = None
    response_body: bytes | None = None


class KeptToolCall(BaseModel):
    """A tool call, as the model requested it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    arguments: str


class KeptReply(BaseModel):
    """The logged body of an answer, in JSON.

    No field has a default, so that text that a model wrote never validates as one.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    text: str
    refusal: str
    finish_reason: str
    tool_calls: tuple[KeptToolCall, ...]


def format_reply_text(reply: Reply) -> str:
    """Return all text of an answer."""
    calls = [[call.name, call.arguments] for call in reply.tool_calls]
    return f"{reply.text}{reply.refusal}{json.dumps(calls) if calls else ''}"


def build_logged_words(
    call_id: UUID, tenant_id: UUID, asked: "ModelCallRequest", reply: Reply | None
) -> CallContent:
    """Return what the log keeps of a request and its reply; `reply` is None where no words came back.

    Inside `tenant_context`.
    """
    response = format_reply_text(reply) if reply else ""
    digest = hashlib.sha256(response.encode()).hexdigest() if reply else ""
    kinds = sorted({*kinds_of(asked.text), *kinds_of(response)})
    if load_kept_bodies(tenant_id) != KeptBodies.ENCRYPTED:
        return CallContent(digest, kinds)
    return CallContent(
        digest,
        kinds,
        seal(_request_body(asked).encode(), f"{REQUEST}:{call_id}"),
        seal(_response_body(reply).encode(), f"{RESPONSE}:{call_id}") if reply else None,
    )


def _request_body(asked: "ModelCallRequest") -> str:
    facts = json.loads(asked.text)
    if asked.schema_name:
        facts["schema_name"] = asked.schema_name
    return json.dumps(_redact_values(facts), ensure_ascii=False)


def _response_body(reply: Reply) -> str:
    calls = tuple(
        KeptToolCall(name=call.name, arguments=_redact_text(call.arguments)) for call in reply.tool_calls
    )
    return KeptReply(
        text=_redact_text(reply.text),
        refusal=redact_personal_data(reply.refusal),
        finish_reason=reply.finish_reason,
        tool_calls=calls,
    ).model_dump_json()


def _redact_text(text: str) -> str:
    """Redact a text.

    Text that is JSON, as in calls and results of tools, is redacted value by value and then as a whole, since
    a number may be a card's.
    """
    if text[:1] not in ("{", "["):
        return redact_personal_data(text)
    try:
        value = read_json(text)
        clean = _redact_values(value)
    except (ValueError, RecursionError):
        return redact_personal_data(text)
    return redact_personal_data(text if clean == value else json.dumps(clean, ensure_ascii=False))


def _redact_values(value: Json) -> Json:
    """Redact each string by itself.

    In JSON a line break is written as two characters, and the second looks like part of a word.
    """
    if isinstance(value, str):
        return _redact_text(value)
    if isinstance(value, list):
        return [_redact_values(part) for part in value]
    if isinstance(value, dict):
        return {name: _redact_values(part) for name, part in value.items()}
    return value


_settings = TtlCache[UUID, str](for_s=60)
forget = _settings.forget


def load_kept_bodies(tenant_id: UUID) -> str:
    """Return the tenant's log level, read at most once a minute. Needs `tenant_context`."""
    known = _settings.get(tenant_id)
    asked = Tenant.objects.values_list("kept_bodies", flat=True)
    return known or _settings.keep(tenant_id, str(asked.get(pk=tenant_id)))
