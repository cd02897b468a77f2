"""The configuration of a synthesis (spec: kinds.md, synthesis)."""

from collections.abc import Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from research.pipelines.common.list_types import Formats
from research.pipelines.report.config import validate_values
from research.pipelines.synthesis.studies import MOST_STUDIES, Study

LONGEST_TEXT = 200_000  # characters of a synthesis of the older form


class SynthesisConfig(BaseModel):
    """Configuration of a synthesis: the studies themselves, or the text of one of the older form."""

    model_config = ConfigDict(extra="forbid")

    studies: list[Study] = Field(default_factory=list, max_length=MOST_STUDIES)
    text: str = Field(default="", max_length=LONGEST_TEXT)
    notes: list[str] = Field(default_factory=list, max_length=2 * MOST_STUDIES)  # what its file left open
    engine: Literal["auto", "extractive"] = "auto"  # auto: a model, where one is configured
    exports: Formats = ()
    budget_credits: int | None = Field(default=None, ge=1, le=1_000_000)


def parse_config(values: Mapping[str, object]) -> SynthesisConfig:
    """Raises ConfigError that names each setting at fault."""
    return validate_values(SynthesisConfig, values)
