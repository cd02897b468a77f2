"""Read BibTeX with pybtex, within limits.

Abbreviations (@string) may be composed of others: if each is twice as long as the previous one, they exhaust memory.
"""

import re

from pybtex.database import Entry
from pybtex.database.input.bibtex import Parser
from pybtex.exceptions import PybtexError
from pybtex.utils import CaseInsensitiveDict

MAX_ABBREVIATION_LENGTH = 500  # characters
MAX_JOINED = 20_000  # number of "#" in a file with abbreviations
MAX_PERSONS = 50_000  # in a file, counted by the "and"s between them: a hundred thousand take seconds
_AND = re.compile(r"\band\b", re.IGNORECASE)
_ABBREVIATIONS = re.compile(r"@\s{0,20}string\b", re.IGNORECASE)


class _Abbreviations(CaseInsensitiveDict):  # type: ignore[misc]  # pybtex has no types
    """A dictionary of abbreviations that rejects long ones."""

    def __setitem__(self, name: str, words: str) -> None:
        if len(words) > MAX_ABBREVIATION_LENGTH:
            raise PybtexError(
                f"the abbreviation “{name[:40]}” has more than {MAX_ABBREVIATION_LENGTH} characters"
            )
        super().__setitem__(name, words)


def entries_of(text: str) -> list[Entry]:
    """Return the entries in their order. Raises PybtexError, ValueError, RecursionError."""
    if _ABBREVIATIONS.search(text) and text.count("#") > MAX_JOINED:
        raise PybtexError("abbreviations are joined too often")
    if sum(1 for _ in _AND.finditer(text)) > MAX_PERSONS:
        raise PybtexError("it names too many persons")
    parser = Parser()
    abbreviations = _Abbreviations()
    for name, words in parser.macros.items():
        abbreviations[name] = words
    parser.macros = abbreviations
    return list(parser.parse_string(text).entries.values())
