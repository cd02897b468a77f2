"""Requests to a model, and their results."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Generic, Protocol, TypeVar
from uuid import UUID

from pydantic import BaseModel

from research.models import AgentRole

Answer = TypeVar("Answer", bound=BaseModel)
Output = TypeVar("Output", bound=BaseModel, covariant=True)


MAX_PURPOSE_LENGTH = 50  # characters


class CallerIds(Protocol):
    """The caller of a model: a step of a run, or something made from a finished run."""

    @property
    def tenant_id(self) -> UUID: ...
    @property
    def run_id(self) -> UUID: ...
    @property
    def step_id(self) -> UUID | None: ...
    @property
    def key(self) -> str: ...
    @property
    def fence(self) -> int: ...


class StepIds(CallerIds, Protocol):
    """A step of a run; research.engine.pipeline_registry.StepWork satisfies it."""

    @property
    def step_id(self) -> UUID: ...


@dataclass(frozen=True, slots=True)
class Payer:
    """The caller whose run's budget is charged, and the role that spends it."""

    step: CallerIds
    role: AgentRole


class Speaker(StrEnum):
    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool call that the model requests.

    `arguments` is its JSON, not yet checked against the tool's schema.
    """

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Message:
    """One turn.

    `tool_calls` belong to an assistant's turn, `tool_call_id` to the tool's turn that answers one of them.
    """

    speaker: Speaker
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A rendered prompt file. Every logged call records its `version`."""

    name: str
    version: str
    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class ToolSchema:
    """A tool as the model sees it."""

    name: str
    description: str
    input: type[BaseModel]


@dataclass(frozen=True, slots=True)
class Turns:
    """The scheduling of one run's calls.

    At most `at_once` are in flight in a process; of those that wait, the one with the lowest rank goes first.
    """

    at_once: int
    rank: int = 0


@dataclass(frozen=True, slots=True)
class Call(Generic[Output]):
    """One question to a model.

    `purpose` is unique within the step: "draft", "turn.3". The answer to a given purpose and input is stored
    and never paid for twice, so a prompt must be identical when its step is executed again (a nonce is
    derived from the step's key, not random).
    """

    step: CallerIds
    role: AgentRole
    prompt: Prompt
    schema: type[Output]
    purpose: str
    max_output_tokens: int
    tools: tuple[ToolSchema, ...] = ()
    agent_id: str = ""  # for roles whose agents have budgets of their own
    turns: Turns | None = None  # None: as many at once as the provider has slots
    # Asked in a thread when the call's turn has come; a call that is not wanted any more is not sent.
    is_wanted: Callable[[], bool] | None = None

    def __post_init__(self) -> None:
        if not 0 < len(self.purpose) <= MAX_PURPOSE_LENGTH:
            raise ValueError(f"a purpose has 1 to {MAX_PURPOSE_LENGTH} characters: {self.purpose!r}")


@dataclass(frozen=True, slots=True)
class Usage:
    """The tokens and the cost of a call. `cost_usd` is None if unknown, 0 for a local model.

    `is_estimated`: the tokens were estimated from the length of the text.
    """

    tokens_input: int = 0
    tokens_output: int = 0
    cost_usd: Decimal | None = None
    is_estimated: bool = False

    def __add__(self, other: "Usage") -> "Usage":
        known = self.cost_usd is not None and other.cost_usd is not None
        return Usage(
            self.tokens_input + other.tokens_input,
            self.tokens_output + other.tokens_output,
            (self.cost_usd or Decimal(0)) + (other.cost_usd or Decimal(0)) if known else None,
            self.is_estimated or other.is_estimated,
        )


@dataclass(frozen=True, slots=True)
class Completion(Generic[Output]):
    """The model's answer: an object of the schema, or calls of tools (then `parsed` is None)."""

    parsed: Output | None
    tool_calls: tuple[ToolCall, ...]
    usage: Usage
    model: str
    was_stored: bool = False  # by an earlier execution of the step, which paid for it
    was_repaired: bool = False
