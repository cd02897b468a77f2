"""Detects sources that say that they are retracted, withdrawn or replaced."""

import re
from functools import lru_cache

_OPENING = 2_000  # characters at the beginning that are examined
_GONE = r"(?:retract(?:ed|ion)|withdrawn|superseded|obsoleted?|rescinded)"
_IN_TITLE = re.compile(
    rf"^\W*(?:{_GONE}|zurückgezogen|aufgehoben)\b\s*(?:article|paper)?\s*(?:$|[:\-–—\])(|])"
    rf"|[\[(](?:{_GONE}|zurückgezogen|aufgehoben)[\])]",
    re.IGNORECASE,
)
_OF_ITSELF = re.compile(
    r"\bth(?:is|e present) (?:\w+ )?(?:paper|article|preprint|study|report|document|standard|publication|version|page"
    r"|guideline|edition|note|specification)\s+(?:has been|have been|was|is)\s+(?:\w+ly\s+)?"
    rf"(?:{_GONE}|replaced)\b"
    r"|\bdiese[rs]? (?:Artikel|Arbeit|Studie|Bericht|Dokument|Norm|Fassung|Seite)\s+(?:wurde|ist)\b.{0,60}\b"
    r"(?:zurückgezogen|aufgehoben|ersetzt)\b",
    re.IGNORECASE,
)


def is_withdrawn(title: str, text: str) -> bool:
    """True for a source whose title or beginning says that it was withdrawn or replaced."""
    return _says_so(title, text[:_OPENING])


@lru_cache(maxsize=256)
def _says_so(title: str, opening: str) -> bool:
    """Each claim of a source asks for it."""
    return bool(_IN_TITLE.search(title) or _OF_ITSELF.search(" ".join(opening.split())))
