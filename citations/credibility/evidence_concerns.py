"""A warning or a gap, as readers see it.

Codes are stable: W for warnings, G for gaps.
"""

from dataclasses import dataclass
from enum import StrEnum

NARROW_SCOPE = "G009"  # code: nothing that a question names was searched for


class ConcernKind(StrEnum):
    GAP = "gap"
    QUALITY = "quality"
    BIAS = "bias"
    RECENCY = "recency"
    DIVERSITY = "diversity"


class Severity(StrEnum):
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


@dataclass(frozen=True, slots=True)
class Concern:
    """One warning or gap: a stable code, a sentence for the reader, and what to do."""

    code: str
    kind: ConcernKind
    severity: Severity
    text: str
    advice: str
