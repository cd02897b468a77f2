"""Parses a model's text into an object of the schema, and builds the repair turn if that fails. Pure."""

import json
import re
import zlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic

from pydantic import BaseModel, ValidationError

from research.llm.call_types import Answer, Message, Output, Speaker, ToolCall
from research.llm.model_errors import Trouble
from research.llm.provider.completion_replies import Reply
from research.llm.provider.loose_model_json import complete_parts, last_object, objects
from research.llm.provider.structured_output_schema import build_structured_output
from research.llm.written_tool_calls import calls_after_names, calls_in_objects
from research.parsing.lenient_json import Json

MAX_TEXT = 1_000_000  # characters; 16k tokens, the largest output we request, are a tenth of it
MAX_ERRORS = 20  # listed in a repair turn
LOOP_AT_LEAST = 1_000  # bytes
LOOP_SHARE = 0.05
MAX_QUOTED_BACK_LENGTH = 20_000  # characters of a wrong answer that a repair turn repeats
CUT_OFF = ("length", "max_tokens", "max_output_tokens", "model_length", "error")
# How models mark their thoughts: DeepSeek and Qwen, Mistral, Cohere, Kimi, Seed, and many fine-tunes.
_NAME = (
    r"(?:seed:|begin_of_|end_of_|START_|END_)?"
    r"(?:think(?:ing)?|thoughts?|reasoning|reflection|analysis|scratch_?pad|inner_monologue)"
)
_THOUGHTS = re.compile(
    rf"<\|?{_NAME}\|?>.*?(?:<(?:/|\|)(?:{_NAME})\|?>|\Z)"
    r"|\[THINK(?:ING)?\].*?(?:\[/THINK(?:ING)?\]|\Z)"
    r"|◁think▷.*?(?:◁/think▷|\Z)",
    re.DOTALL | re.IGNORECASE,
)
# Some servers remove the opening mark and leave the closing one.
_CLOSED = re.compile(
    rf"</{_NAME}>|<\|(?:end_of_thought|END_THINKING)\|>|\[/THINK(?:ING)?\]|◁/think▷", re.IGNORECASE
)
# OpenAI's Harmony: only the final channel is meant for the reader.
_FINAL = re.compile(r"<\|channel\|>final\b.*?<\|message\|>(.*?)(?:<\|(?:return|end|start)\|>|\Z)", re.DOTALL)
_UNMARKED_FINAL = re.compile(r"\A(?:analysis|commentary).*assistantfinal", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Fitting(Generic[Output]):
    """An answer that fits the schema, or tool calls."""

    parsed: Output | None
    tool_calls: tuple[ToolCall, ...] = ()


@dataclass(frozen=True, slots=True)
class Flaw:
    """The reason why an answer does not fit. `errors` are for the model; they quote nothing of its answer."""

    code: Trouble
    errors: tuple[str, ...] = ()
    can_be_repaired: bool = True
    is_prose: bool = False  # there is no object in it at all


def judge(reply: Reply, schema: type[Answer], tools: Collection[str]) -> Fitting[Answer] | Flaw:
    """Return the answer in a reply if it fits the request, else the reply's flaw."""
    if reply.refusal or reply.finish_reason == "content_filter":
        return Flaw(Trouble.REFUSED, can_be_repaired=False)
    if len(reply.text) > MAX_TEXT:
        return Flaw(Trouble.TOO_LONG, can_be_repaired=False)
    if reply.finish_reason.lower() in CUT_OFF:
        return _judge_cut_off(reply, schema)
    if reply.tool_calls:
        return _judge_calls(reply.tool_calls, schema, tools)
    return _judge_text(reply.text, schema, tools)


def _judge_cut_off(reply: Reply, schema: type[Answer]) -> Fitting[Answer] | Flaw:
    """Return the list items that were complete before the cut, if they make an answer; else the flaw."""
    fitting = (_fit([part], schema) for part in complete_parts(without_thinking(reply.text)))
    answer = next((answer for answer in fitting if answer is not None), None)
    return _describe_cut(reply) if answer is None else Fitting(answer)


def _describe_cut(reply: Reply) -> Flaw:
    is_thought = bool(reply.text) and not without_thinking(reply.text)
    code = Trouble.ONLY_THOUGHT if is_thought else Trouble.TRUNCATED
    if _repeats_itself(reply.text):
        return Flaw(code, can_be_repaired=False)  # a repair turn would loop in the same way
    if is_thought:
        return Flaw(code, ("Think less and give the answer.",))
    return Flaw(Trouble.TRUNCATED, ("The answer was cut off at the output limit: answer more briefly.",))


def _repeats_itself(text: str) -> bool:
    """Return True if a model got into a loop: its text is little more than one stretch repeated.

    Measured by how well deflate (RFC 1951) compresses it: prose and JSON shrink to a third or a quarter.
    """
    data = text.encode()
    return len(data) >= LOOP_AT_LEAST and len(zlib.compress(data)) < LOOP_SHARE * len(data)


def _judge_calls(
    calls: tuple[ToolCall, ...], schema: type[Answer], tools: Collection[str]
) -> Fitting[Answer] | Flaw:
    """Return the tool calls, or an answer sent as arguments of an unknown tool.

    Other unknown names are left to the tool loop.
    """
    for call in reversed(calls):
        if call.name not in tools and (answer := _fit(objects(call.arguments), schema)):
            return Fitting(answer)
    if not tools:
        return Flaw(Trouble.INVALID_OUTPUT, ("There are no tools to call: answer yourself.",))
    return Fitting(None, tuple(map(_with_plain_arguments, calls)))


def _with_plain_arguments(call: ToolCall) -> ToolCall:
    """Return the call with its arguments as plain JSON if they can be read as an object; else unchanged."""
    try:
        json.loads(call.arguments)
    except (ValueError, RecursionError):
        read = last_object(call.arguments)
        return call if read is None else ToolCall(call.id, call.name, json.dumps(read))
    return call


def _judge_text(text: str, schema: type[Answer], tools: Collection[str]) -> Fitting[Answer] | Flaw:
    said = without_thinking(text)
    if not said:
        code = Trouble.ONLY_THOUGHT if text.strip() else Trouble.EMPTY
        return Flaw(code, ("The answer was empty.",))
    found = objects(said)
    calls = tuple(map(_with_plain_arguments, calls_in_objects(found, tools)))
    if calls:
        return Fitting(None, calls)
    answer = _fit(found, schema)
    if answer is not None:
        return Fitting(answer)
    calls = tuple(calls_after_names(said, tools))
    if calls:
        return Fitting(None, calls)
    if not found:
        return Flaw(Trouble.INVALID_OUTPUT, ("answer: no JSON object",), is_prose=True)
    try:
        schema.model_validate(found[-1])
    except ValidationError as error:
        return Flaw(Trouble.INVALID_OUTPUT, _describe_errors(error))
    return Flaw(Trouble.INVALID_OUTPUT, (f"answer: none of {', '.join(_names(schema))}",))


def _fit(found: Sequence[dict[str, Json]], schema: type[Answer]) -> Answer | None:
    """Return the last object that fits: drafts come first.

    Each object is tried without its envelope too. If the answer consists of one list and the text of its
    items, these are put into the list.
    """
    names = _names(schema)
    for value in reversed(found):
        for tried in (value, *_inner(value, names)):
            if names and names.isdisjoint(tried):  # if all fields have defaults, any object would fit
                continue
            try:
                return schema.model_validate(tried)
            except ValidationError:
                continue
    if len(schema.model_fields) == 1 and found:
        try:
            return schema.model_validate({next(iter(schema.model_fields)): list(found)})
        except ValidationError:
            pass
    return None


def _names(schema: type[BaseModel]) -> frozenset[str]:
    return frozenset(field.alias or name for name, field in schema.model_fields.items())


def _inner(value: dict[str, Json], names: frozenset[str]) -> Iterator[dict[str, Json]]:
    """Yield the objects in an envelope, the last first: of a call of an unknown tool, of the answer's title, or of
    the schema with the values in the place of its properties. An object with a field of the answer is no envelope.
    """
    if len(value) > 1 and not names.isdisjoint(value):
        return
    for held in reversed(value.values()):
        inner = last_object(held) if isinstance(held, str) else held
        if isinstance(inner, dict):
            yield inner


def without_thinking(text: str) -> str:
    """Return the text without thoughts; an unclosed thought extends to the end."""
    if "<|channel|>" in text:
        return "".join(_FINAL.findall(text)[-1:]).strip() or _addressed_to_tools(text)
    said = _UNMARKED_FINAL.sub("", _THOUGHTS.sub("", text))
    return _CLOSED.split(said)[-1].strip()


def _addressed_to_tools(text: str) -> str:
    """Return Harmony's messages to tools, which name one in their header."""
    messages = (
        message for message in text.split("<|start|>") if "to=" in message.partition("<|message|>")[0]
    )
    return "\n".join(messages).strip()


def _describe_errors(error: ValidationError) -> tuple[str, ...]:
    details = error.errors(include_url=False, include_context=False, include_input=False)
    return tuple(_line(detail["loc"], detail["msg"]) for detail in details[:MAX_ERRORS])


def _line(place: tuple[int | str, ...], message: str) -> str:
    return f"{'.'.join(map(str, place)) or 'answer'}: {message}"[:300]


def repair_messages(
    asked: tuple[Message, ...], reply: Reply, flaw: Flaw, schema: type[BaseModel]
) -> tuple[Message, ...]:
    """Return the conversation with one more turn, which says what was wrong."""
    said = without_thinking(reply.text)[:MAX_QUOTED_BACK_LENGTH] or "(nothing)"
    wrong = "\n".join(f"- {line}" for line in flaw.errors)
    wanted = json.dumps(build_structured_output(schema).schema, separators=(",", ":"))
    order = (
        f"Your answer could not be used:\n{wrong}\n"
        f"Answer again with one JSON object, and nothing else, that fits this JSON schema:\n{wanted}"
    )
    return (*asked, Message(Speaker.ASSISTANT, said), Message(Speaker.USER, order))
