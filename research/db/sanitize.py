"""Texts and JSON as the database takes them, whoever wrote them."""

import math
import re
from collections.abc import Iterable, Mapping

DEEPEST = 100  # levels of nesting; readers of what is nested deeper would run out of stack
_NO_TEXT = re.compile("[\0\ud800-\udfff]")


def storable_text(text: str) -> str:
    """Without NUL and halves of surrogate pairs."""
    return _NO_TEXT.sub("", text)


def is_deeper(value: object, levels: int) -> bool:
    """Return True if the JSON value is nested in more than this many levels."""
    level = [value]
    for _number in range(levels):
        level = [inner for item in level for inner in _within(item)]
    return bool(level)


def _within(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def storable(value: object) -> object:
    """JSON, its texts so, and nothing in place of a number without an end."""
    if isinstance(value, str):
        return storable_text(value)
    if isinstance(value, Mapping):
        return {storable_text(str(name)): storable(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [storable(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
