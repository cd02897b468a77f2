"""What the steps of a synthesis do, by the names under which they are stored."""

from enum import StrEnum


class SynthesisStepName(StrEnum):
    GATHER = "synthesis.gather"
    WRITE_BY_RULES = "synthesis.rules"
    WRITE_BY_MODEL = "synthesis.model"
