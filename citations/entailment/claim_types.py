"""The type of a statement, and whether it can be checked."""

import re
from enum import StrEnum

from citations.dates.find_dates import find_times
from citations.entities.entities import find_entities
from citations.find_quantities import QuantityKind, find_quantities
from citations.text.claim_words_and_stems import content_stems

MAX_CLAIM_LENGTH = 5_000  # characters


class ClaimType(StrEnum):
    STATISTIC = "statistic"
    QUOTE = "quote"
    DATE = "date"
    NAME = "name"
    FACT = "fact"
    OPINION = "opinion"
    PREDICTION = "prediction"


class VerificationLevel(StrEnum):
    """The extent of verification.

    `basic` checks statistics, names and plain facts; `standard` also quotes and dates; `strict` also opinions and
    predictions, and whether a second source says the same.
    """

    BASIC = "basic"
    STANDARD = "standard"
    STRICT = "strict"


_CHECKED = {
    VerificationLevel.BASIC: frozenset({ClaimType.STATISTIC, ClaimType.NAME, ClaimType.FACT}),
    VerificationLevel.STANDARD: frozenset(ClaimType) - {ClaimType.OPINION, ClaimType.PREDICTION},
    VerificationLevel.STRICT: frozenset(ClaimType),
}

_QUOTED = re.compile(r"[\"“„«][^\"”“»]{12,}[\"”»]")
_PREDICTION = re.compile(
    r"\b(?:will|won['’]t|(?:is|are) going to|(?:is|are) (?:expected|projected|forecast|likely|set) to|"
    r"forecasts?|predicts?|by 20[3-9]\d)\b",
    re.IGNORECASE,
)
_OPINION = re.compile(
    r"\b(?:i|we) (?:think|believe|feel|love|like|hate|prefer|guess|hope)\b|"
    r"\bin (?:my|our) (?:opinion|view)\b|\b(?:my|our) favou?rite\b|\barguably\b|\bunfortunately\b|"
    r"\b(?:beautiful|wonderful|terrible|awesome|amazing|ugly)\b",
    re.IGNORECASE,
)
_NAMING = re.compile(
    r"\b(?:named|called|founded|written|directed|invented|created|developed|published|led|headed|owned|"
    r"designed|produced|discovered) (?:by|after)\b|"
    r"\b(?:ceo|president|director|author|founder|chairman|minister|editor)\b",
    re.IGNORECASE,
)


def classify(text: str) -> ClaimType:
    """Return the type of claim; if several fit, the one that is checked most closely."""
    if _OPINION.search(text):
        return ClaimType.OPINION
    if _QUOTED.search(text):
        return ClaimType.QUOTE
    if _PREDICTION.search(text):
        return ClaimType.PREDICTION
    if any(quantity.kind is not QuantityKind.ORDINAL for quantity in find_quantities(text)):
        return ClaimType.STATISTIC
    if find_times(text):
        return ClaimType.DATE
    if _NAMING.search(text) and find_entities(text):
        return ClaimType.NAME
    return ClaimType.FACT


def is_checkable(text: str) -> bool:
    """False for a question, for words that state nothing, and for text too long to be one statement."""
    if len(text) > MAX_CLAIM_LENGTH:
        return False
    return not text.rstrip().endswith("?") and len(content_stems(text)) >= 2


def is_checked(claim_type: ClaimType, level: VerificationLevel) -> bool:
    """True if claims of this type are checked at this level."""
    return claim_type in _CHECKED[level]
