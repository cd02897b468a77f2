"""The configuration of a synthesis (spec: kinds.md, synthesis)."""

from collections.abc import Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from research.pipelines.common.pipeline_input_lists import Formats
from research.pipelines.report.report_config import validate_values
from research.pipelines.synthesis.synthesis_study_rows import MAX_STUDIES, Study

MAX_TEXT = 200_000  # characters of a synthesis of the older form


class DraftClaim(BaseModel):
    """A claim of a draft. `rows` are numbers of studies, from 1."""

    model_config = ConfigDict(extra="forbid")

    text: str = Field(max_length=2_000)
    rows: list[int] = Field(default_factory=list)


class DraftSection(BaseModel):
    model_config = ConfigDict(extra="forbid")

    heading: str = Field(default="", max_length=300)
    claims: list[DraftClaim]


class SynthesisConfig(BaseModel):
    """The configuration of a synthesis: the studies, a draft of its sections, or a text of the older form."""

    model_config = ConfigDict(extra="forbid")

    studies: list[Study] = Field(default_factory=list, max_length=MAX_STUDIES)
    text: str = Field(default="", max_length=MAX_TEXT)
    sections: list[DraftSection] = Field(default_factory=list)  # given with the studies
    gaps: list[str] = Field(default_factory=list, max_length=50)  # proposed together with the sections
    notes: list[str] = Field(default_factory=list, max_length=2 * MAX_STUDIES)  # notes on reading its file
    engine: Literal["auto", "extractive"] = "auto"  # auto: a model if one is configured
    exports: Formats = ()
    budget_credits: int | None = Field(default=None, ge=1, le=1_000_000)


def parse_config(values: Mapping[str, object]) -> SynthesisConfig:
    """Parse a configuration. Raises ConfigError that names each invalid setting."""
    return validate_values(SynthesisConfig, values)
