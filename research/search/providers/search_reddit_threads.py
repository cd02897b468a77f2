"""Reddit discussions: the posts found for a question, with their comments.

https://www.reddit.com/dev/api#GET_search, https://www.reddit.com/dev/api#GET_comments_{article}
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field

from research.search.providers.reddit import SITE, ask_reddit
from research.search.search_protocol import SearchError
from research.search.search_service_client import Api
from research.search.search_service_replies import readable

MAX_DEPTH = 8  # answers to answers
MAX_QUERY_LENGTH = 400  # characters


class _Odd(BaseModel):
    model_config = ConfigDict(extra="ignore")


class ThreadComment(_Odd):
    """A comment; `parent_id` names what it replies to, with "t3_" for a post and "t1_" for a comment."""

    id: str = Field(pattern=r"^\w{1,20}$")
    parent_id: str = ""
    author: str | None = None
    body: str = ""
    score: int = 0
    is_submitter: bool = False
    replies: object = ""


class Thread(_Odd):
    """A post with its comments, best first."""

    id: str = Field(pattern=r"^\w{1,20}$")
    subreddit: str = ""
    title: str
    selftext: str = ""
    author: str | None = None
    score: int = 0
    permalink: str = Field(pattern="^/")
    created_utc: float | None = None
    comments: list[ThreadComment] = Field(default_factory=list)

    @property
    def url(self) -> str:
        return f"{SITE}{self.permalink}"


class _PostChild(_Odd):
    data: Thread


class _CommentChild(_Odd):
    data: ThreadComment


class _Children(_Odd):
    children: list[object]


class _ThreadListing(_Odd):
    data: _Children


@dataclass(frozen=True, slots=True)
class ThreadResults:
    """The threads that were read, and an error for each post whose comments could not be fetched."""

    posts: tuple[Thread, ...]
    errors: tuple[SearchError, ...] = ()


async def fetch_threads(api: Api, query: str, most_posts: int, most_comments: int) -> ThreadResults:
    """Fetch posts and their comments; stop at the first failure. Raises SearchError if the posts can't be fetched."""
    parameters = {
        "q": query[:MAX_QUERY_LENGTH],
        "limit": str(most_posts),
        "sort": "relevance",
        "type": "link",
        "raw_json": "1",
    }
    listing = (await ask_reddit(api, "/search", parameters)).parse_as(_ThreadListing)
    found, _odd = readable(listing.data.children, _PostChild)
    posts: list[Thread] = []
    for child in found[:most_posts]:
        try:
            comments = await _comments(api, child.data.id, most_comments)
        except SearchError as error:
            return ThreadResults((*posts, *(each.data for each in found[len(posts) : most_posts])), (error,))
        posts.append(child.data.model_copy(update={"comments": comments}))
    return ThreadResults(tuple(posts))


async def _comments(api: Api, post: str, most: int) -> list[ThreadComment]:
    asked = {"limit": str(most), "depth": str(MAX_DEPTH), "sort": "top", "raw_json": "1"}
    said = (await ask_reddit(api, f"/comments/{post}", asked)).json()
    both, _odd = readable(said if isinstance(said, list) else (), _ThreadListing)
    return list(_flat(both[1].data.children if len(both) > 1 else (), MAX_DEPTH))[:most]


def _flat(children: Sequence[object], depth: int) -> Iterator[ThreadComment]:
    """Yield each comment followed by its replies."""
    found, _odd = readable(children, _CommentChild)
    for child in found:
        yield child.data.model_copy(update={"replies": ""})
        if isinstance(child.data.replies, dict) and depth:
            answers, _odd = readable([child.data.replies], _ThreadListing)
            for each in answers:
                yield from _flat(each.data.children, depth - 1)
