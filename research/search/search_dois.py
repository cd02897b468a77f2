"""Recognise DOIs and write them as URLs of the resolver.

A DOI is case-insensitive (DOI Handbook, 2.4), so it is normalised to lower case.
"""

import re
from urllib.parse import quote, unquote

_RESOLVER = re.compile(r"(?:https?://)?(?:dx\.|www\.)?doi\.org/", re.IGNORECASE)
_LABEL = re.compile(r"doi\s*[:=]?\s*(?=10\.)", re.IGNORECASE)
_DOI = re.compile(r"10\.[0-9]{4,9}(?:\.[0-9]+)*/\S{1,200}")
LONGEST = 2_000  # characters of a URL that leads to one
_KEPT = "/:;()._-"  # allowed in a path; #, ?, <, > and % occur in DOIs and must be percent-encoded


def doi_of(text: str) -> str:
    """Return the DOI in a text: bare, after "doi:", or as a URL of the resolver; "" if there is none.

    Trailing punctuation and unmatched brackets are removed.
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
