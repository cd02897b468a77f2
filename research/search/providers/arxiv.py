"""arXiv: preprints, searched in its query language, with results in Atom.

https://info.arxiv.org/help/api/user-manual.html (one request every three seconds for all processes together)
"""

import re
from datetime import date

from lxml.etree import _Element

from research.extractive.terms import is_stop_word
from research.parsing.clean_text import clean, squash
from research.search.providers.scholarly_search_results import ScholarlyWork, hit_of
from research.search.providers.search_service_entry import ProviderEntry, ResultPage
from research.search.search_protocol import Filters, SearchCode, SearchError, SearchHit, SearchType
from research.search.search_request_pace import Rate
from research.search.search_service_client import Api
from research.search.search_service_replies import ProviderReply, nonsense

A_PAGE = 50
MAX_WORDS = 12  # per query
_WORD = re.compile(r"[^\W_]+(?:[-.'’][^\W_]+)*")
_ID = re.compile(r"https?://arxiv\.org/abs/([\w.-]+(?:/\d+)?)", re.IGNORECASE)
_VERSION = re.compile(r"v\d+$")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_NAMES = {"a": "http://www.w3.org/2005/Atom"}
_FAR = "299912312359"


async def page(api: Api, query: str, filters: Filters, which: str) -> ResultPage:
    start = int(which or 0)
    parameters = {
        "search_query": search_query(query, filters.published_from),
        "start": str(start),
        "max_results": str(A_PAGE),
        "sortBy": "relevance",
        "sortOrder": "descending",
    }
    entries = _entries(await api.get("/api/query", parameters))
    hits = tuple(hit for entry in entries if (hit := _hit(entry)) is not None)
    following = str(start + A_PAGE) if len(entries) == A_PAGE else ""
    return ResultPage(hits, len(entries) - len(hits), following)


def search_query(query: str, first: date | None) -> str:
    """Return a query for any of the words, best match first, as no abstract has all words. Raises SearchError."""
    words = [word for word in _WORD.findall(query) if not is_stop_word(word.lower())][:MAX_WORDS]
    if not words:
        raise SearchError(SearchCode.INVALID_QUERY, "It searches by words, and the query has none.")
    wanted = " OR ".join(f"all:{word}" if word.isalnum() else f'all:"{word}"' for word in words)
    return f"({wanted}) AND submittedDate:[{first:%Y%m%d}0000 TO {_FAR}]" if first else wanted


def _entries(reply: ProviderReply) -> list[_Element]:
    """Return the entries. Raises SearchError for a rejected query, which is reported as an Atom entry, too."""
    root = reply.xml()
    if root.tag != f"{{{_NAMES['a']}}}feed":
        raise nonsense()
    entries = root.findall("a:entry", _NAMES)
    if any("/api/errors" in _text(entry, "a:id") for entry in entries):
        words = f"It did not accept the query: {_text(entries[0], 'a:summary')[:200]}."
        raise SearchError(SearchCode.INVALID_QUERY, words)
    return entries


def _hit(entry: _Element) -> SearchHit | None:
    """Return the hit of a paper, with the page of its newest version; None if the entry names no paper."""
    match = _ID.match(_text(entry, "a:id"))
    title = _text(entry, "a:title")
    if match is None or not title:
        return None
    paper = _VERSION.sub("", match[1])
    published = _text(entry, "a:published")[:10]
    return hit_of(
        ScholarlyWork(
            title=title,
            abstract=_text(entry, "a:summary"),
            landing=f"https://arxiv.org/abs/{paper}",
            full_text=f"https://arxiv.org/pdf/{paper}",
            published=published if _DAY.fullmatch(published) else "",
        )
    )


def _text(entry: _Element, path: str) -> str:
    found = entry.find(path, _NAMES)
    return "" if found is None else squash(clean("".join(map(str, found.itertext()))))


ENTRY = ProviderEntry(
    "arxiv", page, frozenset({SearchType.ACADEMIC}), "https://export.arxiv.org", Rate(3.0), most_pages=3
)
