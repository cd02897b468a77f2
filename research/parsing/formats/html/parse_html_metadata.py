"""Extracts title, author, dates, site and URL of a web page from its own declarations.

trafilatura reads only the head and JSON-LD. Given the whole page it also guesses from the prose: on 45
reference pages it took headings ("Authority", "Loss; Theft; Damage") for authors and dates of cited works for
the page's own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from lxml import etree
from lxml.etree import _Element
from trafilatura.metadata import extract_metadata

from citations.dates.find_dates import read_date
from research.parsing.clean_text import clean, squash
from research.parsing.formats.html.parse_html_publisher import find_original_publisher, publisher
from research.parsing.formats.html.parsed_html_tree import elements, values, words

_PARTIAL_DATE = re.compile(r"\d{4}(?:-\d\d(?!\d)(?:-\d\d(?!\d))?)?(?!\d)")
_MONTH_IN_WORDS = re.compile(r"[^\W\d_]{3}")
_LONGEST_DATE = 60  # characters
_UNKNOWN_PARTS = re.compile(r"(?:-00)+$")
_PUBLISHED = (
    "//meta[@property='article:published_time']/@content",
    "//meta[@name='citation_publication_date']/@content",
    "//meta[@name='citation_date']/@content",
    "//meta[@name='dcterms.issued' or @name='DC.date.issued']/@content",
    "//meta[@name='date' or @name='DC.date' or @name='dcterms.date']/@content",
    "//*[@itemprop='datePublished']/@content",
    "//*[@itemprop='datePublished']/@datetime",
    "//time[@pubdate]/@datetime",
)
_MODIFIED = (
    "//meta[@property='article:modified_time' or @property='og:updated_time']/@content",
    "//meta[@http-equiv='last-modified' or @name='last-modified' or @name='dcterms.modified']/@content",
    "//*[@itemprop='dateModified']/@content", "//*[@itemprop='dateModified']/@datetime",
)  # fmt: skip
_BYLINE = ("//*[@rel='author']", "//*[@itemprop='author']", "//*[@class='byline' or @class='author']")
_PAYWALL_WORDS = re.compile(
    r"subscribe (?:now )?to (?:continue|read|keep reading)|already a subscriber\?|"
    r"(?:this|the full) (?:article|story|content) is (?:only )?(?:available )?(?:for|to) (?:paying )?"
    r"(?:subscribers|members)|(?:sign in|log in) to (?:continue|keep) reading|"
    r"you have reached your (?:article )?limit",
    re.I,
)
_PAYWALL_PARTS = "//*[contains(@class, 'paywall') or contains(@id, 'paywall') or contains(@class, 'regwall')]"
_FREE = "//*[@itemprop='isAccessibleForFree']/@content | //*[@itemprop='isAccessibleForFree']/@href"
_TIER = "//meta[@property='article:content_tier']/@content"
_MAX_BYLINE = 120
_MAX_UNSEEN_NAME = 5  # words
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class HtmlMetadata:
    title: str
    author: str
    published: str | None
    modified: str | None
    site_name: str
    url: str
    language: str | None
    has_paywall: bool
    syndicated_from: str


def metadata(root: _Element, main: _Element, json_ld: list[str]) -> HtmlMetadata:
    """Return the metadata of a pruned page. `json_ld` holds the JSON-LD scripts that pruning removed."""
    declared = extract_metadata(_head_only(root, json_ld), extensive=False)
    described = list(_json_objects(json_ld))
    body = root.find("body")
    shown = _forms(f"{root.findtext('./head/title') or ''} {words(root if body is None else body)}")
    author = clean(_name_in(declared.author, shown) or _byline(root))
    return HtmlMetadata(
        title=_title(root, main, declared.title if _forms(declared.title or "") <= shown else None),
        author=author,
        published=_first_date(root, _PUBLISHED)
        or _json_date(described, "datePublished")
        or declared.date
        or None,
        modified=_first_date(root, _MODIFIED) or _json_date(described, "dateModified"),
        site_name=_name_in(publisher(root, described, declared.sitename or "", declared.url or ""), shown),
        url=clean(declared.url or ""),
        language=_language(root),
        has_paywall=_has_paywall(root, main, described),
        syndicated_from=find_original_publisher(root, described, author, squash(words(main))),
    )


def partial_date(text: str) -> str | None:
    """Return the ISO date that a text starts with, without a time, or the one that it names in words.

    "2017-06-22T10:00Z" and "22 June 2017" give "2017-06-22". None for a day that no calendar has; a month or day of 00
    is unknown.
    """
    match = _PARTIAL_DATE.match(text.strip().replace("/", "-"))
    if match is None:
        return read_date(text) if len(text) <= _LONGEST_DATE and _MONTH_IN_WORDS.search(text) else None
    written = _UNKNOWN_PARTS.sub("", match[0])
    try:
        date.fromisoformat((written + "-01-01")[:10])
    except ValueError:
        return None
    return written


def _head_only(root: _Element, json_ld: list[str]) -> str:
    parts = [
        etree.tostring(element, with_tail=False, encoding="unicode") for element in elements(root, "./head/*")
    ]
    parts += [f'<script type="application/ld+json">{script}</script>' for script in json_ld]
    return f"<html><head>{''.join(parts)}</head><body></body></html>"


def _forms(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))


def _name_in(declared: str | None, shown: set[str]) -> str:
    """Return a declared name.

    One that is not shown on the page has few words: hidden whole sentences are not names.
    """
    name = declared or ""
    return name if len(name.split()) <= _MAX_UNSEEN_NAME or _forms(name) <= shown else ""


def _title(root: _Element, main: _Element, declared: str | None) -> str:
    own = [squash(words(heading)) for heading in main.iter("h1")]
    own = [title for title in own if title]
    if own and (len(own) == 1 or own[0] in (declared or "")):
        return clean(own[0]).rstrip("¶ ")
    in_head = squash(declared or root.findtext("./head/title") or (own[0] if own else ""))
    return clean(in_head).rstrip("¶ ")


def _byline(root: _Element) -> str:
    for path in _BYLINE:
        for element in elements(root, path):
            name = squash(" ".join(map(str, element.itertext())))
            if 3 <= len(name) <= _MAX_BYLINE:
                return re.sub(r"^(?:written )?by\s+", "", name, flags=re.I)
    return ""


def _first_date(root: _Element, paths: tuple[str, ...]) -> str | None:
    found = (partial_date(value) for path in paths for value in values(root, path))
    return next(filter(None, found), None)


def _json_objects(scripts: list[str]) -> Iterator[dict[str, object]]:
    for script in scripts:
        try:
            waiting = [json.loads(script)]
        except (ValueError, RecursionError):
            continue
        while waiting:
            value = waiting.pop()
            if isinstance(value, list):
                waiting.extend(value)
            elif isinstance(value, dict):
                yield value
                waiting += [value.get(part) for part in ("@graph", "hasPart", "mainEntity")]


def _json_date(objects: list[dict[str, object]], key: str) -> str | None:
    return next(filter(None, (partial_date(str(value.get(key, ""))) for value in objects)), None)


def _language(root: _Element) -> str | None:
    declared = (root.get("lang") or root.get("{http://www.w3.org/XML/1998/namespace}lang") or "").lower()
    match = re.match(r"[a-z]{2}(?=$|[-_])", declared)
    return match[0] if match else None


def _has_paywall(root: _Element, main: _Element, described: list[dict[str, object]]) -> bool:
    access_flags = [str(value.get("isAccessibleForFree", "")) for value in described]
    if any(flag.lower().endswith("false") for flag in (*access_flags, *values(root, _FREE))):
        return True
    if "locked" in values(root, _TIER):
        return True
    text = words(main)
    return bool(elements(root, _PAYWALL_PARTS) or _PAYWALL_WORDS.search(text[-5_000:])) and len(text) < 8_000
