"""The wire form of a chat completion, read with suspicion: any server may call itself compatible."""

import json
from dataclasses import dataclass
from math import ceil

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from research.llm.calls import Message, ToolCall
from research.llm.errors import ModelError, Trouble
from research.reading.strange_json import read_json

BYTES_A_TOKEN = 3  # English prose has above 4, tables and numbers about 3: an estimate on the safe side
TOKENS_A_MESSAGE = 8  # role and separators


class _Lenient(BaseModel):
    model_config = ConfigDict(extra="ignore")


class _Function(_Lenient):
    name: str
    arguments: object = ""  # text by the standard; some servers send the object itself


class _ToolCall(_Lenient):
    id: str | None = None
    function: _Function


class _Part(_Lenient):
    text: str = ""


class _Said(_Lenient):
    content: str | list[_Part] | None = None
    refusal: str | None = None
    tool_calls: list[_ToolCall] | None = None

    @property
    def text(self) -> str:
        if isinstance(self.content, list):
            return "".join(part.text for part in self.content)
        return self.content or ""


class _Choice(_Lenient):
    message: _Said
    finish_reason: str | None = None


class _Usage(_Lenient):
    prompt_tokens: int = Field(ge=0, le=2**31 - 1)
    completion_tokens: int = Field(ge=0, le=2**31 - 1)


class _Body(_Lenient):
    choices: list[_Choice] | None = None
    usage: object = None
    model: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """What the server answered. Token counts are None where it told none."""

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    finish_reason: str = ""
    refusal: str = ""
    tokens_input: int | None = None
    tokens_output: int | None = None


def read_reply(body: bytes) -> Reply:
    """Raises ModelError for a body that is no chat completion, or holds no answer."""
    try:
        parsed = _Body.model_validate(read_json(body))
    except ValueError:
        raise ModelError(
            Trouble.UNAVAILABLE, "The model's server answered something that is no chat completion."
        ) from None
    if not parsed.choices:
        raise ModelError(Trouble.EMPTY, "The model's server sent no answer.")
    choice, usage = parsed.choices[0], _usage(parsed.usage)
    return Reply(
        text=choice.message.text,
        tool_calls=_tool_calls(choice.message.tool_calls or []),
        finish_reason=choice.finish_reason or "",
        refusal=choice.message.refusal or "",
        tokens_input=usage.prompt_tokens if usage else None,
        tokens_output=usage.completion_tokens if usage else None,
    )


def _usage(given: object) -> _Usage | None:
    """None for a missing or senseless one: it is then estimated."""
    try:
        return _Usage.model_validate(given)
    except ValidationError:
        return None


def _tool_calls(given: list[_ToolCall]) -> tuple[ToolCall, ...]:
    return tuple(
        ToolCall(call.id or f"call_{number}", call.function.name, _arguments(call.function.arguments))
        for number, call in enumerate(given)
    )


def _arguments(given: object) -> str:
    return given if isinstance(given, str) else json.dumps(given or {})


def estimated_tokens(text: str) -> int:
    """At most this many tokens, as a rule: UTF-8 bytes / 3, rounded up."""
    return ceil(len(text.encode()) / BYTES_A_TOKEN)


def estimated_prompt_tokens(messages: tuple[Message, ...]) -> int:
    return sum(TOKENS_A_MESSAGE + estimated_tokens(_whole(message)) for message in messages)


def _whole(message: Message) -> str:
    return message.content + "".join(call.name + call.arguments for call in message.tool_calls)
