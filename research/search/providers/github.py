"""GitHub: repositories for everyone, and code for users with a token.

https://docs.github.com/rest/search/search (10 searches a minute; 30 for repositories with a token)
"""

import re
import time
from collections.abc import Mapping

from pydantic import Field

from research.models import SourceType
from research.search.providers.scholarly_search_results import ProviderSchema
from research.search.providers.search_service_entry import Key, ProviderEntry, ResultPage
from research.search.search_hits import day, hit
from research.search.search_protocol import Filters, SearchCode, SearchError, SearchHit, SearchType
from research.search.search_request_pace import Rate
from research.search.search_service_client import Api
from research.search.search_service_replies import ProviderReply, readable

A_PAGE = 50
MAX_QUERY_LENGTH = 256  # characters, without qualifiers
BASE_URL = "https://api.github.com"
# Queries are plain words: operators and qualifiers would change their meaning.
_ODD = re.compile(r"[^\w\s.#+/'\"@-]|\b(?:AND|OR|NOT)\b")
_BLOB = re.compile(r"https://github\.com/([^/]+/[^/]+)/blob/(.+)")
_TEN_A_MINUTE = Rate(10.0, burst=4)


class _Repository(ProviderSchema):
    full_name: str
    html_url: str
    description: str | None = None
    language: str | None = None
    pushed_at: str | None = None
    stars: int | None = Field(None, alias="stargazers_count")


class _Owner(ProviderSchema):
    full_name: str


class _Match(ProviderSchema):
    fragment: str = ""


class _File(ProviderSchema):
    path: str
    html_url: str
    repository: _Owner
    text_matches: list[_Match] = Field(default_factory=list)


class _GitHubReply(ProviderSchema):
    items: list[object]


async def repositories(api: Api, query: str, filters: Filters, which: str) -> ResultPage:
    since = f" pushed:>={filters.published_from.isoformat()}" if filters.published_from else ""
    items, following = await _request_page(api, "/search/repositories", f"{_words(query)}{since}", which)
    found, odd = readable(items, _Repository)
    return ResultPage(tuple(map(_repository, found)), odd, following)


async def code(api: Api, query: str, filters: Filters, which: str) -> ResultPage:
    """Search code. It cannot be filtered by date, and results are undated."""
    items, following = await _request_page(api, "/search/code", _words(query), which)
    found, odd = readable(items, _File)
    return ResultPage(tuple(map(_file, found)), odd, following)


async def _request_page(api: Api, path: str, query: str, which: str) -> tuple[list[object], str]:
    number = int(which or 1)
    asked = {"q": query, "per_page": str(A_PAGE), "page": str(number)}
    items = (await api.get(path, asked)).parse_as(_GitHubReply).items
    return items, str(number + 1) if len(items) == A_PAGE else ""


def _repository(repository: _Repository) -> SearchHit:
    return hit(
        repository.html_url,
        repository.full_name,
        " · ".join(filter(None, (repository.description, repository.language))),
        day(repository.pushed_at),
        SourceType.CODE,
        stars=repository.stars,
        has_code=True,
    )


def _file(file: _File) -> SearchHit:
    """Return the hit of a file; its raw text is fetched, because its page has much other content."""
    blob = _BLOB.fullmatch(file.html_url)
    return hit(
        file.html_url,
        f"{file.repository.full_name}: {file.path}",
        " … ".join(match.fragment for match in file.text_matches),
        kind=SourceType.CODE,
        has_code=True,
        full_text=f"https://raw.githubusercontent.com/{blob[1]}/{blob[2]}" if blob else "",
    )


def _words(query: str) -> str:
    return " ".join(_ODD.sub(" ", query).split())[:MAX_QUERY_LENGTH]


def _headers(key: str) -> Mapping[str, str]:
    """Return the request headers, which also ask for the matching lines."""
    shape = {"Accept": "application/vnd.github.text-match+json", "X-GitHub-Api-Version": "2022-11-28"}
    return {**shape, "Authorization": f"Bearer {key}"} if key else shape


def _refusal(reply: ProviderReply) -> SearchError | None:
    """Return the rate limit error: GitHub sends status 403 and the time of the reset in a header."""
    if reply.status not in (403, 429):
        return None
    words = f"Its rate limit is reached ({reply.status})."
    if reply.headers.get("x-ratelimit-remaining") == "0":
        reset = reply.headers.get("x-ratelimit-reset", "")
        pause_s = max(1.0, float(reset) - time.time()) if re.fullmatch(r"[0-9]{1,12}", reset) else None
        return SearchError(SearchCode.RATE_LIMITED, words, pause_s)
    if reply.pause_s is not None or b"rate limit" in reply.body[:2_000].lower():
        return SearchError(SearchCode.RATE_LIMITED, words, reply.pause_s)
    return None


ENTRY = ProviderEntry(
    "github", repositories, frozenset({SearchType.CODE}), BASE_URL, _TEN_A_MINUTE, Rate(3.0, burst=10),
    key=Key.OPTIONAL, headers=_headers, refusal=_refusal, most_pages=2,
)  # fmt: skip
CODE_ENTRY = ProviderEntry(
    "github_code", code, frozenset({SearchType.CODE}), BASE_URL, _TEN_A_MINUTE,
    key=Key.NEEDED, headers=_headers, refusal=_refusal, most_pages=2,
)  # fmt: skip
