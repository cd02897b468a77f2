"""What the log of model calls keeps: who, hashed; what, hashed, or redacted and encrypted where the tenant wants it.

(spec: governance.md, Secure log)
"""

import hashlib
import json
import threading
import time
from dataclasses import dataclass
from functools import lru_cache
from uuid import UUID

from django.utils.crypto import salted_hmac

from research.governance.data_keys import seal
from research.llm.log.personal_data import kinds_of, redacted
from research.llm.provider.replies import Reply
from research.models import KeptBodies, Run, Tenant

KEPT_S = 60.0  # a change of the tenant's setting counts within this time


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


_lock = threading.Lock()
_kept: dict[UUID, tuple[float, str]] = {}


def kept_bodies(tenant_id: UUID) -> str:
    """The tenant's setting, asked for once a minute. Inside `tenant_context`."""
    now = time.monotonic()
    with _lock:
        known = _kept.get(tenant_id)
    if known is not None and now - known[0] < KEPT_S:
        return known[1]
    setting = str(Tenant.objects.values_list("kept_bodies", flat=True).get(pk=tenant_id))
    with _lock:
        _kept[tenant_id] = (now, setting)
    return setting


def forget() -> None:
    """As after a restart."""
    with _lock:
        _kept.clear()
