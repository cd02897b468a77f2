"""Reads calls of tools that a model wrote as text, in the marks of its training. Pure.

Servers whose parser does not know a model's marks, or that have none, hand them on in the content.
"""

import ast
import json
import re
from collections.abc import Collection, Iterator, Sequence

from research.llm.call_types import ToolCall
from research.llm.provider.loose_model_json import objects
from research.parsing.lenient_json import Json

NAMES = ("name", "function", "tool", "tool_name", "action")
ARGUMENTS = ("arguments", "parameters", "args", "input", "tool_input", "action_input")
MAX_ARGUMENTS = 20_000  # characters that are searched for a call's arguments
MAX_BRACKETS = 20  # closing ones, tried as the end of a Python call
# What stands between a tool's name and its arguments: tags, fences, numbers of calls.
_MARKS = re.compile(r"(?:\s|[:>`\"']|\d+\b|json\b|<[|｜]?[^<>{}]{1,60}>)*")
_PARAMETER = re.compile(
    r"\s*(?:<parameter(?:=|\s+name=)[\"']?(?P<name>\w+)[\"']?[^<>]*>(?P<value>.*?)</parameter>"
    r"|<arg_key>\s*(?P<key>\w+)\s*</arg_key>\s*<arg_value>(?P<given>.*?)</arg_value>)",
    re.DOTALL,
)
_WORDS: dict[str, Json] = {"true": True, "false": False, "null": None, "none": None}


def calls_in_objects(found: Sequence[dict[str, Json]], tools: Collection[str]) -> Iterator[ToolCall]:
    """Yield the calls of known tools among JSON objects.

    >>> [*calls_in_objects([{"function": {"name": "functions.search", "arguments": {"year": 1}}}], ["search"])]
    [ToolCall(id='call_search', name='search', arguments='{"year": 1}')]
    """
    for value in found:
        listed = value.get("tool_calls")
        for call in listed if isinstance(listed, list) else [value]:
            if not isinstance(call, dict):
                continue
            function = call.get("function")
            named = function if isinstance(function, dict) else call
            name = next((plain for key in NAMES if (plain := _plain(named.get(key))) in tools), None)
            if name is not None:
                given = next((named[key] for key in ARGUMENTS if key in named), {})
                yield ToolCall(f"call_{name}", name, given if isinstance(given, str) else json.dumps(given))


def _plain(name: Json) -> str:
    """Return a tool's name without the namespace and number that some models write with it."""
    return re.sub(r"\Afunctions\.|:\d+\Z", "", name) if isinstance(name, str) else ""


def calls_after_names(text: str, tools: Collection[str]) -> Iterator[ToolCall]:
    """Yield the calls written as a tool's name and its arguments: as an object, in brackets, or in tags.

    >>> [call.arguments for call in calls_after_names("[search(year=1, text='a')] <function=search>{}", ["search"])]
    ['{"year": 1, "text": "a"}', '{}']
    """
    if not tools:
        return
    names = "|".join(map(re.escape, tools))
    for name in re.finditer(rf"(?<![\w-])({names})(?![\w-])", text):
        rest = text[name.end() : name.end() + MAX_ARGUMENTS]
        arguments = _python_arguments(rest) if rest.lstrip()[:1] == "(" else _marked_arguments(rest)
        if arguments is not None:
            yield ToolCall(f"call_{name[1]}", name[1], json.dumps(arguments))


def _marked_arguments(rest: str) -> dict[str, Json] | None:
    if (parameters := _parameters(rest)) is not None:
        return parameters
    marks = _MARKS.match(rest)
    rest = rest[marks.end() :] if marks else rest
    return next(iter(objects(rest)), None) if rest[:1] == "{" else None


def _parameters(rest: str) -> dict[str, Json] | None:
    """Return the parameters of a call whose values stand in tags; None if there are none."""
    place = re.match(r"[\"']?\s*>?", rest)
    at = place.end() if place else 0
    found: dict[str, Json] = {}
    while (parameter := _PARAMETER.match(rest, at)) is not None:
        value = (parameter["value"] if parameter["name"] else parameter["given"]).strip()
        found[parameter["name"] or parameter["key"]] = _tag_value(value)
        at = parameter.end()
    return found or None


def _tag_value(value: str) -> Json:
    """Return a list or an object as such, and the rest as text, which the tool's schema turns into its own type."""
    if value[:1] not in ("[", "{"):
        return value
    try:
        read: Json = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return read


def _python_arguments(rest: str) -> dict[str, Json] | None:
    """Return the named arguments of a Python call; None if there are others or no literals."""
    for end in list(re.finditer(r"\)", rest))[:MAX_BRACKETS]:
        try:
            call = ast.parse(f"f{rest[: end.end()].strip()}", mode="eval").body
            if not isinstance(call, ast.Call) or call.args:
                return None
            arguments = {keyword.arg or "": _literal(keyword.value) for keyword in call.keywords}
            return arguments if "" not in arguments else None
        except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
            continue
    return None


def _literal(node: ast.expr) -> Json:
    """Return the value of a literal, of JSON's names too. Raises ValueError."""
    if isinstance(node, ast.Name) and node.id.lower() in _WORDS:
        return _WORDS[node.id.lower()]
    value: Json = json.loads(json.dumps(ast.literal_eval(node)))
    return value
