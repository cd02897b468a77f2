"""Build hits from the results of any service: clean single-line texts, an ISO date, and the type of source."""

import re
from dataclasses import replace
from datetime import UTC, date, datetime

from lxml import html
from pydantic import TypeAdapter, ValidationError

from citations.credibility.source_authority import classify_source
from citations.credibility.source_hosts import host_of
from research.fetching.canonical_urls import unwrap_redirect, without_tracking
from research.models import SourceType
from research.parsing.clean_text import clean, squash
from research.search.search_protocol import SearchHit

MAX_TITLE, MAX_SNIPPET_LENGTH = 500, 500  # characters
MAX_MARKUP = 20_000
_DATE = TypeAdapter(datetime)
_MONTH = re.compile(r"\d{4}(-\d\d)?")


def hit(
    url: str,
    title: str | None,
    snippet: str | None,
    published: str = "",
    kind: SourceType | None = None,
    *,
    stars: int | None = None,
    has_code: bool = False,
    full_text: str = "",
) -> SearchHit:
    """Build a hit from a service's description of a page. `kind` overrides the type derived from the URL.

    The type is derived only for hits that are used (`classify_hit`).
    """
    url = without_tracking(unwrap_redirect(clean(url).strip()))
    return SearchHit(
        url=url,
        title=line(title, MAX_TITLE),
        snippet=line(snippet, MAX_SNIPPET_LENGTH),
        domain=host_of(url),
        published=published,
        source_type=kind or SourceType.OTHER,
        stars=stars,
        has_code=has_code,
        full_text=full_text,
    )


def classify_hit(found: SearchHit) -> SearchHit:
    """Return the hit with the source type that its URL and title suggest, unless its service set one."""
    if found.source_type != SourceType.OTHER:
        return found
    kind = SourceType(classify_source(url=found.url, title=found.title).source_type.value)
    return found if kind is SourceType.OTHER else replace(found, source_type=kind)


def line(text: str | None, longest: int) -> str:
    return squash(clean(text or ""))[:longest]


def without_markup(text: str | None) -> str:
    """Return the text of a piece of HTML; "" for None."""
    piece = (text or "")[:MAX_MARKUP]
    if not piece.strip():
        return ""
    return squash("".join(map(str, html.fromstring(f"<div>{clean(piece)}</div>").itertext())))


def day(text: str | None) -> str:
    """Return an ISO 8601 date, as precise as given; "" if it is not a date."""
    text = (text or "").strip()
    if _MONTH.fullmatch(text):
        return text
    try:
        return _DATE.validate_python(text).date().isoformat()
    except ValidationError:
        return _plain_day(text)


def day_of(seconds: float | None) -> str:
    """Return the day of a Unix time in UTC as ISO 8601; "" for None or a time outside the calendar."""
    if seconds is None:
        return ""
    try:
        return datetime.fromtimestamp(seconds, tz=UTC).date().isoformat()
    except (OverflowError, OSError, ValueError):
        return ""


def _plain_day(text: str) -> str:
    try:
        return date.fromisoformat(text[:10]).isoformat()
    except ValueError:
        return ""
