"""Wikipedia, through the search of MediaWiki's Action API: in the region's language, then in English.

https://www.mediawiki.org/wiki/API:Search
"""

from urllib.parse import quote

from pydantic import BaseModel, ConfigDict, Field

from research.models import SourceType
from research.search.providers.search_regions import language_of
from research.search.providers.search_service_entry import ProviderEntry, ResultPage
from research.search.search_hits import hit, without_markup
from research.search.search_protocol import Filters, SearchCode, SearchError, SearchHit, SearchType
from research.search.search_request_pace import Rate
from research.search.search_service_client import Api
from research.search.search_service_replies import ProviderReply, readable

SIZE = 50
_BUSY = frozenset({"ratelimited", "maxlag", "cirrussearch-too-busy-error", "cirrussearch-backend-error"})


class _Article(BaseModel):
    model_config = ConfigDict(extra="ignore")

    title: str
    snippet: str = ""


class _WikipediaQuery(BaseModel):
    model_config = ConfigDict(extra="ignore")

    search: list[object]


class _Further(BaseModel):
    model_config = ConfigDict(extra="ignore")

    offset: int = Field(alias="sroffset")


class _WikipediaError(BaseModel):
    model_config = ConfigDict(extra="ignore")

    code: str


class _WikipediaReply(BaseModel):
    """A reply. A failure has status 200 too, with an `error` in place of the `query`."""

    model_config = ConfigDict(extra="ignore")

    query: _WikipediaQuery | None = None
    further: _Further | None = Field(None, alias="continue")
    error: _WikipediaError | None = None


async def page(api: Api, query: str, filters: Filters, which: str) -> ResultPage:
    languages = _languages(filters.region)
    language, _, offset = (which or f"{languages[0]}:0").partition(":")
    reply = await api.at(language=language).get("/w/api.php", _build_query_parameters(query, offset))
    answer = reply.parse_as(_WikipediaReply)
    if answer.query is None:
        raise _failure(answer.error)
    found, odd = readable(answer.query.search, _Article)
    hits = tuple(_hit(article, language) for article in found)
    return ResultPage(hits, odd, _find_next_page(answer.further, language, languages))


def _build_query_parameters(query: str, offset: str) -> dict[str, str]:
    return {
        "action": "query",
        "list": "search",
        "srsearch": query,
        "srlimit": str(SIZE),
        "sroffset": offset,
        "srprop": "snippet",
        "format": "json",
        "formatversion": "2",
    }


def _languages(region: str) -> list[str]:
    return list(dict.fromkeys([language_of(region) or "en", "en"]))


def _find_next_page(further: _Further | None, language: str, languages: list[str]) -> str:
    if further is not None:
        return f"{language}:{further.offset}"
    return next((f"{other}:0" for other in languages[languages.index(language) + 1 :]), "")


def _hit(article: _Article, language: str) -> SearchHit:
    """Return the hit of an article, without a date: the last edit may be trivial."""
    address = f"https://{language}.wikipedia.org/wiki/{quote(article.title.replace(' ', '_'), safe='/:,()')}"
    return hit(address, article.title, without_markup(article.snippet), kind=SourceType.WIKI)


def _failure(error: _WikipediaError | None) -> SearchError:
    code = error.code if error is not None else ""
    if code in _BUSY:
        return SearchError(SearchCode.RATE_LIMITED, "It received too many requests.")
    if not code:
        return SearchError(SearchCode.NOT_AVAILABLE, "Its answer could not be read.")
    return SearchError(SearchCode.INVALID_QUERY, f"It did not accept the query ({code[:60]}).")


def _refusal(reply: ProviderReply) -> SearchError | None:
    """Return the error that the service is busy, which it reports with status 200 and a header."""
    code = reply.headers.get("mediawiki-api-error", "")
    return (
        SearchError(SearchCode.RATE_LIMITED, "It received too many requests.", reply.pause_s)
        if code in _BUSY
        else None
    )


ENTRY = ProviderEntry(
    "wikipedia",
    page,
    frozenset({SearchType.WEB}),
    "https://{language}.wikipedia.org",
    rate=Rate(0.5, burst=4),
    refusal=_refusal,
)
