"""The configuration of a brief (spec: kinds.md, brief)."""

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Annotated, Literal

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field, JsonValue, ValidationError
from pydantic.alias_generators import to_camel

from research.pipelines.common.pipeline_input_lists import Formats

MAX_CONTEXT_LENGTH = 20_000  # characters of each text


def _join_comments(given: object) -> object:
    """Join a list of comments, one per line; a comment may be a string or an object with its text."""
    if given is None:
        return ""
    if not isinstance(given, list | tuple):
        return given
    texts = [
        comment.get("text") or comment.get("comment") or comment.get("body")
        if isinstance(comment, Mapping)
        else comment
        for comment in given
    ]
    return "\n".join(text.strip() for text in texts if isinstance(text, str) and text.strip())


def _none_is_empty(given: object) -> object:
    return "" if given is None else given


def _either(name: str) -> AliasChoices:
    return AliasChoices(name, to_camel(name))


Text = Annotated[str, BeforeValidator(_none_is_empty)]
Comments = Annotated[
    str, BeforeValidator(_join_comments, json_schema_input_type=str | list[str] | list[dict[str, str]])
]


class BriefContext(BaseModel):
    """The context of a result: its purpose, the query and the comments. Field names in snake_case or camelCase."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    content_id: Text = Field(default="", max_length=200, validation_alias=_either("content_id"))
    original_query: Text = Field(default="", max_length=10_000, validation_alias=_either("original_query"))
    content_type: Literal["text", "image"] = Field(default="text", validation_alias=_either("content_type"))
    # The prompt, for an image.
    existing_content: Text = Field(
        default="", max_length=MAX_CONTEXT_LENGTH, validation_alias=_either("existing_content")
    )
    user_comments: Comments = Field(
        default="", max_length=MAX_CONTEXT_LENGTH, validation_alias=_either("user_comments")
    )

    @property
    def wants_edits(self) -> bool:
        """Return True for an image that exists already: only such an image can be edited by its prompt."""
        return self.content_type == "image" and bool(self.existing_content.strip())


def context_of_metadata(result: Mapping[str, object]) -> BriefContext:
    """Return the context given in the metadata of a Parallel task; a missing or invalid field keeps its default.

    Metadata values are scalars, so a list of comments is JSON in a string.
    """
    run = result.get("run")
    given = (run if isinstance(run, Mapping) else result).get("metadata")
    metadata: Mapping[str, object] = given if isinstance(given, Mapping) else {}
    context = BriefContext()
    for name in BriefContext.model_fields:
        value = metadata.get(name, metadata.get(to_camel(name)))
        if isinstance(value, str) and value.lstrip().startswith("["):
            with suppress(ValueError, RecursionError):
                value = json.loads(value)
        try:
            context = context.model_copy(
                update={name: getattr(BriefContext.model_validate({name: value}), name)}
            )
        except ValidationError:
            continue
    return context


def complete_context(context: BriefContext, result: Mapping[str, object]) -> BriefContext:
    """Fill fields that were not given with the result from the task's metadata."""
    metadata_context = context_of_metadata(result)
    missing = [
        name for name in BriefContext.model_fields if getattr(context, name) == getattr(BriefContext(), name)
    ]
    return context.model_copy(update={name: getattr(metadata_context, name) for name in missing})


class BriefConfig(BaseModel):
    """The configuration of a brief: the result as received, and its context."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    result: dict[str, JsonValue]
    context: BriefContext = BriefContext()
    arrived: Literal["upload", "run_id", "webhook", "api"] = "upload"
    engine: Literal["auto", "extractive"] = "auto"  # auto: a model if one is configured
    exports: Formats = ()
    reviews: Literal["ask", "never"] = "never"
