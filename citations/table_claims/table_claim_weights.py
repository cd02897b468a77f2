"""The weights by which readings of a claim are chosen, in a data file with the curve from which the cut was chosen.

Written by `manage.py calibrate_tables`.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pydantic import TypeAdapter

PROFILE = Path(__file__).parent.parent / "profiles" / "tables.json"


@dataclass(frozen=True, slots=True)
class TableFigures:
    """Shares, 0–1, of labelled claims at a cut."""

    recall: float  # of supported claims, called supported
    false_support: float  # of unsupported claims, called supported
    balanced_accuracy: float


@dataclass(frozen=True, slots=True)
class TableCurvePoint:
    at: float
    figures: TableFigures


@dataclass(frozen=True, slots=True)
class LinkagePoint:
    """Shares, 0–1, of claims with a linkage of at least `at`: of a table's own claims, and of claims about others."""

    at: float
    own: float
    strange: float


@dataclass(frozen=True, slots=True)
class TableCalibration:
    """The calibration of the weights: the claims they were fitted on, and their figures on held-out documents."""

    claims: int
    documents: int
    folds: int
    penalty: float
    cross_validated: TableFigures
    false_support_at_half_recall: float
    curve: tuple[TableCurvePoint, ...]
    linkage: tuple[LinkagePoint, ...] = ()


@dataclass(frozen=True, slots=True)
class TableProfile:
    """Weights by name of feature (`score_claim_readings`); a claim at or above `cut`, 0–1, is supported.

    A claim with a linkage below `least_linkage`, 0–1, is about something else.
    """

    weights: dict[str, float]
    cut: float = 0.5
    least_linkage: float = 0.0
    setting: TableCalibration | None = None

    def __post_init__(self) -> None:
        if not 0 < self.cut < 1:
            raise ValueError(f"a cut lies between 0 and 1: {self.cut}")


@cache
def table_profile() -> TableProfile:
    return TypeAdapter(TableProfile).validate_json(PROFILE.read_bytes())


def write_profile(profile: TableProfile, path: Path = PROFILE) -> None:
    path.write_bytes(TypeAdapter(TableProfile).dump_json(profile, indent=1) + b"\n")
