"""The logged requests and replies of model calls, for display. Needs the tenant set.

Only the logged bodies are read, since they are redacted. The answer that a step's next execution finds is not
redacted, and is never shown.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

from research.accounts.audit.write_audit_trail import On, record
from research.llm.call_store.model_call_secure_log import REQUEST, RESPONSE, KeptReply
from research.models import Act, KeptBodies, ModelCall, ModelCallStatus, Operation, Outcome, Tenant
from research.parsing.lenient_json import read_json
from research.storage.keys.data_encryption_keys import CannotOpen, KeyDestroyed, KeyLocked, open_sealed

REPAIR = ".repair"  # suffix of the purpose of a call that requests an answer in the right form


class UnreadableReason(StrEnum):
    """A reason why the text of a call cannot be shown."""

    IN_FLIGHT = "in_flight"
    OFF = "off"
    HASHED = "hashed"
    NOT_KEPT = "not_kept"
    DESTROYED = "destroyed"
    LOCKED = "locked"
    DAMAGED = "damaged"


_HOW = _(
    "To store it from the next call on, an administrator must set “Kept bodies” of the workspace to "
    "“Encrypted” in the admin, under Tenants."
)
REASONS: Mapping[UnreadableReason, tuple[Promise, ...]] = {
    UnreadableReason.IN_FLIGHT: (
        _("This call has not ended yet. Its text is stored when it has: open this page again later."),
    ),
    UnreadableReason.OFF: (
        _("The text of this call was not stored: the log level of this workspace is “Off”."),
        _HOW,
    ),
    UnreadableReason.HASHED: (
        _(
            "The text of this call was not stored: the log level of this workspace is “Hashed”, which stores "
            "only a fingerprint."
        ),
        _HOW,
    ),
    UnreadableReason.NOT_KEPT: (
        _(
            "The text of this call was not stored, although the log stores that of newer calls: the call was "
            "made before the workspace’s level was set to “Encrypted”, or the process that made it ended "
            "before it could store the text."
        ),
    ),
    UnreadableReason.DESTROYED: (
        _(
            "The text of this call can no longer be read: the data key that it was encrypted with has been "
            "destroyed. It cannot be recovered."
        ),
    ),
    UnreadableReason.LOCKED: (
        _(
            "The text of this call is stored, but this installation cannot decrypt it: the workspace’s data "
            "key was wrapped with a key-encryption key that is not set here. An administrator can set the "
            "earlier one as PLUMBLINE_PREVIOUS_KEY_ENCRYPTION_KEY (docs/keys.md)."
        ),
    ),
    UnreadableReason.DAMAGED: (
        _(
            "The text of this call cannot be read: the stored data was changed or belongs to another call. A "
            "backup may still have it (docs/backups.md)."
        ),
    ),
}


class Repair(StrEnum):
    """The outcome of validating an answer: valid, or requested again."""

    NONE = "none"
    REPAIRED = "repaired"  # it was invalid; the repair call returned a valid one
    NOT_REPAIRED = "not_repaired"  # the repair call's answer was invalid too
    IS_REPAIR = "is_repair"  # this is the repair call


@dataclass(frozen=True, slots=True)
class LoggedCall:
    """A call, and whether its answer was repaired. Its text is read one call at a time, by `read_words`."""

    row: ModelCall
    repair: Repair


class _LenientCall(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class SaidCall(_LenientCall):
    """A tool call in an earlier turn."""

    name: str = ""
    arguments: str = ""


class SaidTurn(_LenientCall):
    """One message of a request."""

    speaker: str = ""
    content: str = ""
    tool_calls: tuple[SaidCall, ...] = ()


class _StoredRequest(_LenientCall):
    messages: tuple[SaidTurn, ...] = ()
    texts: tuple[str, ...] = ()  # to be embedded
    picture: str = ""
    schema_name: str = ""
    tools: tuple[tuple[str, str, JsonValue], ...] = ()
    max_output_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class OfferedTool:
    """A tool that the model could call. `parameters` is the JSON schema of its input."""

    name: str
    description: str
    parameters: str


@dataclass(frozen=True, slots=True)
class CallWords:
    """The text of a call, redacted. `reply` is None if there was none."""

    turns: tuple[SaidTurn, ...]
    schema_name: str = ""
    schema: str = ""  # as JSON; empty if there was none
    tools: tuple[OfferedTool, ...] = ()
    max_output_tokens: int | None = None
    reply: KeptReply | None = None


def load_logged_calls(run_id: UUID, step_keys: Collection[str] | None = None) -> list[LoggedCall]:
    """Return the calls of a run, or of some of its steps, in their order and without their text."""
    rows = ModelCall.objects.filter(run_id=run_id)
    if step_keys is not None:
        rows = rows.filter(step_key__in=step_keys)
    found = list(rows.defer("answer", "request_body", "response_body").order_by("created_at", "id"))
    repairs = _repairs(found)
    return [LoggedCall(row, _repair_of(row, repairs)) for row in found]


def to_logged_call(row: ModelCall) -> LoggedCall:
    """Return a call together with whether its answer was repaired."""
    if row.run_id is None:
        return LoggedCall(row, Repair.NONE)
    beside = ModelCall.objects.filter(
        run_id=row.run_id, step_key=row.step_key, purpose=f"{row.purpose}{REPAIR}"
    ).only("step_key", "purpose", "status")
    return LoggedCall(row, _repair_of(row, _repairs(beside)))


Repairs = dict[tuple[str, str], bool]


def _repairs(rows: Iterable[ModelCall]) -> Repairs:
    """Map each step and purpose that had a repair call to whether that brought a valid answer."""
    found: Repairs = {}
    for row in rows:
        if row.purpose.endswith(REPAIR):
            place = (row.step_key, row.purpose.removesuffix(REPAIR))
            found[place] = found.get(place, False) or row.status == ModelCallStatus.STORED
    return found


def _repair_of(row: ModelCall, repairs: Repairs) -> Repair:
    if row.purpose.endswith(REPAIR):
        return Repair.IS_REPAIR
    is_repaired = repairs.get((row.step_key, row.purpose))
    if is_repaired is None:
        return Repair.NONE
    return Repair.REPAIRED if is_repaired else Repair.NOT_REPAIRED


def read_words(row: ModelCall) -> CallWords | UnreadableReason:
    """Return the text of a call, or why it cannot be read.

    Each view is recorded in the workspace’s audit trail.
    """
    found = _read_words(row)
    outcome = Outcome.REFUSED if isinstance(found, UnreadableReason) else Outcome.DONE
    record(Act.CALL_READ, on=build_audit_target(row), outcome=outcome)
    return found


def build_audit_target(row: ModelCall) -> On:
    """Return a call as a target in the audit trail."""
    return On("modelcall", str(row.pk), f"{row.step_key} {row.purpose}".strip())


def _read_words(row: ModelCall) -> CallWords | UnreadableReason:
    if row.request_body is None and row.response_body is None:
        return _why_not_kept(row)
    try:
        request = _unseal_body(row.request_body, REQUEST, row.pk)
        response = _unseal_body(row.response_body, RESPONSE, row.pk)
    except KeyDestroyed:
        return UnreadableReason.DESTROYED
    except KeyLocked:
        return UnreadableReason.LOCKED
    except (CannotOpen, UnicodeDecodeError):
        return UnreadableReason.DAMAGED
    return _parse_call_words(request, _reply(response, row))


def _why_not_kept(row: ModelCall) -> UnreadableReason:
    if row.status == ModelCallStatus.SENT:
        return UnreadableReason.IN_FLIGHT
    level = Tenant.objects.values_list("kept_bodies", flat=True).get(pk=row.tenant_id)
    whys = {KeptBodies.OFF: UnreadableReason.OFF, KeptBodies.HASHED: UnreadableReason.HASHED}
    return whys.get(KeptBodies(level), UnreadableReason.NOT_KEPT)


def _unseal_body(sealed: bytes | memoryview | None, purpose: str, call_id: UUID) -> str:
    """Unseal a body. Raises CannotOpen."""
    return open_sealed(bytes(sealed), f"{purpose}:{call_id}").decode() if sealed else ""


def _reply(response: str, row: ModelCall) -> KeptReply | None:
    """Return a logged reply; None for vectors and pictures, which are stored elsewhere.

    Rows of older releases hold plain text, which becomes the reply's text.
    """
    if not response or row.operation in (Operation.EMBEDDING, Operation.PICTURE):
        return None
    try:
        return KeptReply.model_validate_json(response)
    except ValidationError:
        return KeptReply(text=response, refusal="", finish_reason="", tool_calls=())


def _parse_call_words(request: str, reply: KeptReply | None) -> CallWords:
    """Return the parts of a request; if it has none, as rows of older releases may, its text unchanged."""
    try:
        facts = read_json(request)
        asked = _StoredRequest.model_validate(facts)
    except ValueError:
        return CallWords((SaidTurn(content=request),) if request else (), reply=reply)
    turns = asked.messages or tuple(SaidTurn(speaker="user", content=text) for text in _texts(asked))
    schema = facts.get("schema") if isinstance(facts, dict) else None
    return CallWords(
        turns or (SaidTurn(content=request),),
        asked.schema_name,
        _dump_indented_json(schema) if schema else "",
        tuple(
            OfferedTool(name, description, _dump_indented_json(input_))
            for name, description, input_ in asked.tools
        ),
        asked.max_output_tokens,
        reply,
    )


def _texts(asked: _StoredRequest) -> Iterator[str]:
    yield from asked.texts
    if asked.picture:
        yield asked.picture


def _dump_indented_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)


def indent_json(text: str) -> str:
    """Return JSON indented, one value a line; other text unchanged."""
    try:
        return _dump_indented_json(read_json(text))
    except ValueError:
        return text
