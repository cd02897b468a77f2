"""Parses chat completions defensively: any server may call itself compatible."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from research.llm.call_types import Message, ToolCall
from research.llm.model_errors import ModelError, Trouble
from research.llm.provider.loose_model_json import last_object
from research.llm.provider.model_server_failures import failure_within
from research.parsing.lenient_json import Json, read_json

BYTES_A_TOKEN = 3  # English prose has more than 4, tables and numbers about 3: a conservative estimate
TOKENS_A_MESSAGE = 8  # role and separators
THOUGHT_PARTS = ("thinking", "reasoning", "redacted_thinking")


class _LenientReply(BaseModel):
    model_config = ConfigDict(extra="ignore")


class _Function(_LenientReply):
    name: str = ""
    arguments: object = ""  # text according to the standard; some servers send the object itself


class _ToolCall(_LenientReply):
    id: str | None = None
    index: int | None = None
    function: _Function = _Function()


class _ContentPart(_LenientReply):
    type: str = "text"
    text: str | None = None


class _AssistantMessage(_LenientReply):
    content: str | list[_ContentPart | str] | dict[str, object] | None = None
    parsed: dict[str, object] | None = None  # the SDK's own field, which some servers fill
    refusal: str | None = None
    tool_calls: list[_ToolCall] | None = None
    function_call: _Function | None = None  # of the time before tools
    reasoning_content: object = None
    reasoning: object = None

    @property
    def text(self) -> str:
        """Return the answer.

        If it is empty, the thoughts are returned: as the answer if they contain an object, else marked as
        thoughts. Servers that separate thoughts may take the whole answer for one.
        """
        said = _text_of(self.content) or _text_of(self.parsed)
        if said.strip() or self.calls:
            return said
        thoughts = next(
            (text for text in (self.reasoning_content, self.reasoning) if isinstance(text, str)), ""
        )
        if not thoughts.strip():
            return ""
        return thoughts if last_object(thoughts) is not None else f"<think>{thoughts}"

    @property
    def calls(self) -> list[_ToolCall]:
        if self.tool_calls or self.function_call is None:
            return self.tool_calls or []
        return [_ToolCall(function=self.function_call)]


def _text_of(content: str | list[_ContentPart | str] | dict[str, object] | None) -> str:
    if isinstance(content, dict):
        return json.dumps(content)
    if isinstance(content, list):
        return "".join(
            part if isinstance(part, str) else "" if part.type in THOUGHT_PARTS else part.text or ""
            for part in content
        )
    return content or ""


class _Choice(_LenientReply):
    message: _AssistantMessage = _AssistantMessage()
    text: str | None = None  # of a legacy completion, which is not a chat
    finish_reason: str | None = None

    @property
    def is_empty(self) -> bool:
        return not (self.message.text or self.message.calls or self.message.refusal or self.text)


class _Usage(_LenientReply):
    prompt_tokens: int = Field(ge=0, le=2**31 - 1)
    completion_tokens: int = Field(ge=0, le=2**31 - 1)
    prompt_tokens_details: object = None

    @property
    def cached_tokens(self) -> int:
        """Tokens of the prompt that the server still had from earlier requests; 0 if it does not say."""
        details = self.prompt_tokens_details
        cached = details.get("cached_tokens") if isinstance(details, dict) else 0
        return min(cached, self.prompt_tokens) if isinstance(cached, int) and cached > 0 else 0


class _CompletionBody(_LenientReply):
    choices: list[_Choice] | None = None
    usage: object = None
    model: object = None
    error: object = None
    message: _AssistantMessage | None = None
    done_reason: str | None = None
    prompt_eval_count: object = None
    eval_count: object = None


@dataclass(frozen=True, slots=True)
class Reply:
    """A server's reply. Token counts are None if it reports none."""

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    finish_reason: str = ""
    refusal: str = ""
    tokens_input: int | None = None
    tokens_output: int | None = None
    tokens_cached: int = 0  # of `tokens_input`, those that the server did not have to read again


def read_reply(body: bytes) -> Reply:
    """Parse a body of status 200.

    Raises ModelError if it is no chat completion, reports an error, or has no answer.
    """
    try:
        parsed = _CompletionBody.model_validate(_read_body(body))
    except ValueError:
        raise _no_completion(body) from None
    if parsed.error and not parsed.choices:
        raise failure_within(parsed.error)
    if not parsed.choices and parsed.message is not None:  # Ollama's native form
        parsed = _CompletionBody(
            choices=[_Choice(message=parsed.message, finish_reason=parsed.done_reason)],
            usage={"prompt_tokens": parsed.prompt_eval_count, "completion_tokens": parsed.eval_count},
        )
    if not parsed.choices:
        raise ModelError(Trouble.EMPTY, "The model's server sent no answer.")
    choice = next((choice for choice in parsed.choices if not choice.is_empty), parsed.choices[0])
    usage = _usage(parsed.usage)
    return Reply(
        text=choice.message.text or choice.text or "",
        tool_calls=_tool_calls(choice.message.calls),
        finish_reason=choice.finish_reason or "",
        refusal=choice.message.refusal or "",
        tokens_input=usage.prompt_tokens if usage else None,
        tokens_output=usage.completion_tokens if usage else None,
        tokens_cached=usage.cached_tokens if usage else 0,
    )


