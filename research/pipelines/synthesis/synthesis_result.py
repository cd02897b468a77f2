"""The schema of a synthesis, as it is stored with its run."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from research.pipelines.synthesis.synthesis_finding_directions import is_of_doing_without


class _SynthesisModel(BaseModel):
    model_config = ConfigDict(extra="forbid")


class StudyRow(_SynthesisModel):
    """A row of the evidence table. `claims` are the numbers of the claims based on it."""

    number: int
    id: str = ""  # given by the caller
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
    preprint: bool = False  # or not peer reviewed for another reason
    reviewed: bool | None = None  # as stated; None if nothing says so
    source: str = ""  # id of the row's source
    claims: list[int] = Field(default_factory=list)

    @property
    def peer_reviewed(self) -> bool | None:
        """Return True or False if it is known that the study was peer reviewed or not, else None."""
        return False if self.preprint else self.reviewed

    @property
    def is_without(self) -> bool:
        """Return True if the direction is that of having less of something, or none."""
        return self.direction in ("benefit", "harm", "higher", "lower") and is_of_doing_without(self.finding)


class Synthesis(_SynthesisModel):
    """A stored synthesis. `text` is one of the older form, in Markdown, without rows and claims."""

    form: Literal["studies", "text"] = "studies"
    studies: list[StudyRow] = Field(default_factory=list)
    text: str = ""
    counts: dict[str, int] = Field(default_factory=dict)  # number of studies by design, in words
    drafted: bool = False  # True if its sections were given with the studies
    rejected: list[str] = Field(default_factory=list)  # claims that name no existing study
    proposed_gaps: list[str] = Field(default_factory=list)
    prompt_version: str = "synthesis.rules.v1"
