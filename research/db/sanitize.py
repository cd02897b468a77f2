"""Makes text and JSON from any source storable in the database."""

import math
import re
from collections.abc import Iterable, Mapping

DEEPEST = 100  # levels of nesting; parsers of deeper values could overflow their stack
_NO_TEXT = re.compile("[\0\ud800-\udfff]")


def storable_text(text: str) -> str:
    """Return the text without NUL and lone surrogates."""
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
    """Return the JSON value with storable texts, and null for numbers that are not finite."""
    if isinstance(value, str):
        return storable_text(value)
    if isinstance(value, Mapping):
        return {storable_text(str(name)): storable(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [storable(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
