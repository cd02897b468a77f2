"""Messages between agents, tools and models: stored when a task is given, completed when its result is there.

They are the log of an agent's work, and its memory across crashes: when the step is executed again, a completed
message returns the same result.
"""

from dataclasses import dataclass, field
from typing import TypeAlias

from django.db.models.functions import Now
from pydantic import BaseModel, Field

from research.agents.agent_delegation_plan import Json
from research.db.sanitize import storable, storable_text
from research.llm.call_types import StepIds
from research.llm.model_errors import ModelError
from research.models import AgentMessage, MessageStatus, MessageType

JsonObject: TypeAlias = dict[str, Json]
ANSWERED = frozenset({MessageStatus.COMPLETED, MessageStatus.PARTIAL})


class Constraints(BaseModel):
    """Limits on an agent's work: seconds and iterations."""

    time_limit_s: float = Field(default=300, gt=0)
    iterations: int = Field(default=20, ge=1, le=20)


class TaskPayload(BaseModel):
    """The task that an agent is given."""

    task_id: str
    task: str
    context: str = ""
    expected_output: str = ""
    constraints: Constraints = Constraints()


@dataclass(frozen=True, slots=True)
class Opening:
    """A message at the time it is sent."""

    key: str
    trace_id: str
    sender: str
    recipient: str
    payload: JsonObject


@dataclass(frozen=True, slots=True)
class MessageOutcome:
    """The outcome of a message. A failure has a code."""

    status: MessageStatus
    result: JsonObject = field(default_factory=dict)
    error_code: str = ""
    error_message: str = ""
    is_recoverable: bool = True
    duration_ms: int | None = None

    @property
    def is_open(self) -> bool:
        return self.status == MessageStatus.STARTED


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """A message as stored."""

    payload: JsonObject
    outcome: MessageOutcome


def build_failed_outcome(error: ModelError) -> MessageOutcome:
    """Return the outcome of a message whose model failed."""
    return MessageOutcome(
        MessageStatus.FAILED,
        error_code=error.code.value,
        error_message=error.message,
        is_recoverable=error.is_retryable,
    )


def open_message(step: StepIds, opening: Opening) -> StoredMessage:
    """Store the message, or load it if an earlier execution stored it. Needs the tenant set."""
    AgentMessage.objects.bulk_create([_row(step, opening)], ignore_conflicts=True)
    return load_message(step, opening.key)


def close_message(step: StepIds, key: str, outcome: MessageOutcome) -> StoredMessage:
    """Store the outcome, unless another execution has; return the stored message. Needs the tenant set."""
    opened = AgentMessage.objects.filter(step_id=step.step_id, key=key)
    opened.exclude(status__in=ANSWERED).update(
        updated_at=Now(),
        status=outcome.status,
        result=storable(outcome.result),
        error_code=outcome.error_code,
        error_message=storable_text(outcome.error_message),
        is_recoverable=outcome.is_recoverable,
        duration_ms=outcome.duration_ms,
    )
    return load_message(step, key)


def load_message(step: StepIds, key: str) -> StoredMessage:
    """Load a stored message. Raises AgentMessage.DoesNotExist."""
    row = AgentMessage.objects.get(step_id=step.step_id, key=key)
    outcome = MessageOutcome(
        MessageStatus(row.status),
        row.result,
        row.error_code,
        row.error_message,
        row.is_recoverable,
        row.duration_ms,
    )
    return StoredMessage(row.payload, outcome)


def _row(step: StepIds, opening: Opening) -> AgentMessage:
    return AgentMessage(
        run_id=step.run_id,
        step_id=step.step_id,
        key=opening.key,
        trace_id=opening.trace_id,
        sender=opening.sender,
        recipient=opening.recipient,
        type=MessageType.TASK,
        payload=storable(opening.payload),
    )
