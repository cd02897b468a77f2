"""A parser for JSON as models write it: in prose or a fence, with comments, trailing commas, other quotes.

Pure.
"""

import json
import re
from collections.abc import Iterator

import json_repair

from research.parsing.lenient_json import Json, clean_values, refuse_constant

MAX_REPAIRED_LENGTH = 40_000  # characters; about a second
MAX_STARTS = 200  # objects that can't be parsed
MAX_SCANNED = 3_000_000  # characters, while searching for their ends: about a second

_DECODER = json.JSONDecoder(strict=False, parse_constant=refuse_constant)
_START = re.compile(r"""\{(?=\s*(?:["'“}]|//|[A-Za-z_]\w*\s*:))|\[(?=\s*[\[{\]])""")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'(?=\s*[:,}\]])|[][{}]', re.DOTALL)


def objects(text: str) -> list[dict[str, Json]]:
    """Return the outermost objects of a text in order, those in an outermost array among them.

    >>> objects('Perhaps {"a": 1}? No: ```json\\n{"a": 2,}\\n```'), objects("[{'a': None}]"), objects("{no} object")
    ([{'a': 1}, {'a': 2}], [{'a': None}], [])
    """
    found: list[dict[str, Json]] = []
    for value in _values(_unwrap_string(text)):
        found += [item for item in (value if isinstance(value, list) else [value]) if isinstance(item, dict)]
    return found


def _unwrap_string(text: str) -> str:
    """Return the content of a JSON string, if a server wrapped the whole answer in one."""
    if text.lstrip()[:1] != '"':
        return text
    try:
        inner = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return text
    return inner if isinstance(inner, str) else text


def last_object(text: str) -> dict[str, Json] | None:
    """Return the last outermost object; None if the text has none."""
    found = objects(text)
    return found[-1] if found else None


def complete_parts(text: str) -> Iterator[dict[str, Json]]:
    """Yield what is complete of the first object of a text that was cut off: without the list item in which the
    cut is, then without the item around that one, and so on.

    >>> list(complete_parts('{"claims": [{"text": "a"}, {"text": "b"}, {"te'))
    [{'claims': [{'text': 'a'}, {'text': 'b'}]}]
    """
    start = _START.search(text)
    if start is not None and text[start.start()] == "{":
        for written in _without_cut_items(text, start.start()):
            if (part := last_object(written)) is not None:
                yield part


def _without_cut_items(text: str, start: int) -> list[str]:
    """Return the object up to its last complete list item, with its brackets closed: one text for each depth at
    which there is such an item, the longest first.
    """
    opened: list[str] = []
    closed: dict[int, str] = {}
    for token in _TOKEN.finditer(text, start):
        if token[0] in "{[":
            opened.append(token[0])
        elif token[0] in "}]" and opened:
            opened.pop()
            if token[0] == "}" and opened[-1:] == ["["]:
                closing = "".join("}" if bracket == "{" else "]" for bracket in reversed(opened))
                closed[len(opened)] = text[start : token.end()] + closing
    return sorted(closed.values(), key=len, reverse=True)


def _values(text: str) -> Iterator[Json]:
    place, tried, scanned = 0, 0, 0
    while (start := _START.search(text, place)) and tried < MAX_STARTS and scanned < MAX_SCANNED:
        try:
            value, place = _DECODER.raw_decode(text, start.start())
        except (ValueError, RecursionError):
            pass
        else:
            yield clean_values(value)
            continue
        tried += 1
        end = _end_of(text, start.start())
        scanned += (end or len(text)) - start.start()
        if end is not None:
            place = end  # even if it is no JSON, an object inside it is not an answer
            if (repaired := _repair_value(text[start.start() : end])) is not None:
                yield clean_values(repaired)
            continue
        place = start.end()
        # Unclosed: what follows may be an answer, but its own parts are not.
        while (inner := _START.search(text, place)) and text[: inner.start()].rstrip()[-1:] in (
            ":",
            ",",
            "[",
            "{",
        ):
            place = inner.end()


def _repair_value(written: str) -> Json:
    """Return the repaired value; None if that fails."""
    if len(written) > MAX_REPAIRED_LENGTH:
        return None
    try:
        value: Json = json.loads(
            json.dumps(json_repair.loads(written, skip_json_loads=True), allow_nan=False)
        )
    except (ValueError, TypeError, RecursionError):
        return None
    return value


def _end_of(text: str, start: int) -> int | None:
    """Return the index after the bracket that closes the one at `start`; None if it is not closed."""
    depth = 0
    for token in _TOKEN.finditer(text, start):
        mark = token[0]
        if mark in "{[":
            depth += 1
        elif mark in "}]":
            depth -= 1
            if depth == 0:
                return token.end()
    return None
