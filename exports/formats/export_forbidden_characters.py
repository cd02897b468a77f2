"""Removes characters that none of the written formats may contain."""

import re

# XML's forbidden controls and noncharacters, and lone surrogates, which no encoding can represent (XML 1.0, 2.2).
_FORBIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)

_LINE_ENDS = re.compile("\x85|\u2028|\u2029")  # these have no glyph in any font


def clean(text: str) -> str:
    """Return the text without them, with uniform line endings."""
    return _FORBIDDEN.sub("", _LINE_ENDS.sub("\n", text))
