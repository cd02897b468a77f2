"""Sources that say of themselves that they hold no more: retracted, withdrawn, replaced by another."""

import re

_OPENING = 2_000  # characters in which a source says so of itself
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
    """True for a source whose title, or whose opening, says that it was taken back or replaced."""
    return bool(_IN_TITLE.search(title) or _OF_ITSELF.search(" ".join(text[:_OPENING].split())))
