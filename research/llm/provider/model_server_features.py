"""Features that servers turned out to support or refuse, by base URL and model, while the process lives."""

import re
from dataclasses import dataclass, replace
from enum import IntEnum

from research.llm.model_errors import Trouble
from research.runtime.ttl_cache import TtlCache


class StructuredOutputMode(IntEnum):
    """A way to request structured output; if a server refuses one, the next lower one is tried."""

    WORDS = 0  # only described in the prompt
    TOOL_CALL = 1  # as the arguments of a tool that the model has to call
    JSON_MODE = 2  # any JSON object; the prompt describes which
    JSON_MODE_WITH_SCHEMA = 3  # llama.cpp's extension: the schema is sent beside the mode
    JSON_SCHEMA = 4


@dataclass(frozen=True, slots=True)
class ModelCapabilities:
    """The request features that a server and a model accept.

    `limit_name` is the parameter that bounds the output: OpenAI's new one, or the one that all others
    support; `most_output` is its largest accepted value, in tokens.
    """

    form: StructuredOutputMode = StructuredOutputMode.JSON_SCHEMA
    temperature: bool = True
    limit_name: str = "max_tokens"
    most_output: int | None = None
    system_role: bool = True
    repeated_roles: bool = True  # consecutive turns of one role are allowed
    tools: bool = True
    form_beside_tools: bool = True
    bounds: bool = True  # the longest length of texts and lists may be part of a schema
    schema_in_prompt: bool = False  # even if the output mode carries it


NEW_LIMIT, OLD_LIMIT = "max_completion_tokens", "max_tokens"
HOSTS_WITH_NEW_LIMIT = ("api.openai.com", ".openai.azure.com")
CONTEXT_MARKS = (
    "context_length", "context length", "context window", "context size", "context_size", "maximum context",
    "n_ctx", "prompt is too long", "input is too long", "too many tokens",
)  # fmt: skip
FORM_MARKS = (
    "response_format", "response format", "json_schema", "json schema", "json_object", "structured output", "guided",
    "grammar", "response mime type", "response_schema", "response_mime_type",
)  # fmt: skip
MIN_OUTPUT = 64  # tokens: a lower limit leaves no room for an answer

MAX_VAIN_REPAIRS = 2  # in a row

_learned: dict[tuple[str, str], ModelCapabilities] = {}
_vain_repairs: TtlCache[tuple[str, str, Trouble], int] = TtlCache(3600.0)


def find_learned_features(base_url: str, model: str) -> ModelCapabilities | None:
    return _learned.get((base_url, model))


def remember(base_url: str, model: str, features: ModelCapabilities) -> None:
    _learned[base_url, model] = features


def note_repair(base_url: str, model: str, code: Trouble, *, is_in_vain: bool) -> None:
    """Count the repair turns after this flaw that failed, since the last one that helped."""
    key = base_url, model, code
    _vain_repairs.keep(key, (_vain_repairs.get(key) or 0) + 1 if is_in_vain else 0)


def is_repaired_in_vain(base_url: str, model: str, code: Trouble) -> bool:
    """Return True if the last repair turns after this flaw all failed, within the hour: one more would only cost."""
    return (_vain_repairs.get((base_url, model, code)) or 0) >= MAX_VAIN_REPAIRS


def forget() -> None:
    """Forget everything, as a restart does."""
    _learned.clear()
    _vain_repairs.forget()


def is_known_host(host: str) -> bool:
    """Return True for hosts whose features are known in advance."""
    return any(host == known or host.endswith(known) for known in HOSTS_WITH_NEW_LIMIT)


def initial(host: str) -> ModelCapabilities:
    """Return the capabilities to try first on a server of which nothing is known."""
    is_known = is_known_host(host)
    # In llama.cpp the output mode overrides tools that are sent beside it: none could ever be called.
    return ModelCapabilities(
        limit_name=NEW_LIMIT if is_known else OLD_LIMIT, form_beside_tools=is_known, bounds=not is_known
    )


def is_about_context(said: str) -> bool:
    """Return True if a server complains about the length of the input."""
    low = said.lower()
    return any(mark in low for mark in CONTEXT_MARKS)


@dataclass(frozen=True, slots=True)
class ServerRefusal:
    """A server's complaint, in lower case, and the parts of the request that it may refer to."""

    said: str
    output_limit: int  # tokens, as sent
    had_tools: bool


def lesser(features: ModelCapabilities, refusal: ServerRefusal) -> ModelCapabilities | None:
    """Return the capabilities to try after a refusal; None if the request itself is at fault."""
    if is_about_context(refusal.said):
        return None
    tried = (rule(features, refusal) for rule in _RULES)
    return next((less for less in tried if less is not None), None)


def _without_temperature(features: ModelCapabilities, refusal: ServerRefusal) -> ModelCapabilities | None:
    return (
        replace(features, temperature=False)
        if features.temperature and "temperature" in refusal.said
        else None
    )


