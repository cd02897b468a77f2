"""What the log of model calls keeps: who, hashed; what, hashed, or redacted and encrypted where the tenant wants it.

(spec: governance.md, Secure log)
"""

import hashlib
import json
from dataclasses import dataclass
from functools import lru_cache
from uuid import UUID

from django.utils.crypto import salted_hmac

from research.governance.data_keys import seal
from research.kept import Kept
from research.llm.log.personal_data import kinds_of, redacted
from research.llm.provider.replies import Reply
from research.models import KeptBodies, Run, Tenant


@dataclass(frozen=True, slots=True)
class Identities:
    """Who called, recognisable only with our secret key."""

    tenant: str
    user: str
    run: str


def identities(tenant_id: UUID, run_id: UUID) -> Identities:
    """Inside `tenant_context`."""
    return Identities(
        _hashed("tenant", tenant_id), _hashed("user", _owner_of(run_id)), _hashed("run", run_id)
    )


def _hashed(kind: str, value: object) -> str:
    return salted_hmac(f"research.llm.{kind}", str(value), algorithm="sha256").hexdigest()


@lru_cache(maxsize=4096)
def _owner_of(run_id: UUID) -> int:
    return int(Run.objects.values_list("owner_id", flat=True).get(pk=run_id))


@dataclass(frozen=True, slots=True)
class Words:
    """What is kept of what was said."""

    response_hash: str
    pii_types: list[str]
    request_body: bytes | None = None
    response_body: bytes | None = None


def said(reply: Reply) -> str:
    """All words of an answer."""
    calls = [[call.name, call.arguments] for call in reply.tool_calls]
    return f"{reply.text}{reply.refusal}{json.dumps(calls) if calls else ''}"


def kept_words(call_id: UUID, tenant_id: UUID, request: str, response: str) -> Words:
    """Inside `tenant_context`."""
    digest = hashlib.sha256(response.encode()).hexdigest()
    kinds = sorted({*kinds_of(request), *kinds_of(response)})
    if kept_bodies(tenant_id) != KeptBodies.ENCRYPTED:
        return Words(digest, kinds)
    return Words(
        digest,
        kinds,
        seal(redacted(request).encode(), f"request:{call_id}"),
        seal(redacted(response).encode(), f"response:{call_id}"),
    )


_settings = Kept[UUID, str](for_s=60)
forget = _settings.forget


def kept_bodies(tenant_id: UUID) -> str:
    """The tenant's setting, asked for once a minute. Inside `tenant_context`."""
    known = _settings.get(tenant_id)
    asked = Tenant.objects.values_list("kept_bodies", flat=True)
    return known or _settings.keep(tenant_id, str(asked.get(pk=tenant_id)))
