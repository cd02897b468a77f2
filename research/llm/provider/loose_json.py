"""JSON as models write it: in prose or a fence, with trailing commas, raw line ends, or Python's literals. Pure."""

import ast
import json
import re
from collections.abc import Iterator

from research.reading.strange_json import Json, clean_values, refuse_constant

LONGEST_REPAIRED = 200_000  # characters
MOST_STARTS = 200  # of objects that cannot be read

_DECODER = json.JSONDecoder(strict=False, parse_constant=refuse_constant)
_START = re.compile(r"""\{(?=\s*(?:["'}]|[A-Za-z_]\w*\s*:))|\[(?=\s*[\[{\]])""")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'(?=\s*[:,}\]])|[][{}]', re.DOTALL)
_STRING_OR_COMMA = re.compile(r'"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])', re.DOTALL)


def objects(text: str) -> list[dict[str, Json]]:
    """Return the outermost objects of a text in order, those in an outermost array among them.

    >>> objects('Perhaps {"a": 1}? No: ```json\\n{"a": 2,}\\n```'), objects("[{'a': None}]"), objects("{no} object")
    ([{'a': 1}, {'a': 2}], [{'a': None}], [])
    """
    found: list[dict[str, Json]] = []
    for value in _values(text):
        found += [item for item in (value if isinstance(value, list) else [value]) if isinstance(item, dict)]
    return found


def last_object(text: str) -> dict[str, Json] | None:
    """Return the last outermost object; None where the text has none."""
    found = objects(text)
    return found[-1] if found else None


def _values(text: str) -> Iterator[Json]:
    place, tried = 0, 0
    while (start := _START.search(text, place)) and tried < MOST_STARTS:
        read = _read_at(text, start.start())
        if read is not None:
            value, place = read
            yield clean_values(value)
            continue
        tried += 1
        end = _end_of(text, start.start())
        if end is not None:  # closed, but no JSON: what stands in it is no answer of its own
            place = end
            continue
        place = start.end()
        # Never closed: what follows it may be an answer, its own parts are none.
        while (inner := _START.search(text, place)) and text[: inner.start()].rstrip()[-1:] in (
            ":",
            ",",
            "[",
            "{",
        ):
            place = inner.end()


def _read_at(text: str, start: int) -> tuple[Json, int] | None:
    try:
        value, end = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        pass
    else:
        return value, end
    closed = _end_of(text, start)
    if closed is None or closed - start > LONGEST_REPAIRED:
        return None
    written = text[start:closed]
    for read in (_without_trailing_commas, ast.literal_eval):
        try:
            value = read(written)
            return json.loads(json.dumps(value, allow_nan=False)), closed
        except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
            continue
    return None


def _without_trailing_commas(written: str) -> Json:
    kept = _STRING_OR_COMMA.sub(lambda match: "" if match[0] == "," else match[0], written)
    value: Json = _DECODER.decode(kept)
    return value


def _end_of(text: str, start: int) -> int | None:
    """The place behind the mark that closes the one at `start`; None where nothing does."""
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
