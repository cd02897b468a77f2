"""Stack Exchange: programmers' questions and their scores.

https://api.stackexchange.com/docs/advanced-search (300 requests a day per IP address; 10,000 with a key)
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, time

from research.search.providers.scholarly_search_results import ProviderSchema, plain
from research.search.providers.search_service_entry import Key, ProviderEntry, ResultPage
from research.search.search_hits import day_of, hit
from research.search.search_protocol import Filters, SearchCode, SearchError, SearchHit, SearchType
from research.search.search_request_pace import Rate
from research.search.search_service_client import Api
from research.search.search_service_replies import ProviderReply, readable

A_PAGE = 50
SITE = "stackoverflow"
_THROTTLED, _AWAY = 502, {500, 503}  # error ids, in replies with status 400
_WAIT = re.compile(r"available in (\d{1,6}) seconds")


class _Question(ProviderSchema):
    link: str
    title: str
    body: str = ""
    creation_date: int | None = None
    score: int | None = None


class _StackExchangeReply(ProviderSchema):
    items: list[object]
    has_more: bool = False
    backoff: float | None = None


class _Refusal(ProviderSchema):
    error_id: int = 0
    error_message: str = ""


async def page(api: Api, query: str, filters: Filters, which: str) -> ResultPage:
    number = int(which or 1)
    parameters = {
        "q": query,
        "site": SITE,
        "order": "desc",
        "sort": "relevance",
        "page": str(number),
        "pagesize": str(A_PAGE),
        "filter": "withbody",
    }
    if filters.published_from:
        first = datetime.combine(filters.published_from, time(), UTC)
        parameters["fromdate"] = f"{first.timestamp():.0f}"
    answer = (await api.get("/2.3/search/advanced", parameters)).parse_as(_StackExchangeReply)
    if answer.backoff:
        await api.pause(answer.backoff)
    questions, odd = readable(answer.items, _Question)
    return ResultPage(tuple(map(_hit, questions)), odd, str(number + 1) if answer.has_more else "")


def _hit(question: _Question) -> SearchHit:
    return hit(
        question.link,
        plain(question.title),
        plain(question.body),
        day_of(question.creation_date),
        stars=question.score,
        has_code="<code>" in question.body,
    )


def _params(key: str) -> Mapping[str, str]:
    return {"key": key} if key else {}


def _refusal(reply: ProviderReply) -> SearchError | None:
    """Return the error that the error id in the reply means; the HTTP status says little."""
    if reply.status == 200:
        return None
    try:
        refusal = reply.parse_as(_Refusal)
    except SearchError:
        return None
    if refusal.error_id == _THROTTLED:
        wait = _WAIT.search(refusal.error_message)
        words = "Its rate limit is reached."
        return SearchError(SearchCode.RATE_LIMITED, words, float(wait[1]) if wait else None)
    if refusal.error_id in _AWAY:
        return SearchError(SearchCode.TIMEOUT, "It is temporarily unavailable.")
    return None


ENTRY = ProviderEntry(
    "stackexchange", page, frozenset({SearchType.CODE}), "https://api.stackexchange.com", Rate(1.0, burst=5),
    key=Key.OPTIONAL, params=_params, refusal=_refusal, most_pages=2,
)  # fmt: skip
