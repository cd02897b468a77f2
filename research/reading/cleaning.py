"""Characters that may stand in a frozen text, and whitespace as a reader sees it."""

from __future__ import annotations

import re
import unicodedata

# Never text: C0 and C1 controls except tab and line feed, soft hyphen, zero-width space, word joiner, byte-
# order
# mark, lone surrogates, non-characters, and the tag characters that can smuggle invisible instructions.
_FORBIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u200b\u2060\ufeff\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"
    "\U000e0000-\U000e007f]"
)
_LINE_END = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")


def clean(text: str) -> str:
    """NFC, line feeds only, without control, invisible and non-characters. Idempotent."""
    kept = _FORBIDDEN.sub("", _LINE_END.sub("\n", text))
    # Removing a character can bring a base and its mark together, so NFC comes last.
    return unicodedata.normalize("NFC", kept)


def squash(text: str) -> str:
    """Every run of whitespace, no-break spaces included, as one space; none at the ends."""
    return " ".join(text.split())


def tidy_code(text: str) -> str:
    """Lines of code as they stand, without trailing blanks and without empty lines around."""
    return "\n".join(line.rstrip() for line in text.expandtabs(4).split("\n")).strip("\n")


def word_set(*lines: str) -> frozenset[str]:
    """The words of some lines, for tables of words that read as text."""
    return frozenset(word for line in lines for word in line.split())
