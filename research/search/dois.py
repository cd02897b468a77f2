"""DOIs: told from other text, and written as the one address that leads to the work.

A DOI has no case (DOI Handbook, 2.4), so two spellings are one in lower case.
"""

import re
from urllib.parse import quote, unquote

_RESOLVER = re.compile(r"(?:https?://)?(?:dx\.|www\.)?doi\.org/", re.IGNORECASE)
_LABEL = re.compile(r"doi\s*[:=]?\s*(?=10\.)", re.IGNORECASE)
_DOI = re.compile(r"10\.[0-9]{4,9}(?:\.[0-9]+)*/\S{1,200}")
LONGEST = 2_000  # characters of an address that leads to one
_KEPT = "/:;()._-"  # what a path may have; #, ?, <, > and % stand in DOIs and must be written in hex


def doi_of(text: str) -> str:
    """The DOI that the text is: bare, after "doi:", or as an address of the resolver. "" for what is none.

    Punctuation that a sentence or a pair of brackets left at its end is no part of it.
    """
    text = text.strip()
    if len(text) > LONGEST:
        return ""
    resolver = _RESOLVER.match(text)
    if resolver:
        text = unquote(text[resolver.end() :])
    else:
        label = _LABEL.match(text)
        text = text[label.end() :] if label else text
    match = _DOI.fullmatch(_without_end(text))
    return match[0].lower() if match else ""


def doi_url(doi: str) -> str:
    """Return the doi.org URL of a DOI."""
    return f"https://doi.org/{quote(doi, _KEPT)}"


def _without_end(text: str) -> str:
    stripped = text.rstrip(".,;:'\"”’>")
    while stripped.endswith(")") and stripped.count(")") > stripped.count("("):
        stripped = stripped[:-1].rstrip(".,;:'\"”’>")
    return stripped
