"""Names under which technical runs store the steps that reports do not have."""

from enum import StrEnum


class TechnicalStepName(StrEnum):
    RANK = "technical.rank"
    CHECK_LINK = "technical.link"
    COMPARE = "technical.compare"
