"""Webhooks from Parallel: verified, stored once, answered at once, processed later.

A message only says that a task should be looked at: its state is fetched from Parallel. So a message that is repeated,
late or out of order does no harm.
"""

import json
from collections.abc import Mapping
from enum import Enum
from functools import partial
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models.functions import Now

from research.db.sanitize import DEEPEST, is_deeper
from research.db.tenancy import tenant_context
from research.integrations.webhooks.webhook_signatures import ID, has_valid_signature
from research.models import Membership, Role, SecretPurpose, WatchedTask, WebhookEvent
from research.models.webhook_models import TaskState
from research.runtime.fault_injection import FaultPoint, crash_point
from research.runtime.logs import logger
from research.storage.keys.data_encryption_keys import CannotOpen
from research.storage.keys.webhook_secrets import key_of, select_active_secrets, texts_of

PROVIDER = "parallel"
MAX_BODY = 256 * 1024  # bytes
STATUS_EVENT = "task_run.status"
ENDED = frozenset({"completed", "failed", "cancelled"})
MAX_ID_LENGTH, MAX_STATUS_LENGTH = 200, 40  # characters

log = logger(__name__)


class WebhookOutcome(Enum):
    """The outcome of receiving a message."""

    TAKEN = "taken"
    KNOWN = "known"  # a repeated message
    UNSIGNED = "unsigned"
    UNREADABLE = "unreadable"  # signed, but not a task event
    NOBODY = "nobody"  # no such workspace, or it expects no messages


def receive(tenant_id: UUID, body: bytes, headers: Mapping[str, str]) -> WebhookOutcome:
    """Verify and store a message in one transaction. `headers` has lower-case names."""
    with tenant_context(tenant_id):
        try:
            keys = [key_of(text) for text in texts_of(SecretPurpose.PARALLEL_WEBHOOK)]
        except CannotOpen:
            keys = []
        if not keys:
            return WebhookOutcome.NOBODY
        if not has_valid_signature(body, headers, keys):
            return WebhookOutcome.UNSIGNED
        crash_point(FaultPoint.WEBHOOK_AFTER_VERIFY)
        event = _event(body, headers[ID])
        if event is None:
            return WebhookOutcome.UNREADABLE
        return _store(event)


def _event(body: bytes, message_id: str) -> WebhookEvent | None:
    """Build the unsaved event; None if the message is not a task event."""
    try:
        text = body.decode()  # json would also guess UTF-16, whose escapes are not seen below
        given = json.loads(text)
        # Lone surrogates and unlimited numbers are valid JSON that cannot be stored.
        json.dumps(given, allow_nan=False, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return None
    if is_deeper(given, DEEPEST):
        return None
    data = given.get("data") if isinstance(given, dict) else None
    if not isinstance(data, dict) or not isinstance(given.get("type"), str):
        return None
    run_id, status = data.get("run_id"), data.get("status")
    if (
        not isinstance(run_id, str)
        or not isinstance(status, str)
        or not run_id
        or len(run_id) > MAX_ID_LENGTH
    ):
        return None
    if "\0" in run_id or "\\u0000" in text:
        return None
    return WebhookEvent(
        provider=PROVIDER,
        message_id=message_id,
        external_run=run_id,
        status=status[:MAX_STATUS_LENGTH],
        payload=given,
    )


def _store(event: WebhookEvent) -> WebhookOutcome:
    with transaction.atomic():
        WebhookEvent.objects.bulk_create([event], ignore_conflicts=True)
        if not WebhookEvent.objects.filter(pk=event.pk).exists():
            return WebhookOutcome.KNOWN
        if event.payload["type"] == STATUS_EVENT and event.status in ENDED:
            _watch(event)
        WebhookEvent.objects.filter(pk=event.pk).update(processed_at=Now())
        transaction.on_commit(partial(crash_point, FaultPoint.WEBHOOK_AFTER_INSERT))
    log.info("webhook_taken", status=event.status)
    return WebhookOutcome.TAKEN


def _watch(event: WebhookEvent) -> None:
    """Schedule the task to be checked next, whether it is new or known; a finished one is left unchanged."""
    WatchedTask.objects.bulk_create(
        [WatchedTask(external_run=event.external_run, owner=_owner(), arrived="webhook")],
        ignore_conflicts=True,
    )
    known = WatchedTask.objects.filter(external_run=event.external_run, state=TaskState.WAITING)
    known.update(not_before=None, updated_at=Now())


def _owner() -> User | None:
    """Return the owner of the briefs: the user who set up the secret, else the workspace's owner."""
    made_by = [
        row.made_by for row in select_active_secrets(SecretPurpose.PARALLEL_WEBHOOK).select_related("made_by")
    ]
    active = [user for user in made_by if user is not None and user.is_active]
    if active:
        return active[0]
    owners = Membership.objects.filter(role=Role.OWNER, user__is_active=True).select_related("user")
    first = owners.order_by("pk").first()
    return first.user if first else None
