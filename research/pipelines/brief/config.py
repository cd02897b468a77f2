"""The configuration of a brief (spec: kinds.md, brief)."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from research.pipelines.common.list_types import Formats

LONGEST_CONTEXT = 20_000  # characters of each of its texts


class BriefContext(BaseModel):
    """The context of a result: the content that it is for, the query and the comments."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    content_id: str = Field(default="", max_length=200)
    original_query: str = Field(default="", max_length=10_000)
    content_type: Literal["text", "image"] = "text"
    existing_content: str = Field(default="", max_length=LONGEST_CONTEXT)  # of an image its prompt
    user_comments: str = Field(default="", max_length=LONGEST_CONTEXT)

    @property
    def wants_edits(self) -> bool:
        """Only an image that there is already can be edited by its prompt."""
        return self.content_type == "image" and bool(self.existing_content.strip())


class BriefConfig(BaseModel):
    """Configuration of a brief: the result as it came, and what it is for."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    result: dict[str, JsonValue]
    context: BriefContext = BriefContext()
    arrived: Literal["upload", "run_id", "webhook", "api"] = "upload"
    engine: Literal["auto", "extractive"] = "auto"  # auto: a model, where one is configured
    exports: Formats = ()
    reviews: Literal["ask", "never"] = "never"
