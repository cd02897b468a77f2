"""Removes characters that no written format may hold."""

import re

# XML's forbidden controls and noncharacters, and lone surrogates, which no encoding has (XML 1.0, 2.2).
_FORBIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)

_LINE_ENDS = re.compile("\x85|\u2028|\u2029")  # which no font draws


def clean(text: str) -> str:
    """Return the text without them, with uniform line ends."""
    return _FORBIDDEN.sub("", _LINE_ENDS.sub("\n", text))
