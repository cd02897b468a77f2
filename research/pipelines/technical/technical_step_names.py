"""The stored names of the steps that technical runs have in addition to those of reports."""

from enum import StrEnum


class TechnicalStepName(StrEnum):
    RANK = "technical.rank"
    CHECK_LINK = "technical.link"
    COMPARE = "technical.compare"
