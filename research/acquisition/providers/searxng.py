"""SearXNG: one's own metasearch server, asked in its JSON format. Its address is the operator's, so it may be inside.

https://docs.searxng.org/dev/search_api.html
"""

from datetime import UTC, datetime

from pydantic import BaseModel, ConfigDict, Field

from research.acquisition.providers.api import Api
from research.acquisition.providers.entry import Entry, Page
from research.acquisition.providers.making import day, hit
from research.acquisition.providers.protocol import Filters, SearchCode, SearchError, SearchType
from research.acquisition.providers.replies import Reply, readable
from research.acquisition.providers.wording import range_of

_CATEGORIES = {
    SearchType.WEB: "general",
    SearchType.NEWS: "news",
    SearchType.ACADEMIC: "science",
    SearchType.CODE: "it",
}


class _Result(BaseModel):
    model_config = ConfigDict(extra="ignore")

    url: str = ""
    title: str | None = None
    content: str | None = None
    published: str | None = Field(None, alias="publishedDate")


class _Answer(BaseModel):
    model_config = ConfigDict(extra="ignore")

    results: list[object] = Field(default_factory=list)


async def page(api: Api, query: str, filters: Filters, which: str) -> Page:
    number = int(which or 1)
    asked = {
        "q": query,
        "format": "json",
        "categories": ",".join(_CATEGORIES[one] for one in (filters.type, *filters.also)),
        "pageno": str(number),
        **_narrowed(filters),
    }
    reply = await api.get("/search", asked)
    given = reply.parsed(_Answer).results
    found, odd = readable(given, _Result)
    hits = tuple(hit(one.url, one.title, one.content, day(one.published)) for one in found)
    return Page(hits, odd, str(number + 1) if given else "")


def _narrowed(filters: Filters) -> dict[str, str]:
    """The time range in SearXNG's words, never narrower than what was asked for. Of regions it knows only languages."""
    fitting = range_of(filters, datetime.now(tz=UTC).date())
    return {"time_range": fitting} if fitting else {}


def _refusal(reply: Reply) -> SearchError | None:
    if reply.status != 403:
        return None
    words = "It refuses (403): its JSON format may be off, or its limiter be on."
    return SearchError(SearchCode.NOT_AVAILABLE, words)


ENTRY = Entry(
    "searxng", page, frozenset(_CATEGORIES), base_url="", refusal=_refusal, limit_s=15.0, is_inside=True
)
