"""Names under which the steps of a synthesis are stored."""

from enum import StrEnum


class SynthesisStepName(StrEnum):
    GATHER = "synthesis.gather"
    WRITE_BY_RULES = "synthesis.rules"
    WRITE_BY_MODEL = "synthesis.model"