def _with_smaller_output(features: ModelCapabilities, refusal: ServerRefusal) -> ModelCapabilities | None:
    """Lower the output limit to the maximum that the complaint names, if that is smaller."""
    if not _LIMIT.search(refusal.said):
        return None
    named = [int(number) for number in _BOUND.findall(refusal.said)]
    most = max((number for number in named if MIN_OUTPUT <= number < refusal.output_limit), default=None)
    return replace(features, most_output=most) if most else None


def _with_other_limit_name(features: ModelCapabilities, refusal: ServerRefusal) -> ModelCapabilities | None:
    is_unknown = OLD_LIMIT in refusal.said and _UNKNOWN.search(refusal.said)
    if features.limit_name == OLD_LIMIT and (NEW_LIMIT in refusal.said or is_unknown):
        return replace(features, limit_name=NEW_LIMIT)
    if features.limit_name == NEW_LIMIT and (NEW_LIMIT in refusal.said or OLD_LIMIT in refusal.said):
        return replace(features, limit_name=OLD_LIMIT)
    return None


def _with_fewer_roles(features: ModelCapabilities, refusal: ServerRefusal) -> ModelCapabilities | None:
    if features.system_role and _SYSTEM.search(refusal.said):
        return replace(features, system_role=False)
    if "alternate" in refusal.said and (features.repeated_roles or features.system_role):
        # Such templates count the system's turn as one of the two roles, or do not support it.
        return replace(features, repeated_roles=False, system_role=features.repeated_roles)
    return None


def _without_tools(features: ModelCapabilities, refusal: ServerRefusal) -> ModelCapabilities | None:
    if not _TOOLS.search(refusal.said):
        return None
    if not refusal.had_tools:
        is_form = features.form is StructuredOutputMode.TOOL_CALL
        return replace(features, form=StructuredOutputMode.WORDS, tools=False) if is_form else None
    if features.form_beside_tools and _names_form(refusal.said):
        return replace(features, form_beside_tools=False)
    return replace(features, tools=False) if features.tools else None


def _without_bounds(features: ModelCapabilities, refusal: ServerRefusal) -> ModelCapabilities | None:
    return replace(features, bounds=False) if features.bounds and _BOUNDS.search(refusal.said) else None


def _with_lesser_form(features: ModelCapabilities, refusal: ServerRefusal) -> ModelCapabilities | None:
    if features.form is StructuredOutputMode.WORDS or not _names_form(refusal.said):
        return None
    knows_none = not re.search("json|schema|type|grammar", refusal.said)
    if knows_none and features.form > StructuredOutputMode.JSON_MODE:
        features = replace(features, form=StructuredOutputMode.JSON_MODE)
    return below(features)


def _names_form(said: str) -> bool:
    return any(mark in said for mark in FORM_MARKS)


_RULES = (
    _without_temperature,
    _with_smaller_output,
    _with_other_limit_name,
    _with_fewer_roles,
    _without_tools,
    _without_bounds,
    _with_lesser_form,
)


def below(features: ModelCapabilities) -> ModelCapabilities:
    """Return the features with the next lower output mode."""
    form = StructuredOutputMode(features.form - 1)
    if form is StructuredOutputMode.TOOL_CALL and not features.tools:
        form = StructuredOutputMode.WORDS
    return replace(features, form=form)


def room_for_output(complaint: str, asked_output: int) -> int | None:
    """Return the tokens left for the answer if input and output together exceed the context.

    None if the input alone exceeds it, or the server does not say. The wording is OpenAI's, which vLLM,
    llama.cpp and others copy.
    """
    context = re.search(r"(?:context length is|context window of|n_ctx\D{0,4})\s*(\d+)", complaint)
    used = re.search(
        r"(\d+)\s+(?:tokens )?(?:of text input|input tokens|in (?:the|your) (?:messages|prompt|input))",
        complaint,
    )
    if context is None or used is None:
        return None
    room = int(context[1]) - int(used[1]) - _MARGIN
    return room if MIN_OUTPUT <= room < asked_output else None


_MARGIN = 16  # tokens: what a chat template adds
_SYSTEM = re.compile(
    r"system\W{0,3}(?:role|message|prompt|instruction)s?\b.{0,40}\bnot\b|(?:role|message)s?\W{1,6}system\W{0,3}\b.{0,40}"
    r"\bnot\b|developer instruction is not enabled|only user and assistant roles"
)
_BOUNDS = re.compile(r"max_?(?:length|items)\b|repetitions")
_UNKNOWN = re.compile(
    r"not (?:permitted|supported|allowed|accepted)|un(?:supported|known|recognized|expected)|extra"
)
_TOOLS = re.compile(r"\btools?\b|\btool[_ ]choice\b|\bfunction[_ ]?call")
_LIMIT = re.compile(r"max_(?:completion_|output_|new_)?tokens|(?:completion|output) tokens|output limit")
_BOUND = re.compile(
    r"(?:at most|up to|maximum(?: \w+){0,4}? (?:is|of)|max(?:imum)?\W{1,3}|less than(?: or equal to)?|not exceed|<=?"
    r"|between \d+ and|\[\d+,|limit(?: is| of)?)\s*(\d{2,7})\b"
)
