"""The schema of the log as JSON, which is stable (docs/trace.md). Fields that are added later have defaults.

It contains no secrets: prompts and answers of models, keys and tracebacks are not in the log.
"""

from datetime import datetime
from decimal import Decimal
from typing import Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, JsonValue

VERSION = 1


class TraceSchema(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class TracedMessage(TraceSchema):
    """A message from an agent to another, to a tool or to a model."""

    key: str
    trace_id: str
    sender: str
    recipient: str
    type: str
    status: str
    payload: JsonValue
    result: JsonValue
    error_code: str
    error_message: str
    is_recoverable: bool
    progress: float | None
    sent_at: datetime
    duration_ms: int | None


class TracedFailure(TraceSchema):
    """A failed execution with its consequence by the definition of its code."""

    attempt: int
    code: str
    message: str
    follows: str


class TracedStep(TraceSchema):
    """A step. A step of a state (handler `state.…`) has in `output` why the state was left."""

    index: int
    key: str
    handler: str
    role: str
    tool: str
    status: str
    attempt: int
    input: JsonValue
    output: JsonValue
    failures: list[TracedFailure]
    error_code: str
    error_message: str
    started_at: datetime | None
    completed_at: datetime | None
    duration_ms: int | None
    tokens_input: int
    tokens_output: int
    cost_usd: Decimal | None
    messages: list[TracedMessage]


class TracedEvent(TraceSchema):
    """An event that is not a step: a change of state, a question, decision, instruction, plan or degradation."""

    at: datetime | None
    what: Literal["move", "question", "decision", "instruction", "plan", "degradation"]
    title: str
    by: str
    lines: list[str]
    words: str
    figures: list[str]


class TracedEntry(TraceSchema):
    """An entry of the run's notebook."""

    kind: str
    number: int
    role: str
    text: str
    is_done: bool


class TracedHead(TraceSchema):
    """The head of a run's trace. `failure_code` is empty unless the run failed."""

    version: int
    run: UUID
    kind: str
    topic: str
    state: str
    created_at: datetime
    started_at: datetime | None
    completed_at: datetime | None
    cost_usd: Decimal | None
    failure_code: str
    failure_message: str
