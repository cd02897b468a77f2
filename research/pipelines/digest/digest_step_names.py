"""The names of the steps of a digest, as they are stored."""

from enum import StrEnum


class DigestStepName(StrEnum):
    FETCH = "digest.fetch"
    GATHER = "digest.gather"
    WRITE_BY_RULES = "digest.rules"
    WRITE_BY_MODEL = "digest.model"
