"""The schema of a synthesis, as it is stored with its run."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class _Shape(BaseModel):
    model_config = ConfigDict(extra="forbid")


class StudyRow(_Shape):
    """A row of the evidence table. `claims` are the numbers of those that stand on it."""

    number: int
    id: str = ""  # by which whoever gave it calls it
    label: str
    title: str
    authors: str = ""
    year: int | None = None
    doi: str = ""
    address: str = ""
    design: str = ""
    population: str = ""
    sample_size: int | None = None
    outcome: str = ""
    finding: str = ""
    direction: str = ""
    preprint: bool = False
    source: str = ""  # id of the source that the row is
    claims: list[int] = Field(default_factory=list)


class Synthesis(_Shape):
    """`text` is a synthesis of the older form, in Markdown; it has no rows and no claims."""

    form: Literal["studies", "text"] = "studies"
    studies: list[StudyRow] = Field(default_factory=list)
    text: str = ""
    counts: dict[str, int] = Field(default_factory=dict)  # design, in words → studies
    drafted: bool = False  # its sections were given with the studies
    rejected: list[str] = Field(default_factory=list)  # claims that name no study that is there
    proposed_gaps: list[str] = Field(default_factory=list)
    prompt_version: str = "synthesis.rules.v1"
