"""Names of a brief's steps."""

from enum import StrEnum


class BriefStepName(StrEnum):
    TAKE_IN = "brief.take_in"
    WRITE_BY_RULES = "brief.write_by_rules"
    WRITE_BY_MODEL = "brief.write_by_model"
    CHECK = "brief.check"
