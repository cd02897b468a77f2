"""Finds the publisher of a web page and the original publisher of its text, from the page itself.

A page that names another as its origin is believed: that makes sources fewer, never more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from lxml.etree import _Element

from citations.credibility.source_hosts import host_of
from research.parsing.clean_text import clean, squash
from research.parsing.formats.html.parsed_html_tree import values

Described = Mapping[str, object]  # a JSON-LD object

_MAX_NAME = 200
_SITE = ("//meta[@property='og:site_name']/@content",)
_PUBLISHER = (
    "//meta[@name='citation_publisher']/@content",
    "//meta[@name='dcterms.publisher' or @name='DC.publisher' or @name='dc.publisher']/@content",
    "//meta[@property='article:publisher' and not(contains(@content, '://'))]/@content",
    "//meta[@name='application-name']/@content",
)
_ORIGINAL = (
    "//meta[@name='syndication-source' or @name='original-source']/@content",
    "//link[@rel='syndication-source' or @rel='original-source']/@href",
)
# News agencies, by the marks on their stories.
_AGENCIES = {
    "Associated Press": ("ap", "associated press", "the associated press", "ap news"),
    "Reuters": ("reuters", "thomson reuters"),
    "Agence France-Presse": ("afp", "agence france-presse", "agence france presse"),
    "dpa": ("dpa", "deutsche presse-agentur", "dpa-afx"),
    "United Press International": ("upi", "united press international"),
    "Xinhua": ("xinhua", "xinhua news agency"),
    "ANSA": ("ansa",),
    "EFE": ("efe",),
    "TASS": ("tass",),
    "Press Trust of India": ("pti", "press trust of india"),
    "ANI": ("ani", "asian news international"),
    "IANS": ("ians",),
    "Kyodo News": ("kyodo", "kyodo news"),
    "Yonhap": ("yonhap", "yonhap news agency"),
    "PA Media": ("pa media", "press association"),
    "The Canadian Press": ("the canadian press",),
    "Australian Associated Press": ("aap", "australian associated press"),
    "Bloomberg": ("bloomberg", "bloomberg news"),
    "PR Newswire": ("pr newswire", "prnewswire"),
    "Business Wire": ("business wire", "businesswire"),
    "GlobeNewswire": ("globenewswire", "globe newswire"),
}
_BY_MARK = {mark: agency for agency, marks in _AGENCIES.items() for mark in marks}
# "LONDON, Nov 22 (Reuters) - …", "NEW YORK (AP) — …", "/PRNewswire/ --"
_DATELINE = re.compile(r"(?:^|\s)[(/]([A-Za-z][A-Za-z -]{1,30})[)/]\s*(?:-{1,2}|[–—])\s")
_CREDIT = re.compile(
    r"(?:©|\([Cc]\)|[Cc]opyright)\s*(?:\d{4}\s*)?(?:by\s+)?(?:[Tt]he\s+)?"
    r"([A-Z][A-Za-z -]{1,30}?)(?:[.,]|\s*$|\s\d{4})"
)
_OPENING, _ENDING = 400, 300  # characters of the text that are examined


def publisher(root: _Element, described: Iterable[Described], declared: str, address: str) -> str:
    """Return the publisher; "" if the page names none. `declared`: the site name that trafilatura found."""
    named = (_name(entry.get("publisher"), described) for entry in described)
    site = "" if declared.casefold() in _hosts(address) else declared
    candidates = [*named, *_first(root, _SITE), *_first(root, _PUBLISHER), site]
    return agency_named(next((name for name in map(_line, candidates) if name), ""))


def find_original_publisher(root: _Element, described: Iterable[Described], author: str, text: str) -> str:
    """Return the news agency or the domain that the page names as the origin of its text; "" if the text is its own."""
    original = next(
        (host for value in _first(root, _ORIGINAL) if "//" in value and (host := host_of(value))), ""
    )
    if original:
        return original
    credits = [
        _name(entry.get(key), described)
        for entry in described
        for key in ("sourceOrganization", "creditText")
    ]
    authors = [author, *values(root, "//meta[@name='author']/@content")]
    parts = [part for byline in authors for part in (byline, *re.split(r"\s*[;,/|]\s*|\sand\s", byline))]
    marks = [*credits, *parts, *_marks_in(text)]
    return next((agency for mark in marks if (agency := _BY_MARK.get(_line(mark).casefold()))), "")


def agency_named(name: str) -> str:
    """Return the usual name of an agency; other names unchanged."""
    return _BY_MARK.get(name.casefold().strip(), name)


def _marks_in(text: str) -> Iterator[str]:
    opening, ending = text[:_OPENING], text[-_ENDING:]
    for match in (*_DATELINE.finditer(opening), *_CREDIT.finditer(ending)):
        yield match[1].strip()


def _name(value: object, described: Iterable[Described]) -> str:
    """Return a name in JSON-LD: a text, or that of an object, of the first of several, or of a referenced object."""
    match value:
        case str():
            return value
        case [first, *_]:
            return _name(first, described)
        case {"name": str(name)}:
            return name
        case {"@id": str(identifier)}:
            others = (entry for entry in described if entry.get("@id") == identifier)
            return next((str(other["name"]) for other in others if isinstance(other.get("name"), str)), "")
    return ""


def _first(root: _Element, paths: Iterable[str]) -> Iterator[str]:
    for path in paths:
        yield from values(root, path)[:1]


def _hosts(address: str) -> frozenset[str]:
    host = host_of(address) if "://" in address else ""
    return frozenset({host, f"www.{host}", ""})


def _line(name: str) -> str:
    return squash(clean(name))[:_MAX_NAME]
