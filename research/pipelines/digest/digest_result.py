"""The schema of a digest, as it is stored with its run and saved as a preview (spec: kinds.md, digest)."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from research.pipelines.digest.digest_draft import MAX_CAUTIONS, MAX_HIGHLIGHTS


class _DigestModel(BaseModel):
    model_config = ConfigDict(extra="forbid")


class DigestItem(_DigestModel):
    """A sentence of a digest, with the ids of the posts on which it is based. `kind`: of a caution.

    `people` is the number of those who say so, in any wording.
    """

    kind: Literal["", "risk", "contradiction", "unknown"] = ""
    text: str
    posts: list[str] = Field(default_factory=list)
    against: str = ""  # the other side of a contradiction
    people: int = Field(default=1, ge=1)


class DigestSource(_DigestModel):
    """A post that a digest uses."""

    post_id: str
    url: str = ""
    subreddit: str = ""
    title: str = ""


class Digest(_DigestModel):
    """The digest of a discussion. Its sentences are claims of the run as well."""

    status: Literal["ok", "partial", "error"]
    query: str
    plan_id: str = ""
    prompt_version: str = ""
    summary: str = ""
    summary_items: list[DigestItem] = Field(default_factory=list)
    highlights: list[DigestItem] = Field(default_factory=list, max_length=MAX_HIGHLIGHTS)
    cautions: list[DigestItem] = Field(default_factory=list, max_length=MAX_CAUTIONS)
    sources: list[DigestSource] = Field(default_factory=list)
    keywords: list[str] = Field(default_factory=list)
    thin: bool = False
    unsafe: int = Field(default=0, ge=0)  # sentences that may not be repeated
    safety: list[str] = Field(default_factory=list)  # sentences that say which work needs which professional
    notes: list[str] = Field(default_factory=list)  # sentences about what went wrong
