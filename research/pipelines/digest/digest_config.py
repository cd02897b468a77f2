"""The configuration of a digest (spec: kinds.md, digest). Unknown names and invalid values are rejected."""

from collections.abc import Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from research.pipelines.common.pipeline_input_lists import Formats
from research.pipelines.digest.fetched_digest_discussion import FetchedPosts, Post, PostFetchError
from research.pipelines.report.report_config import validate_values


class DigestLimits(BaseModel):
    """Limits on how much of a discussion is read, and on the length of its digest."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    max_posts: int = Field(default=20, ge=1, le=100)
    max_comments_per_post: int = Field(default=20, ge=0, le=200)
    max_post_chars: int = Field(default=3_000, ge=100, le=20_000)
    max_comment_chars: int = Field(default=1_000, ge=50, le=10_000)
    summary_chars: int = Field(default=600, ge=100, le=5_000)


class DigestConfig(BaseModel):
    """The configuration of a digest: the discussion itself, or the provider that fetches it."""

    model_config = ConfigDict(extra="forbid")

    limits: DigestLimits = DigestLimits()
    plan_id: str = Field(default="", max_length=200)
    posts: list[Post] = Field(default_factory=list, max_length=500)
    fetch_errors: list[PostFetchError] = Field(default_factory=list, max_length=100)
    provider: Literal["", "reddit"] = ""  # fetches the posts; empty if they are given
    engine: Literal["auto", "extractive"] = "auto"  # auto: a model if one is configured
    exports: Formats = ()  # written after the digest
    budget_credits: int | None = Field(default=None, ge=1, le=1_000_000)

    @property
    def fetched_errors(self) -> tuple[PostFetchError, ...]:
        return tuple(self.fetch_errors)


def config_for(fetched: FetchedPosts, options: Mapping[str, object] | None = None) -> DigestConfig:
    """Return the configuration for a discussion that is given. Raises ConfigError."""
    given = {
        "posts": [post.model_dump(mode="json") for post in fetched.posts],
        "fetch_errors": [error.model_dump(mode="json") for error in fetched.errors],
        "plan_id": fetched.plan_id,
        **(options or {}),
    }
    return parse_config(given)


def parse_config(values: Mapping[str, object]) -> DigestConfig:
    """Parse a configuration; limits may be given by their own names. Raises ConfigError that names each fault."""
    own = {name: value for name, value in values.items() if name in DigestLimits.model_fields}
    rest = {name: value for name, value in values.items() if name not in own}
    if own:
        given = rest.get("limits") or {}
        rest["limits"] = {**(given if isinstance(given, Mapping) else {}), **own}
    return validate_values(DigestConfig, rest)
