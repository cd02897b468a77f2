"""Names that a single letter tells apart: "vitamin D", "Bulletin A". A letter alone is no word to search for. Pure."""

from __future__ import annotations

import re
from functools import lru_cache

from research.extractive.terms import is_stop_word

# Within a sentence, an article is not a capital letter; "I" is a pronoun, and "A+" a grade.
_LETTERED = re.compile(r"(?<=\s)([A-Za-z][\w-]+) ([A-HJ-Z])(?![\w.+#'’*-])")
_AT_THE_START = re.compile(r"\W*([A-Za-z][\w-]+) ([A-HJ-Z])(?![\w.+#'’*-])")


@lru_cache(maxsize=64)  # asked for each sentence that is ranked
def find_lettered_names(text: str) -> tuple[re.Pattern[str], ...]:
    """Return a pattern for each lettered name in a text. It also matches the names of a series: "vitamins C and D".

    >>> [name.search("Vitamins C and D").group() for name in find_lettered_names("How much vitamin D is in an egg?")]
    ['Vitamins C and D']
    >>> find_lettered_names("Is it written in C?"), find_lettered_names("Which plan is A better one?")
    ((), ())
    """
    found = [_AT_THE_START.match(text), *_LETTERED.finditer(text)]
    return tuple(
        re.compile(
            rf"\b(?i:{re.escape(match[1])})(?:e?s)?\b(?:[\s,;/&]+(?:[A-Z]|and|or))*[\s,;/&]+{match[2]}\b"
        )
        for match in found
        if match and not is_stop_word(match[1])
    )


def lacks_lettered_names(asked: str, text: str) -> bool:
    """Return True if what is asked about has lettered names, and the text has none of them.

    >>> lacks_lettered_names("What is Bulletin A?", "Bulletin B is a table."), lacks_lettered_names("What is it?", "")
    (True, False)
    """
    names = find_lettered_names(asked)
    return bool(names) and not any(name.search(text) for name in names)
