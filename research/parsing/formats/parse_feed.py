"""Reads feeds (RSS, Atom, JSON Feed): each entry is a section with its title, date, URL and text.

feedparser is given bytes in memory: given a string, it would fetch anything that looks like a URL. A document
type that defines entities is refused before anything parses it.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import struct_time

import feedparser
from lxml import etree, html

from research.parsing.clean_text import clean, squash
from research.parsing.formats.hidden_characters import note_carriers
from research.parsing.formats.html.parse_html_blocks import HtmlFlow
from research.parsing.formats.html.parse_html_metadata import partial_date
from research.parsing.formats.html.remove_hidden_html import prune
from research.parsing.frozen_text_builder import TextBuilder
from research.parsing.hidden_text import DroppedLog
from research.parsing.parsed_document import ReadDocument
from research.parsing.parsed_media_types import FEED
from research.parsing.partial_reading import describe_part
from research.parsing.sniff_format import is_json_feed
from research.runtime.sandbox.sandbox_read_error import ReadError

MAX_ENTRIES = 1_000
_DEFINES = re.compile(rb"<!DOCTYPE[^>\[]*\[|<!ENTITY", re.I)
_HEADING = 2


@dataclass(frozen=True, slots=True)
class _FeedEntry:
    """An entry of a feed. `title` and `words` are HTML."""

    title: str = ""
    date: str = ""
    author: str = ""
    link: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True)
class _Feed:
    title: str
    author: str
    link: str
    language: str
    updated: str
    entries: Sequence[_FeedEntry]


def read_feed(data: bytes, name: str) -> ReadDocument:
    feed = _from_json(data, name) if is_json_feed(data) else _from_xml(data, name)
    if not feed.entries:
        raise ReadError("empty", f"“{name}” is a feed without entries.")
    builder, log = TextBuilder(), DroppedLog()
    for entry in feed.entries[:MAX_ENTRIES]:
        _write(builder, log, entry)
    dates = sorted(entry.date for entry in feed.entries if entry.date)
    return ReadDocument(
        text=builder.text, media_type=FEED, title=feed.title, author=feed.author,
        published=dates[-1] if dates else None, modified=partial_date(feed.updated), site_name=feed.title,
        url=feed.link, language=_language(feed.language), blocks=tuple(builder.blocks), tables=tuple(builder.tables),
        notes=describe_part(min(len(feed.entries), MAX_ENTRIES), len(feed.entries), "entries"), dropped=log.entries,
    )  # fmt: skip


def _write(builder: TextBuilder, log: DroppedLog, entry: _FeedEntry) -> None:
    """Write an entry.

    Its line of date, author and URL is in no block, since it is not a sentence of the feed.
    """
    builder.add_heading(_read_title(entry.title, log) or entry.date or entry.link or "Untitled", _HEADING)
    builder.loose(" · ".join(filter(None, (entry.date, entry.author, entry.link))))
    body = _body(entry.words)
    if body is not None:
        note_carriers(entry.words, log)
        prune(body, log)
        HtmlFlow(builder).read(body)


def _body(words: str) -> etree._Element | None:
    if not words.strip():
        return None
    parser = html.HTMLParser(remove_pis=True, no_network=True, huge_tree=True)
    try:
        root = html.document_fromstring(f"<html><body>{words}</body></html>", parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError):
        return None
    return root.find("body")


def _from_xml(data: bytes, name: str) -> _Feed:
    if _DEFINES.search(data):
        raise ReadError("unsupported", f"“{name}” defines its own XML entities, which are not supported.")
    parsed = feedparser.parse(io.BytesIO(data), sanitize_html=False, resolve_relative_uris=False)
    about = parsed.feed
    return _Feed(
        title=_line(about.get("title")),
        author=_line(about.get("author")),
        link=_address(about.get("link")),
        language=_line(about.get("language")),
        updated=_day(about.get("updated_parsed")),
        entries=[_xml_entry(entry) for entry in parsed.entries],
    )


def _xml_entry(entry: Mapping[str, object]) -> _FeedEntry:
    return _FeedEntry(
        title=_text(entry.get("title")),
        date=_day(entry.get("published_parsed") or entry.get("updated_parsed")),
        author=_line(entry.get("author")),
        link=_address(entry.get("link")),
        words=max([*_contents(entry.get("content")), _text(entry.get("summary"))], key=len),
    )


def _contents(parts: object) -> Iterator[str]:
    for part in parts if isinstance(parts, list) else ():
        if isinstance(part, Mapping):
            yield _text(part.get("value"))


def _from_json(data: bytes, name: str) -> _Feed:
    try:
        given = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ReadError("unreadable", f"“{name}” is a feed whose JSON is damaged.") from error
    items = given.get("items") if isinstance(given, Mapping) else None
    if not isinstance(items, list):
        raise ReadError("empty", f"“{name}” is a feed without entries.")
    return _Feed(
        title=_line(given.get("title")),
        author=_names(given),
        link=_address(given.get("home_page_url")),
        language=_line(given.get("language")),
        updated="",
        entries=[_json_entry(item) for item in items if isinstance(item, Mapping)],
    )


def _json_entry(item: Mapping[str, object]) -> _FeedEntry:
    date = item.get("date_published") or item.get("date_modified")
    words = _text(item.get("content_html")) or _as_html(
        _text(item.get("content_text")) or _text(item.get("summary"))
    )
    return _FeedEntry(
        title=_as_html(_line(item.get("title"))),
        date=partial_date(_text(date)) or "",
        author=_names(item),
        link=_address(item.get("url") or item.get("external_url")),
        words=words,
    )


def _names(given: Mapping[str, object]) -> str:
    """Return the authors as JSON Feed 1.1 lists them, or the single author of 1.0."""
    listed = given.get("authors")
    people = listed if isinstance(listed, list) else [given.get("author")]
    return "; ".join(
        filter(None, (_line(person.get("name")) for person in people if isinstance(person, Mapping)))
    )


def _as_html(text: str) -> str:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;")
    return "".join(f"<p>{part}</p>" for part in escaped.split("\n\n"))


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _line(value: object) -> str:
    return squash(clean(_text(value)))[:500]


def _read_title(words: str, log: DroppedLog) -> str:
    """Return a title as it is shown, without struck words: feeds contain HTML as often as plain text."""
    body, title = _body(words), TextBuilder()
    if body is None:
        return ""
    prune(body, log)
    HtmlFlow(title).read(body)
    return _line(title.text)


def _address(value: object) -> str:
    found = _line(value)
    return found if found.startswith(("http://", "https://")) else ""


def _day(moment: object) -> str:
    return (
        f"{moment.tm_year:04}-{moment.tm_mon:02}-{moment.tm_mday:02}"
        if isinstance(moment, struct_time)
        else ""
    )


def _language(declared: str) -> str | None:
    match = re.match(r"[a-z]{2}(?=$|[-_])", declared.lower())
    return match[0] if match else None
