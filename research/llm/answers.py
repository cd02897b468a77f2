"""From a model's text to an object of the schema, and what to say when it is none. Pure."""

import json
import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Generic

from pydantic import BaseModel, ValidationError

from research.llm.calls import Answer, Message, Output, Speaker, ToolCall
from research.llm.errors import Trouble
from research.llm.provider.replies import Reply
from research.llm.provider.schema import structured_output
from research.reading.strange_json import read_json

LONGEST_TEXT = 1_000_000  # characters; 16k tokens, the largest output we ask for, are a tenth of it
MOST_ERRORS = 20  # told to the model in a repair turn
LONGEST_QUOTED_BACK = 20_000  # characters of a wrong answer that a repair turn repeats
THINKING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
FENCE = re.compile(r"\A```[a-zA-Z]*\n(.*?)\n?```\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Fitting(Generic[Output]):
    """The answer fits: an object, or tool calls."""

    parsed: Output | None
    tool_calls: tuple[ToolCall, ...] = ()


@dataclass(frozen=True, slots=True)
class Flaw:
    """Why it does not. `errors` are for the model; they quote nothing of its answer."""

    code: Trouble
    errors: tuple[str, ...] = ()
    can_be_repaired: bool = True


def judge(reply: Reply, schema: type[Answer], tools: Collection[str]) -> Fitting[Answer] | Flaw:
    """Whether a reply is what was asked for."""
    if reply.refusal or reply.finish_reason == "content_filter":
        return Flaw(Trouble.REFUSED, can_be_repaired=False)
    if len(reply.text) > LONGEST_TEXT:
        return Flaw(Trouble.TOO_LONG, can_be_repaired=False)
    if reply.finish_reason == "length":
        return Flaw(Trouble.TRUNCATED, ("The answer was cut off at the output limit: answer more briefly.",))
    if reply.tool_calls:
        return _judged_calls(reply.tool_calls, tools)
    return _judged_text(reply.text, schema)


def _judged_calls(calls: tuple[ToolCall, ...], tools: Collection[str]) -> Fitting[Answer] | Flaw:
    """A name that no tool has is for the tool loop to answer; calls where no tool was offered are no answer."""
    if not tools:
        return Flaw(Trouble.INVALID_OUTPUT, ("There are no tools to call: answer yourself.",))
    return Fitting(None, calls)


def _judged_text(text: str, schema: type[Answer]) -> Fitting[Answer] | Flaw:
    said = without_thinking(text)
    if not said:
        return Flaw(Trouble.EMPTY, ("The answer was empty.",))
    try:
        return Fitting(schema.model_validate(read_json(_json_of(said))))
    except ValidationError as error:
        return Flaw(Trouble.INVALID_OUTPUT, _told(error))
    except ValueError as error:
        return Flaw(Trouble.INVALID_OUTPUT, (_line((), f"no JSON: {error}"),))


def without_thinking(text: str) -> str:
    """The text without `<think>` blocks; one that is never closed takes the rest with it."""
    opened = THINKING.sub("", text)
    # Some servers swallow the opening mark and leave the closing one.
    return re.split(r"</think(?:ing)?>", opened, flags=re.IGNORECASE)[-1].strip()


def _json_of(text: str) -> str:
    """The JSON object in an answer that wraps it in a fence or in words; the text itself where there is none."""
    fenced = FENCE.match(text)
    inner = fenced.group(1).strip() if fenced else text
    start = inner.find("{")
    if start <= 0:
        return inner
    try:
        _value, end = json.JSONDecoder().raw_decode(inner, start)
    except (json.JSONDecodeError, RecursionError):
        return inner
    return inner[start:end]


def _told(error: ValidationError) -> tuple[str, ...]:
    details = error.errors(include_url=False, include_context=False, include_input=False)
    return tuple(_line(detail["loc"], detail["msg"]) for detail in details[:MOST_ERRORS])


def _line(place: tuple[int | str, ...], message: str) -> str:
    return f"{'.'.join(map(str, place)) or 'answer'}: {message}"[:300]


def repair_messages(
    asked: tuple[Message, ...], reply: Reply, flaw: Flaw, schema: type[BaseModel]
) -> tuple[Message, ...]:
    """The conversation with one turn more, which says what was wrong."""
    said = without_thinking(reply.text)[:LONGEST_QUOTED_BACK] or "(nothing)"
    wrong = "\n".join(f"- {line}" for line in flaw.errors)
    wanted = json.dumps(structured_output(schema).schema, separators=(",", ":"))
    order = (
        f"Your answer could not be used:\n{wrong}\n"
        f"Answer again with one JSON object, and nothing else, that fits this JSON schema:\n{wanted}"
    )
    return (*asked, Message(Speaker.ASSISTANT, said), Message(Speaker.USER, order))
