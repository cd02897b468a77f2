"""A fetch result: posts of a forum with their comments, as given by files, the API and the Reddit provider."""

from datetime import UTC, datetime
from typing import Annotated

from pydantic import (
    AliasChoices,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
)

from research.pipelines.common.pipeline_input_errors import InputRefused, read_object, refusal_of
from research.pipelines.common.pipeline_input_lists import InARow

MAX_BYTES = 5_000_000
MAX_POSTS, MAX_COMMENTS = 500, 2_000  # in the whole input
LONGEST = 100_000  # characters of one text


def _text(given: object, info: ValidationInfo) -> object:
    """Read null in a file as an empty text, and a number as the digits of an id or a title."""
    if info.mode == "json":
        return given
    if given is None:
        return ""
    return str(given) if isinstance(given, int | float) and not isinstance(given, bool) else given


Text = Annotated[str, BeforeValidator(_text)]


class _DiscussionPart(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, str_strip_whitespace=True)


class Comment(_DiscussionPart):
    id: Text = Field(default="", max_length=100)
    parent: Text = Field(default="", max_length=100, validation_alias=AliasChoices("parent", "parent_id"))
    author: Text = Field(default="", max_length=200)
    body: Text = Field(default="", max_length=LONGEST)
    score: int = 0
    by_asker: bool = Field(default=False, validation_alias=AliasChoices("by_asker", "is_submitter"))

    @property
    def answers(self) -> str:
        """Return the id of the comment that this one answers; empty if it answers the post."""
        kind, _, name = self.parent.rpartition("_")
        return "" if kind == "t3" else name


class Post(_DiscussionPart):
    id: Text = Field(min_length=1, max_length=100)
    forum: Text = Field(
        default="", max_length=200, validation_alias=AliasChoices("forum", "subreddit", "community")
    )
    title: Text = Field(min_length=1, max_length=2_000)
    url: Text = Field(default="", max_length=2_000)
    body: Text = Field(
        default="", max_length=LONGEST, validation_alias=AliasChoices("body", "selftext", "text")
    )
    author: Text = Field(default="", max_length=200)
    karma: int = Field(default=0, validation_alias=AliasChoices("karma", "score"))
    created: float | None = Field(
        default=None, ge=0, le=32_503_680_000, validation_alias=AliasChoices("created", "created_utc")
    )
    copy_of: Text = Field(
        default="", max_length=100, validation_alias=AliasChoices("copy_of", "crosspost_of")
    )  # id of the post that this one repeats
    comments: Annotated[tuple[Comment, ...], InARow] = ()

    @property
    def day(self) -> str:
        """Return the day in ISO 8601; empty if unknown."""
        return "" if self.created is None else datetime.fromtimestamp(self.created, UTC).date().isoformat()


class PostFetchError(_DiscussionPart):
    """An error that occurred while posts were fetched."""

    status: int | None = None
    message: Text = Field(default="", max_length=500)
    retry_after: float | None = None

    @property
    def is_rate_limit(self) -> bool:
        return self.status == 429


class FetchedPosts(_DiscussionPart):
    query: Text = Field(min_length=3, max_length=2_000)
    plan_id: Text = Field(default="", max_length=200)
    posts: Annotated[tuple[Post, ...], Field(max_length=MAX_POSTS), InARow]
    errors: Annotated[tuple[PostFetchError, ...], Field(max_length=100), InARow] = ()


def read_fetched(data: bytes) -> FetchedPosts:
    """Read a fetch result. Raises InputRefused: the codes of `read_object`, no_query, no_posts, bad_post, too_many."""
    given = read_object(data, MAX_BYTES)
    if not str(given.get("query") or "").strip():
        raise InputRefused("no_query", "The input has no “query”: what was searched for.")
    if not isinstance(given.get("posts"), list):
        raise InputRefused("no_posts", "The input has no list “posts”.")
    return validate_fetched(given)


def validate_fetched(given: object) -> FetchedPosts:
    """Validate a fetch result. Raises InputRefused: bad_post, too_many."""
    try:
        fetched = FetchedPosts.model_validate(given)
    except ValidationError as error:
        code = "too_many" if any(fault["type"] == "too_long" for fault in error.errors()) else "bad_post"
        raise refusal_of(error, code) from error
    comments = sum(len(post.comments) for post in fetched.posts)
    if comments > MAX_COMMENTS:
        raise InputRefused("too_many", f"The input has {comments} comments; the limit is {MAX_COMMENTS}.")
    return fetched