def _no_completion(body: bytes) -> ModelError:
    start = body[:500].lstrip().lower()
    if start.startswith((b"<!doctype", b"<html")):
        return ModelError(
            Trouble.NOT_FOUND, "The model's address answers with a web page, not as a model's server."
        )
    return ModelError(
        Trouble.UNAVAILABLE, "The model's server answered something that is no chat completion."
    )


def _read_body(body: bytes) -> Json:
    """Return the JSON of a body, whether sent whole or as a stream of events. Raises ValueError."""
    text = body.decode("utf-8-sig").strip()
    while text.startswith(":"):  # comments that keep the connection open, also before JSON that is no stream
        text = text.partition("\n")[2].lstrip()
    if text.startswith(("data:", "event:", "id:")):
        return _assemble_completion(_events(text))
    return read_json(text.removesuffix("data: [DONE]"), allow_nan=True)


def _events(text: str) -> Iterable[Json]:
    for line in text.splitlines():
        name, _colon, value = line.partition(":")
        if name == "data" and value.strip() not in ("", "[DONE]"):
            yield read_json(value, allow_nan=True)


def _assemble_completion(events: Iterable[Json]) -> Json:
    """Assemble a completion from streamed events.

    One that is complete already, or an error, is kept as it is.
    """
    whole: dict[str, Json] = {"choices": None}
    content, thoughts, calls = "", "", dict[int, dict[str, str]]()
    finish: Json = None
    seen = False
    for event in events:
        if not isinstance(event, dict):
            raise ValueError("an event is no object")
        whole |= {key: event[key] for key in ("usage", "model", "error") if event.get(key)}
        choices = event.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, dict):
            continue
        seen = True
        finish = choice.get("finish_reason") or finish
        piece = choice.get("delta") or choice.get("message")
        if not isinstance(piece, dict):
            continue
        said = _AssistantMessage.model_validate(piece)
        content += _text_of(said.content)
        thoughts += next(
            (text for text in (said.reasoning_content, said.reasoning) if isinstance(text, str)), ""
        )
        for position, call in enumerate(said.tool_calls or []):
            place = position if call.index is None else call.index
            kept = calls.setdefault(place, {"id": "", "name": "", "arguments": ""})
            kept["id"] = kept["id"] or call.id or ""
            kept["name"] += call.function.name
            kept["arguments"] += _arguments(call.function.arguments) if call.function.arguments else ""
    if seen:
        message: dict[str, Json] = {"content": content, "reasoning_content": thoughts}
        if calls:
            message["tool_calls"] = [
                {"id": call["id"], "function": {"name": call["name"], "arguments": call["arguments"]}}
                for _place, call in sorted(calls.items())
            ]
        whole["choices"] = [{"message": message, "finish_reason": finish}]
    return whole


def _usage(given: object) -> _Usage | None:
    """Return the token counts; None if they are missing or invalid, to be estimated instead."""
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


@dataclass(frozen=True, slots=True)
class ServerProperties:
    """Properties that a server states; only llama.cpp's has a page for them, /props."""

    slots: int | None = None  # requests that it answers concurrently
    has_tools: bool = True  # the model's chat template has a place for tools


def read_properties(body: object) -> ServerProperties:
    """Read the parsed body of /props, whatever it is."""
    if not isinstance(body, dict):
        return ServerProperties()
    slots, template = body.get("total_slots"), body.get("chat_template_caps")
    has_tools = not isinstance(template, dict) or template.get("supports_tools") is not False
    return ServerProperties(slots if isinstance(slots, int) and slots > 0 else None, has_tools)


def estimate_tokens(text: str) -> int:
    """Return an estimate that the token count rarely exceeds: UTF-8 bytes / 3, rounded up."""
    return ceil(len(text.encode()) / BYTES_A_TOKEN)


def estimate_prompt_tokens(messages: tuple[Message, ...]) -> int:
    return sum(TOKENS_A_MESSAGE + estimate_tokens(_whole(message)) for message in messages)


def _whole(message: Message) -> str:
    return message.content + "".join(call.name + call.arguments for call in message.tool_calls)
