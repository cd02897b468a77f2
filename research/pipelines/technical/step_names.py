"""What the steps of a technical run do that those of a report do not, by the names under which they are stored."""

from enum import StrEnum


class TechnicalStepName(StrEnum):
    RANK = "technical.rank"
    CHECK_LINK = "technical.link"
    COMPARE = "technical.compare"
