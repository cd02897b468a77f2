"""Hacker News stories from Algolia's search: the pages discussed there, and questions.

https://hn.algolia.com/api
"""

from datetime import UTC, datetime

from pydantic import BaseModel, ConfigDict, Field

from research.models import SourceType
from research.search.providers.search_service_entry import ProviderEntry, ResultPage
from research.search.search_hits import day, hit, without_markup
from research.search.search_protocol import Filters, SearchHit, SearchType
from research.search.search_request_pace import Rate
from research.search.search_service_client import Api
from research.search.search_service_replies import readable

SIZE = 50
DISCUSSION = "https://news.ycombinator.com/item?id="


class _Story(BaseModel):
    """A story. `url` is empty for a question or a text posted directly."""

    model_config = ConfigDict(extra="ignore")

    id: str = Field(alias="objectID")
    title: str
    url: str | None = None
    text: str | None = Field(None, alias="story_text")
    created: str | None = Field(None, alias="created_at")


class _HackerNewsReply(BaseModel):
    model_config = ConfigDict(extra="ignore")

    hits: list[object]
    page: int = 0
    pages: int = Field(alias="nbPages")


async def page(api: Api, query: str, filters: Filters, which: str) -> ResultPage:
    parameters = {
        "query": query,
        "tags": "story",
        "hitsPerPage": str(SIZE),
        "page": which or "0",
        **_build_filter_parameters(filters),
    }
    answer = (await api.get("/api/v1/search", parameters)).parse_as(_HackerNewsReply)
    found, odd = readable(answer.hits, _Story)
    following = answer.page + 1
    return ResultPage(tuple(map(_hit, found)), odd, str(following) if following < answer.pages else "")


def _hit(story: _Story) -> SearchHit:
    """Return the hit of a story. The story's date is used only for its own text, not for a linked page."""
    snippet = without_markup(story.text)
    if story.url:
        return hit(story.url, story.title, snippet)
    address, published = f"{DISCUSSION}{story.id}", day(story.created)
    return hit(address, story.title, snippet, published, SourceType.SOCIAL)


def _build_filter_parameters(filters: Filters) -> dict[str, str]:
    first = filters.published_from
    if first is None:
        return {}
    since = datetime(first.year, first.month, first.day, tzinfo=UTC)
    return {"numericFilters": f"created_at_i>={int(since.timestamp())}"}


ENTRY = ProviderEntry(
    "hackernews",
    page,
    frozenset({SearchType.WEB, SearchType.NEWS, SearchType.CODE}),
    "https://hn.algolia.com",
    rate=Rate(0.5, burst=5),  # 10,000 an hour
    kept_s=86_400,
)
