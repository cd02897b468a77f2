"""The interface of tools for an agent's loop."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Generic, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from research.llm.call_types import StepIds, ToolSchema
from research.models import AgentRole

DEFAULT_LIMIT_S = 30.0
MAX_FAULTS = 10  # validation errors of arguments that are reported to the model


class ToolCode(StrEnum):
    """The reason why a tool could not do what was requested (spec: agents-and-tools.md, The nine tools)."""

    RATE_LIMITED = "RATE_LIMITED"
    TIMEOUT = "TIMEOUT"
    NO_RESULTS = "NO_RESULTS"
    INVALID_QUERY = "INVALID_QUERY"
    PAGE_NOT_FOUND = "PAGE_NOT_FOUND"
    PAYWALL = "PAYWALL"
    BLOCKED = "BLOCKED"
    CAPTCHA = "CAPTCHA"
    EXTRACTION_FAILED = "EXTRACTION_FAILED"
    UNKNOWN_ID = "UNKNOWN_ID"  # not of this run: ids made up by a model are never resolved
    INVALID_ARGUMENTS = "INVALID_ARGUMENTS"
    UNKNOWN_TOOL = "UNKNOWN_TOOL"
    TOO_MANY_CALLS = "TOO_MANY_CALLS"  # in one turn
    NOT_AVAILABLE = "NOT_AVAILABLE"  # not supported here
    INVALID_COMPUTATION = "INVALID_COMPUTATION"
    MODEL_FAILED = "MODEL_FAILED"


MENDABLE = frozenset(ToolCode) - {ToolCode.NOT_AVAILABLE}


class ToolError(Exception):
    """The tool failed; the agent sees `message` and may try something else."""

    def __init__(self, code: ToolCode, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message

    @property
    def is_recoverable(self) -> bool:
        """Return True if another call of the tool may succeed."""
        return self.code in MENDABLE


class ToolInput(BaseModel):
    """The input of a tool. The model sees its JSON schema, so each field has a description."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ToolOutput(BaseModel):
    model_config = ConfigDict(frozen=True)

    # If it may contain text of sources, the model gets it in a data block.
    holds_source_text: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Use:
    """A use of a tool: the step, the agent's role, and the call. `key` is unique within the step: "turn.3.call.1"."""

    step: StepIds
    role: AgentRole
    key: str


Given = TypeVar("Given", bound=ToolInput)
Asked = TypeVar("Asked", bound=ToolInput, contravariant=True)
Got = TypeVar("Got", bound=ToolOutput)
Result = TypeVar("Result", bound=ToolOutput, covariant=True)


class ToolFunction(Protocol[Asked, Result]):
    """The function of a tool. Raises ToolError.

    Called again after a crash with the same `use`, it has no further effect.
    """

    async def __call__(self, given: Asked, use: Use) -> Result: ...


class AnyTool(Protocol):
    """A tool with any input and output."""

    @property
    def name(self) -> str: ...
    @property
    def schema(self) -> ToolSchema: ...
    async def use(self, arguments: str, use: Use) -> ToolOutput: ...


@dataclass(frozen=True, slots=True)
class Tool(Generic[Given, Got]):
    """A tool with its description for the model, its input model, its function and its time limit."""

    name: str
    description: str
    input: type[Given]
    work: ToolFunction[Given, Got]
    limit_s: float = DEFAULT_LIMIT_S

    @property
    def schema(self) -> ToolSchema:
        return ToolSchema(self.name, self.description, self.input)

    async def use(self, arguments: str, use: Use) -> Got:
        """Call the tool with the model's JSON arguments. Raises ToolError."""
        given = self._read(arguments)
        try:
            async with asyncio.timeout(self.limit_s):
                return await self.work(given, use)
        except TimeoutError:
            words = f"{self.name} had no result within {self.limit_s:.0f} s."
            raise ToolError(ToolCode.TIMEOUT, words) from None

    def _read(self, arguments: str) -> Given:
        try:
            given = self.input.model_validate_json(arguments or "{}")
        except ValidationError as error:
            raise ToolError(ToolCode.INVALID_ARGUMENTS, _describe_faults(error)) from None
        if _has_nul(given.model_dump()):
            raise ToolError(ToolCode.INVALID_ARGUMENTS, "arguments: no text may hold the character NUL")
        return given


def _has_nul(value: object) -> bool:
    """Return True if a text contains NUL, which PostgreSQL can neither store nor search for."""
    match value:
        case str():
            return "\0" in value
        case Mapping():
            return any(map(_has_nul, value.values()))
        case list() | tuple():
            return any(map(_has_nul, value))
    return False


def _describe_faults(error: ValidationError) -> str:
    """Describe the validation errors of the arguments, without repeating their values."""
    details = error.errors(include_url=False, include_context=False, include_input=False)
    return "; ".join(
        f"{'.'.join(map(str, detail['loc'])) or 'arguments'}: {detail['msg']}"[:200]
        for detail in details[:MAX_FAULTS]
    )
