"""Scholarly works in the replies of indexes: plain text from markup, ISO dates, one URL for each."""

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import takewhile

from pydantic import BaseModel, ConfigDict

from citations.credibility.source_authority import classify_source
from citations.credibility.source_hosts import host_of
from research.models import SourceType
from research.search.search_dois import doi_url
from research.search.search_protocol import SearchHit

MAX_TITLE, MAX_SNIPPET_LENGTH = 500, 500  # characters
MAX_PLACES = 20_000  # words of an abstract
ARXIV_DOI = "10.48550/arxiv."

# HTML, JATS (jats:p) and MathML (mml:math). Only complete tags match: a "<" may also be a comparison.
_ATTRIBUTES = r"""(?:\s+[\w:.-]+\s*=\s*(?:"[^"<>]*"|'[^'<>]*'))*\s*/?"""
_TAG = re.compile(
    rf"</?(?:[a-z]+:[\w.-]+|[bipqsu]|em|strong|su[bp]|scp?|tt|br|hr|span|div|font|a|img|h[1-6]|[uo]l|li|pre|code|kbd"
    rf"|blockquote|table|t[rdh]|thead|tbody|title|sec|italic|bold|math|m[inro]|mrow|msu[bp]|mtext){_ATTRIBUTES}>",
    re.IGNORECASE,
)
_BREAKING = re.compile(
    rf"</?(?:jats:)?(?:p|sec|title|list|list-item|div|h[1-6]|[uo]l|li|br|hr|pre|blockquote|t[rdh]){_ATTRIBUTES}>",
    re.IGNORECASE,
)
_HEADING = re.compile(r"<(?:jats:)?title>\s*(?:abstract|summary)\W*</(?:jats:)?title>", re.IGNORECASE)


class ProviderSchema(BaseModel):
    """Base of reply schemas; unknown fields are ignored."""

    model_config = ConfigDict(extra="ignore")


@dataclass(frozen=True, slots=True)
class ScholarlyWork:
    """A scholarly work in an index. `landing` is its page, `full_text` an open-access copy."""

    title: str
    abstract: str = ""
    doi: str = ""
    landing: str = ""
    full_text: str = ""
    published: str = ""

    @property
    def url(self) -> str:
        """Return the arXiv URL of a preprint, else that of the DOI, which survives moves of the
        publisher, else the page.
        """
        if self.doi.startswith(ARXIV_DOI):
            return f"https://arxiv.org/abs/{self.doi.removeprefix(ARXIV_DOI)}"
        return doi_url(self.doi) if self.doi else self.landing


def hit_of(work: ScholarlyWork) -> SearchHit:
    """Return the search hit of a work. Its domain is that of the publisher if known, not of the DOI resolver."""
    page = work.landing or work.url
    title = plain(work.title)[:MAX_TITLE]
    kind = SourceType(classify_source(url=page, title=title).source_type.value)
    return SearchHit(
        url=work.url,
        title=title,
        snippet=shorten_text(plain(work.abstract)),
        domain=host_of(page),
        published=work.published,
        source_type=SourceType.ACADEMIC if kind is SourceType.OTHER else kind,
        full_text=work.full_text if work.full_text != work.url else "",
    )


def plain(markup: str) -> str:
    """Return the text of a title or an abstract on one line. Doubly escaped entities are decoded twice."""
    return _words(_words(markup))


def _words(markup: str) -> str:
    spaced = _BREAKING.sub(" ", _HEADING.sub(" ", markup))
    return " ".join(html.unescape(_TAG.sub("", spaced)).split())


def shorten_text(text: str, longest: int = MAX_SNIPPET_LENGTH) -> str:
    """Shorten a text at a word boundary."""
    if len(text) <= longest:
        return text
    return f"{text[: longest - 2].rsplit(' ', 1)[0]} …"


def rebuilt(places: Mapping[str, Sequence[int]]) -> str:
    """Rebuild a text from the positions of its words, the format of abstracts in OpenAlex."""
    found = {at: word for word, ats in places.items() for at in ats if 0 <= at < MAX_PLACES}
    return " ".join(found[at] for at in sorted(found))


def date_of(parts: Sequence[int | None]) -> str:
    """Return an ISO 8601 date, as precise as year, month and day are known and valid; "" for none."""
    given = list(takewhile(lambda part: part is not None, parts[:3]))
    while given:
        try:
            date(*(int(part or 0) for part in [*given, 1, 1][:3]))
        except ValueError:
            given.pop()
        else:
            return "-".join((f"{given[0]:04d}", *(f"{part:02d}" for part in given[1:])))
    return ""
