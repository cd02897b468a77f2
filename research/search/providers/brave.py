"""Brave Search for web pages, news and images. The key is sent in a header.

https://api-dashboard.search.brave.com/documentation
"""

from collections.abc import Mapping
from datetime import UTC, datetime

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from research.search.providers.search_regions import country_of
from research.search.providers.search_service_entry import Key, ProviderEntry, ResultPage
from research.search.providers.search_syntax import with_sites
from research.search.search_hits import day, hit, without_markup
from research.search.search_protocol import Filters, SearchCode, SearchError, SearchType
from research.search.search_request_pace import Rate
from research.search.search_service_client import Api
from research.search.search_service_replies import ProviderReply, readable

_SIZES = {SearchType.WEB: 20, SearchType.NEWS: 50, SearchType.IMAGES: 100}  # results per page
_LAST_OFFSET = 9
_MAX_WORDS = 50
# The countries that it accepts; it rejects others.
_COUNTRIES = frozenset(
    "ar au at be br ca ch cl cn de dk es fi fr gb gr hk id in it jp kr mx my nl no nz ph pl pt ru sa se tr tw us za"
    "".split()
)


class _BraveResult(BaseModel):
    model_config = ConfigDict(extra="ignore")

    url: str
    title: str = ""
    description: str = ""
    published: str | None = Field(None, alias="page_age")


class _BraveQuery(BaseModel):
    model_config = ConfigDict(extra="ignore")

    more: bool = Field(True, alias="more_results_available")


class _Results(BaseModel):
    model_config = ConfigDict(extra="ignore")

    results: list[object] = Field(default_factory=list)


class _BraveReply(BaseModel):
    """A reply of the service.

    The results of a web search are in `web`, which is absent if there are none; those of other searches are
    at the top level.
    """

    model_config = ConfigDict(extra="ignore")

    type: str
    query: _BraveQuery = Field(default_factory=lambda: _BraveQuery.model_validate({}))
    web: _Results = Field(default_factory=_Results)
    results: list[object] = Field(default_factory=list)


class _BraveError(BaseModel):
    model_config = ConfigDict(extra="ignore")

    code: str = ""


class _ErrorReply(BaseModel):
    model_config = ConfigDict(extra="ignore")

    error: _BraveError


async def page(api: Api, query: str, filters: Filters, which: str) -> ResultPage:
    offset = int(which or 0)
    parameters = {
        "q": " ".join(with_sites(query, filters, minus="NOT ").split()[:_MAX_WORDS]),
        "count": str(_SIZES[filters.type]),
        **_build_filter_parameters(filters),
        **({} if filters.type is SearchType.IMAGES else {"offset": str(offset), "text_decorations": "false"}),
    }
    answer = (await api.get(f"/res/v1/{filters.type.value}/search", parameters)).parse_as(_BraveReply)
    given = answer.web.results if filters.type is SearchType.WEB else answer.results
    results, odd = readable(given, _BraveResult)
    hits = tuple(
        hit(
            result.url,
            without_markup(result.title),
            without_markup(result.description),
            day(result.published),
        )
        for result in results
    )
    is_last = (
        not answer.query.more or not given or offset >= _LAST_OFFSET or filters.type is SearchType.IMAGES
    )
    return ResultPage(hits, odd, "" if is_last else str(offset + 1))


def _build_filter_parameters(filters: Filters) -> dict[str, str]:
    country = country_of(filters.region)
    narrowed = {"country": country.upper()} if country in _COUNTRIES else {}
    if filters.published_from is not None and filters.type is not SearchType.IMAGES:
        narrowed["freshness"] = f"{filters.published_from}to{datetime.now(tz=UTC).date()}"
    return narrowed


def _headers(key: str) -> Mapping[str, str]:
    return {"X-Subscription-Token": key, "Accept": "application/json"}


def _refusal(reply: ProviderReply) -> SearchError | None:
    if reply.status == 429:
        return SearchError(SearchCode.RATE_LIMITED, "It received too many requests (429).", _pause_s(reply))
    if reply.status == 422 and "TOKEN" in _error_code(reply):
        return SearchError(SearchCode.NOT_AVAILABLE, "It does not accept the key (422).")
    return None


def _error_code(reply: ProviderReply) -> str:
    try:
        return _ErrorReply.model_validate(reply.json()).error.code
    except (SearchError, ValidationError):
        return ""


def _pause_s(reply: ProviderReply) -> float | None:
    """Return the seconds until the last exhausted rate-limit window resets; None if none is exhausted."""
    if reply.pause_s is not None:
        return reply.pause_s
    left, resets = (_numbers(reply, f"x-ratelimit-{name}") for name in ("remaining", "reset"))
    return max((reset for rest, reset in zip(left, resets, strict=False) if rest <= 0), default=None)


def _numbers(reply: ProviderReply, header: str) -> list[float]:
    words = [word.strip() for word in reply.headers.get(header, "").split(",")]
    return [float(word) for word in words if word.isascii() and word.isdecimal()]


ENTRY = ProviderEntry(
    "brave",
    page,
    frozenset(_SIZES),
    "https://api.search.brave.com",
    rate=Rate(1.05),  # one per second, as the service counts
    key=Key.NEEDED,
    headers=_headers,
    refusal=_refusal,
)
