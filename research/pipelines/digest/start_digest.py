"""Start a digest."""

from collections.abc import Mapping
from typing import Annotated

from django.contrib.auth.models import User
from pydantic import ConfigDict, Field

from research.models import Kind, Run
from research.pipelines.common.pipeline_input_errors import InputRefused
from research.pipelines.common.pipeline_input_lists import InARow
from research.pipelines.digest.digest_config import DigestConfig, config_for
from research.pipelines.digest.fetched_digest_discussion import (
    MAX_POSTS,
    FetchedPosts,
    Post,
    read_fetched,
    validate_fetched,
)
from research.pipelines.pipeline_kinds import RunKind, Topic
from research.runs.start_and_cancel import start_run, validate_topic


class DigestInput(FetchedPosts):
    """The input of a digest: a fetch result, or only the question if a provider fetches the posts."""

    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)

    query: Topic
    posts: Annotated[tuple[Post, ...], Field(max_length=MAX_POSTS), InARow] = ()
    # Other fields of fetch results, which are not used.
    source: str = ""
    fetched_at: str = ""
    count: int | None = None
    next_after: str | None = None


def read_file(name: str, data: bytes) -> DigestInput:
    """Read a fetch result from a file, ignoring unknown fields. Raises InputRefused."""
    return DigestInput.model_validate(read_fetched(data).model_dump())


def start_digest(
    *, owner: User, asked: DigestInput, config: Mapping[str, object], client_key: str | None = None
) -> Run:
    """Start a run that makes a digest.

    Raises ConfigError (InputRefused among them), InvalidTopic and StartRefused.
    """
    topic = validate_topic(str(asked.query))
    checked = config_for(validate_fetched({**_select_fetched_fields(asked), "query": topic}), config)
    if "posts" not in asked.model_fields_set and not checked.provider:
        raise InputRefused("no_posts", "Give the posts of a discussion, or the provider to fetch them from.")
    return start_run(
        owner=owner,
        kind=Kind.DIGEST,
        topic=topic,
        config=checked.model_dump(mode="json", exclude_defaults=True),
        client_key=client_key,
    )


def _select_fetched_fields(asked: DigestInput) -> dict[str, object]:
    whole = DigestInput.model_construct(**{name: getattr(asked, name) for name in asked.model_fields_set})
    return {name: value for name, value in whole.model_dump().items() if name in FetchedPosts.model_fields}


KIND = RunKind(
    kind=Kind.DIGEST,
    config=DigestConfig,
    input=DigestInput,
    start=start_digest,
    question_field="query",
    read_file=read_file,
)
