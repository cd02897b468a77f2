"""Reddit's post search: without a key, or as an application (“id:secret”) with a higher rate limit.

https://www.reddit.com/dev/api#GET_search, https://github.com/reddit-archive/reddit/wiki/OAuth2
"""

from base64 import b64encode
from collections.abc import Mapping
from datetime import UTC, datetime

from pydantic import BaseModel, ConfigDict, Field

from research.models import SourceType
from research.search.providers.search_service_entry import DAY_S, Key, ProviderEntry, ResultPage
from research.search.providers.search_syntax import range_of
from research.search.search_hits import day_of, hit
from research.search.search_protocol import Filters, SearchCode, SearchError, SearchHit, SearchType
from research.search.search_request_pace import Rate
from research.search.search_service_client import Api
from research.search.search_service_replies import ProviderReply, readable

SIZE = 100
SITE = "https://www.reddit.com"


class _Post(BaseModel):
    model_config = ConfigDict(extra="ignore")

    title: str
    permalink: str = Field(pattern="^/")
    text: str = Field("", alias="selftext")
    subreddit: str = ""
    created: float | None = Field(None, alias="created_utc")


class _RedditChild(BaseModel):
    model_config = ConfigDict(extra="ignore")

    data: _Post


class _SearchListing(BaseModel):
    model_config = ConfigDict(extra="ignore")

    children: list[object]
    after: str | None = None


class _RedditReply(BaseModel):
    model_config = ConfigDict(extra="ignore")

    data: _SearchListing


class _AccessToken(BaseModel):
    model_config = ConfigDict(extra="ignore")

    token: str = Field(alias="access_token", pattern=r"^[\x21-\x7e]{1,4000}$")
    seconds: float = Field(3_600.0, alias="expires_in")


async def page(api: Api, query: str, filters: Filters, which: str) -> ResultPage:
    parameters = {
        "q": query,
        "limit": str(SIZE),
        "sort": "relevance",
        "type": "link",
        "raw_json": "1",
        **_build_filter_parameters(filters),
    }
    if which:
        parameters["after"] = which
    listing = (await ask_reddit(api, "/search", parameters)).parse_as(_RedditReply).data
    found, odd = readable(listing.children, _RedditChild)
    return ResultPage(tuple(_hit(child.data) for child in found), odd, listing.after or "")


async def ask_reddit(api: Api, path: str, asked: Mapping[str, str]) -> ProviderReply:
    """Send a request without a key, or as the application whose key is set. Raises SearchError."""
    if not api.has_key:
        return await api.at(host="www").get(f"{path}.json", asked)
    token = await api.token(_fresh_token)
    return await api.at(host="oauth").get(path, asked, {"Authorization": f"bearer {token}"})


async def _fresh_token(api: Api) -> tuple[str, float]:
    reply = await api.at(host="www").post("/api/v1/access_token", {"grant_type": "client_credentials"})
    try:
        given = reply.parse_as(_AccessToken)
    except SearchError as error:  # a refusal has status 200 too
        raise SearchError(SearchCode.NOT_AVAILABLE, "It issued no token for the key.") from error
    return given.token, given.seconds


def _hit(post: _Post) -> SearchHit:
    """Return the hit of a post: the discussion, not the page that it links to."""
    snippet = post.text or f"r/{post.subreddit}"
    return hit(f"{SITE}{post.permalink}", post.title, snippet, day_of(post.created), SourceType.SOCIAL)


def _build_filter_parameters(filters: Filters) -> dict[str, str]:
    return {"t": range_of(filters, datetime.now(tz=UTC).date()) or "all"}


def _headers(key: str) -> Mapping[str, str]:
    """Return the headers that authenticate the application for a token request; searches send the token instead."""
    return {"Authorization": f"Basic {b64encode(key.encode()).decode()}"} if key else {}


def _refusal(reply: ProviderReply) -> SearchError | None:
    if reply.status != 429:
        return None
    reset = reply.headers.get("x-ratelimit-reset", "")
    pause_s = reply.pause_s or (float(reset) if reset.isascii() and reset.isdecimal() else None)
    return SearchError(SearchCode.RATE_LIMITED, "It received too many requests (429).", pause_s)


ENTRY = ProviderEntry(
    "reddit",
    page,
    frozenset({SearchType.WEB}),
    "https://{host}.reddit.com",
    rate=Rate(10.0, burst=4),  # 10 a minute
    rate_with_key=Rate(1.0, burst=10),  # 100 a minute
    key=Key.OPTIONAL,
    headers=_headers,
    refusal=_refusal,
    kept_s=DAY_S,
)
