"""Removes characters that a frozen text must not contain, and normalizes whitespace."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

# Never text: C0 and C1 controls except tab and line feed, soft hyphen, zero-width space, grapheme and word
# joiners, invisible operators, byte-order mark, lone surrogates, non-characters, and tag characters, which
# can smuggle invisible instructions.
_FORBIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u180e\u200b\u2060-\u2064"
    "\ufeff\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"
    "\U000e0000-\U000e007f]"
)
# Joiners are needed in scripts that join letters, and in emoji; after a Latin letter they only hide something.
_SMUGGLED_JOINERS = re.compile("(?<=[\x00-\x7f])[\u200c\u200d]+")
# A single variation selector chooses a form of the character before; several in a row carry data of their own.
_SMUGGLED_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}")
# Characters that may carry an invisible message; a single zero-width character only marks a possible line break.
_CARRIERS = re.compile(
    "[\U000e0000-\U000e007f]+|[\u200b-\u200d\u2060-\u2064\ufeff\ufe00-\ufe0f\U000e0100-\U000e01ef]{4,}"
)
_TAG = 0xE0000  # a tag character is this much beyond the ASCII character that it stands for
# A letter printed over another: "N\bN" is a bold N of a printed manual, "_\bf" an underlined f.
_OVERPRINTED = re.compile("[^\n\x08]\x08")
_LINE_END = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")


def clean(text: str) -> str:
    """Return the text in NFC with line feeds only, without control, invisible and non-characters. Idempotent."""
    printed = _OVERPRINTED.sub("", text) if "\b" in text else text
    kept = unicodedata.normalize("NFC", _FORBIDDEN.sub("", _LINE_END.sub("\n", printed)))
    kept = _SMUGGLED_JOINERS.sub("", _SMUGGLED_SELECTORS.sub("", kept))
    # Removing a character can bring a base and its combining mark together, so NFC is applied again at the
    # end.
    return unicodedata.normalize("NFC", kept)


def carriers(text: str) -> Iterator[tuple[int, str]]:
    """Yield the sequences of invisible characters that may hide a message: their length and, if known, the message."""
    for match in _CARRIERS.finditer(text):
        message = "".join(
            chr(ord(character) - _TAG) for character in match[0] if 0x20 <= ord(character) - _TAG < 0x7F
        )
        yield len(match[0]), message


def squash(text: str) -> str:
    """Collapse whitespace, including no-break spaces, to single spaces, and strip the ends."""
    return " ".join(text.split())


def tidy_code(text: str) -> str:
    """Return lines of code without trailing blanks and without empty lines around them."""
    return "\n".join(line.rstrip() for line in text.expandtabs(4).split("\n")).strip("\n")


def word_set(*lines: str) -> frozenset[str]:
    """Return the set of all words in the lines, so that word tables read as text."""
    return frozenset(word for line in lines for word in line.split())


# Headings of a part of any document, which name none.
_GENERAL_HEADING = re.compile(
    r"\W*(?:about|abstract|background|contents|description|features|getting started|home|index|installation"
    r"|introduction|overview|preface|readme|summary|table of contents|usage|welcome|what is it)\W*",
    re.IGNORECASE,
)


def is_general_heading(heading: str) -> bool:
    """Return True for the heading of a part that any document has: "Description"."""
    return _GENERAL_HEADING.fullmatch(heading) is not None


def without_general_heading(title: str) -> str:
    """Return a document's title; "" for a general heading, so that its path names the document."""
    return "" if is_general_heading(title) else title
