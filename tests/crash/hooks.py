"""Webhooks in the rig: Parallel, which sends until it is answered, and a consumer who knows a message by its id."""

import http.client
import json
import socket
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from django.db.models.functions import Now

from research.db.tenancy import tenant_context
from research.integrations.webhooks.webhook_signatures import ID, build_signature_headers, has_valid_signature
from research.models import (
    DeliveryState,
    Kind,
    Run,
    SecretPurpose,
    State,
    TaskState,
    WatchedTask,
    WebhookDelivery,
    WebhookEvent,
)
from research.runtime.fault_injection import FaultPoint
from research.storage.keys.webhook_secrets import key_of
from tests.crash.points import NamedPoint, alone, dead_at
from tests.crash.rig import Process, Rig
from tests.crash.stage import Stage, new_key
from tests.crash.web import SECRETS

PATIENCE_S = 30.0
NO_ANSWER = 0


@dataclass(frozen=True)
class Message:
    """A message of Parallel about a task; all tries of it have one id."""

    task: str

    @property
    def id(self) -> str:
        return f"whevent_{self.task}"

    @property
    def body(self) -> str:
        told = {"run_id": self.task, "status": "completed"}
        return json.dumps({"type": "task_run.status", "timestamp": "2026-01-01T00:00:00Z", "data": told})


class _Wire(http.client.HTTPConnection):
    """A connection to a socket that is a file."""

    def __init__(self, path: Path) -> None:
        super().__init__("localhost", timeout=PATIENCE_S)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self._path))


def deliver_hook(made: Rig, stage: Stage, message: Message) -> int:
    """One try, signed anew: the status that it was answered with, or NO_ANSWER."""
    key = key_of(SECRETS[SecretPurpose.PARALLEL_WEBHOOK])
    headers = build_signature_headers(message.id, datetime.now(UTC), message.body, [key])
    wire = _Wire(made.site_socket)
    try:
        wire.request("POST", f"/hooks/parallel/{stage.tenant_id}/", message.body, headers)
        return wire.getresponse().status
    except (OSError, http.client.HTTPException):
        return NO_ANSWER
    finally:
        wire.close()


def start_trapped_site(named: NamedPoint, made: Rig) -> Process:
    """The site, listening."""
    known = [process for process in made.processes if process.name == "site"]
    site = known[0] if known else made.add_site()
    if known:
        site.end()
    made.site_socket.unlink(missing_ok=True)
    site.start(named.crash_at)
    assert made.wait_until(partial(is_listening, made), PATIENCE_S), "the site does not come up"
    return site


def is_listening(made: Rig) -> bool:
    wire = _Wire(made.site_socket)
    try:
        wire.connect()
    except OSError:
        return False
    finally:
        wire.close()
    return True


def receiver_dies(named: NamedPoint, made: Rig, stage: Stage) -> float | None:
    """Parallel gets no answer, and sends its message again: it is stored once, and one brief comes of its task."""
    made.web("listen", stage.tenant_id, made.partners.url)
    start_trapped_site(named, made)
    message = Message(f"trun_{new_key().replace('.', '_')}")
    assert deliver_hook(made, stage, message) == NO_ANSWER, f"{named.crash_at} was never passed"
    died_at = time.time()
    assert events(stage, message) == (named.point is FaultPoint.WEBHOOK_AFTER_INSERT)
    assert made.wait_until(lambda: deliver_hook(made, stage, message) == 200, PATIENCE_S)
    assert made.wait_until(lambda: is_taken_in(stage, message), PATIENCE_S)
    (run,) = briefs(stage, message)
    stage.wait(made, run)
    assert stage.fresh(run).state == State.COMPLETED
    assert deliver_hook(made, stage, message) == 200  # once more, long after
    assert (events(stage, message), briefs(stage, message)) == (1, [run])
    assert made.wait_until(lambda: is_delivered(stage, run), PATIENCE_S)
    assert len(copies(made, stage, run)) == 1
    return stage.progress_after(run, died_at)


def events(stage: Stage, message: Message) -> int:
    with tenant_context(stage.tenant_id):
        return WebhookEvent.objects.filter(message_id=message.id).count()


def is_taken_in(stage: Stage, message: Message) -> bool:
    with tenant_context(stage.tenant_id):
        tasks = WatchedTask.objects.filter(external_run=message.task)
        return tasks.filter(state=TaskState.TAKEN_IN).exists()


def briefs(stage: Stage, message: Message) -> list[Run]:
    with tenant_context(stage.tenant_id):
        rows = Run.objects.filter(kind=Kind.BRIEF, config__result__run__run_id=message.task)
        return list(rows.order_by("created_at"))


def sender_dies(named: NamedPoint, made: Rig, stage: Stage) -> float | None:
    """A sent message goes out once more, under the same id and with the same words, and no third time."""
    made.web("listen", stage.tenant_id, made.partners.url)
    run = stage.start(made)
    stage.wait(made, run)
    alone(named, made)
    made.web("tell", stage.tenant_id, run.pk)
    dead_at(named, made)
    assert len(copies(made, stage, run)) == 1
    assert not is_delivered(stage, run)
    let_minutes_pass(stage, run)
    began = time.time()
    assert made.wait_until(lambda: is_delivered(stage, run), PATIENCE_S)
    first, second = copies(made, stage, run)
    assert first == second
    return time.time() - began


def let_minutes_pass(stage: Stage, run: Run) -> None:
    """Make the messages due, as after the minutes for which the process that claimed them has them to itself."""
    with tenant_context(stage.tenant_id):
        WebhookDelivery.objects.filter(run=run).update(not_before=Now())


def is_delivered(stage: Stage, run: Run) -> bool:
    with tenant_context(stage.tenant_id):
        return WebhookDelivery.objects.filter(run=run, state=DeliveryState.DELIVERED).exists()


def copies(made: Rig, stage: Stage, run: Run) -> list[tuple[str, bytes]]:
    """Id and words of what the consumer got about the run, each signed as it must be."""
    with tenant_context(stage.tenant_id):
        message_id = WebhookDelivery.objects.values_list("message_id", flat=True).get(run=run)
    found = [(headers, body) for headers, body in made.partners.got if headers.get(ID) == message_id]
    key = key_of(SECRETS[SecretPurpose.REWRITE])
    assert all(has_valid_signature(body, headers, [key]) for headers, body in found)
    return [(headers[ID], body) for headers, body in found]
