"""Sends waiting deliveries: one POST for each try, to an address that is checked when connecting.

A process that is killed between sending and marking sends again under the same `webhook-id`, by which consumers
recognize it.
"""

import asyncio
import random
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

import httpcore2
import httpx2
from django.db.models import F
from django.db.models.functions import Now
from django.utils import timezone

from research.db.tenancy import tenant_context
from research.fetching.denied_addresses import address_rules
from research.fetching.http_connection_pool import GuardedTransport
from research.fetching.ssrf_guard import BlockedConnection as GuardRefused
from research.fetching.ssrf_guard import GuardedBackend, NoSuchHost
from research.fetching.strict_urls import UrlRefused, parse_url
from research.integrations.webhooks.outgoing_webhooks import due
from research.integrations.webhooks.webhook_signatures import build_signature_headers
from research.models import DeliveryState, SecretPurpose, WebhookDelivery, WebhookEndpoint
from research.runtime.fault_injection import FaultPoint, crash_point
from research.runtime.logs import logger
from research.storage.keys.data_encryption_keys import CannotOpen
from research.storage.keys.webhook_secrets import key_of, texts_of

log = logger(__name__)

MAX_TRIES = 12  # the pauses between them double from ten seconds to six hours: about a day in all
MIN_PAUSE, MAX_PAUSE = timedelta(seconds=10), timedelta(hours=6)
TAKEN_FOR = timedelta(minutes=2)  # longer than a try can take
ANSWER_S = 15.0
KEPT_TRIES = 20
MAX_ERROR_LENGTH = 300  # characters


def send_of_tenant(tenant_id: UUID) -> int:
    tries = 0
    while (taken := _take(tenant_id)) is not None:
        outcome = asyncio.run(_post(taken)) if not taken.problem else DeliveryAttempt(0, taken.problem, 0)
        crash_point(FaultPoint.SENT_BEFORE_MARK)
        _mark(tenant_id, taken, outcome)
        tries += 1
    return tries


@dataclass(frozen=True, slots=True)
class ClaimedDelivery:
    """A delivery that no other process sends for a while. `problem` says why it cannot be tried."""

    delivery: UUID
    url: str
    headers: Mapping[str, str]
    body: bytes
    attempts: int
    problem: str = ""


@dataclass(frozen=True, slots=True)
class DeliveryAttempt:
    """The outcome of a try. `status` 0: there was no response."""

    status: int
    error: str
    ms: int

    @property
    def is_taken(self) -> bool:
        return 200 <= self.status < 300


def _take(tenant_id: UUID) -> ClaimedDelivery | None:
    with tenant_context(tenant_id):
        locked = due().select_for_update(skip_locked=True, no_key=True)
        row = locked.order_by("created_at", "pk").first()
        if row is None:
            return None
        WebhookDelivery.objects.filter(pk=row.pk).update(
            attempts=F("attempts") + 1, not_before=Now() + TAKEN_FOR, updated_at=Now()
        )
        return _ready(row)


def _ready(row: WebhookDelivery) -> ClaimedDelivery:
    endpoint = WebhookEndpoint.objects.filter(consumer=row.consumer, enabled=True).first()
    attempts = row.attempts + 1
    try:
        keys = [key_of(text) for text in texts_of(SecretPurpose(row.consumer))]
    except CannotOpen as error:
        return ClaimedDelivery(row.pk, "", {}, b"", attempts, f"The secret cannot be decrypted: {error}.")
    if endpoint is None:
        return ClaimedDelivery(row.pk, "", {}, b"", attempts, "No address is set for this consumer any more.")
    if not keys:
        return ClaimedDelivery(row.pk, "", {}, b"", attempts, "There is no secret to sign it with.")
    headers = build_signature_headers(row.message_id, timezone.now(), row.body, keys)
    return ClaimedDelivery(row.pk, endpoint.url, headers, row.body.encode(), attempts)


async def _post(taken: ClaimedDelivery) -> DeliveryAttempt:
    """Send one POST to a checked address; redirects are not followed, and only the status of the answer counts."""
    began = time.monotonic()
    try:
        target = parse_url(taken.url, allow_loopback=address_rules().allow_loopback)
        status = await asyncio.wait_for(_status(target.url, taken), ANSWER_S)
        error = "" if 200 <= status < 300 else f"The receiver answered with status {status}."
    except UrlRefused as refused:
        status, error = 0, f"The address is refused: {refused}."
    except (GuardRefused, NoSuchHost) as refused:
        status, error = 0, f"The address cannot be used: {refused}."
    except (TimeoutError, httpcore2.TimeoutException):
        status, error = 0, f"There was no answer within {ANSWER_S:.0f} s."
    except (httpcore2.NetworkError, httpcore2.ProtocolError, httpx2.HTTPError, OSError) as broken:
        log.info("webhook_receiver_unreachable", error=type(broken).__name__)
        status, error = 0, "It could not be reached."
    return DeliveryAttempt(status, error[:MAX_ERROR_LENGTH], round(1000 * (time.monotonic() - began)))


async def _status(url: str, taken: ClaimedDelivery) -> int:
    transport = GuardedTransport(GuardedBackend(address_rules()))
    sent = {**taken.headers, "content-type": "application/json", "user-agent": "Plumbline/0.1 (webhooks)"}
    async with (
        httpx2.AsyncClient(
            transport=transport, follow_redirects=False, trust_env=False, timeout=ANSWER_S
        ) as client,
        client.stream("POST", url, content=taken.body, headers=sent) as response,
    ):
        return response.status_code


def _mark(tenant_id: UUID, taken: ClaimedDelivery, tried: DeliveryAttempt) -> None:
    with tenant_context(tenant_id):
        row = WebhookDelivery.objects.select_for_update(no_key=True).filter(pk=taken.delivery).first()
        if row is None or row.state == DeliveryState.DELIVERED:
            return
        moment = timezone.now()
        note = {"at": moment.isoformat(), "status": tried.status, "error": tried.error, "ms": tried.ms}
        row.tries = [*row.tries, note][-KEPT_TRIES:]
        if tried.is_taken:
            row.state, row.delivered_at, row.not_before = DeliveryState.DELIVERED, moment, None
        elif taken.attempts >= MAX_TRIES:
            row.state, row.not_before = DeliveryState.GIVEN_UP, None
        else:
            row.not_before = moment + pause_after(taken.attempts)
        row.save(update_fields=["tries", "state", "delivered_at", "not_before", "updated_at"])


def pause_after(tries: int, draw: float | None = None) -> timedelta:
    """Return the delay after this number of failed tries (1 or more): doubling, and up to a quarter more.

    `draw` (0–1) is random by default, so that consumers that were away are not all called at once.
    """
    share = random.random() if draw is None else draw  # noqa: S311  # spreads load, keeps no secret
    return min(MIN_PAUSE * (1 << min(tries - 1, 20)), MAX_PAUSE) * (1 + share / 4)
