"""SearXNG: the operator's own metasearch server, in its JSON format. It may be inside the network.

https://docs.searxng.org/dev/search_api.html
"""

from collections.abc import Sequence
from datetime import UTC, datetime

from pydantic import BaseModel, ConfigDict, Field

from research.search.providers.search_regions import country_of, language_of
from research.search.providers.search_service_entry import ProviderEntry, ResultPage
from research.search.providers.search_syntax import range_of
from research.search.search_hits import day, hit
from research.search.search_protocol import Filters, SearchCode, SearchError, SearchType
from research.search.search_service_client import Api
from research.search.search_service_replies import ProviderReply, readable

_CATEGORIES = {
    SearchType.WEB: "general",
    SearchType.NEWS: "news",
    SearchType.ACADEMIC: "science",
    SearchType.CODE: "it",
    SearchType.IMAGES: "images",
}


class _SearxngResult(BaseModel):
    model_config = ConfigDict(extra="ignore")

    url: str = ""
    title: str | None = None
    content: str | None = None
    published: str | None = Field(None, alias="publishedDate")


class _SearxngReply(BaseModel):
    """A reply. `unresponsive`: each engine that returned nothing, with the reason."""

    model_config = ConfigDict(extra="ignore")

    results: list[object] = Field(default_factory=list)
    unresponsive: list[tuple[str, str]] = Field(default_factory=list, alias="unresponsive_engines")


async def page(api: Api, query: str, filters: Filters, which: str) -> ResultPage:
    number = int(which or 1)
    parameters = {
        "q": query,
        "format": "json",
        "categories": ",".join(_CATEGORIES[category] for category in (filters.type, *filters.also)),
        "pageno": str(number),
        **_build_filter_parameters(filters),
    }
    reply = await api.get("/search", parameters)
    answer = reply.parse_as(_SearxngReply)
    given = answer.results
    if not given and answer.unresponsive and number == 1:
        raise _no_engine(answer.unresponsive)
    found, odd = readable(given, _SearxngResult)
    hits = tuple(hit(result.url, result.title, result.content, day(result.published)) for result in found)
    return ResultPage(hits, odd, str(number + 1) if given else "")


def _build_filter_parameters(filters: Filters) -> dict[str, str]:
    """Return the parameters for the time range, never narrower than requested, and for language and country."""
    fitting, country = range_of(filters, datetime.now(tz=UTC).date()), country_of(filters.region)
    narrowed = {"time_range": fitting} if fitting else {}
    if country:
        narrowed["language"] = f"{language_of(filters.region)}-{country.upper()}"
    return narrowed


def _no_engine(unresponsive: Sequence[tuple[str, str]]) -> SearchError:
    """Return the error that no engine answered, which must not pass for an empty result."""
    reasons = ", ".join(f"{name} ({why})" for name, why in unresponsive)
    return SearchError(SearchCode.TIMEOUT, f"None of its engines answered: {reasons[:200]}.")


def _refusal(reply: ProviderReply) -> SearchError | None:
    if reply.status != 403:
        return None
    words = "It refused the request (403): its JSON format may be disabled, or its limiter enabled."
    return SearchError(SearchCode.NOT_AVAILABLE, words)


ENTRY = ProviderEntry(
    "searxng",
    page,
    frozenset(_CATEGORIES),
    base_url="",
    refusal=_refusal,
    limit_s=15.0,
    is_inside=True,
    is_numbered=True,
)
