"""Thresholds and weights, each in a data file with the curve from which it was chosen.

`clash.json` is independent of the embedding model, since it uses words; in `embeddings` each model has a file with the
cosines of the verdict table. Both are written by `manage.py calibrate_embeddings`.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pydantic import TypeAdapter

from citations.contradiction.contradiction_probability import ClashWeights

FOLDER = Path(__file__).parent.parent / "profiles"
EMBEDDINGS = FOLDER / "embeddings"
CLASH = FOLDER / "clash.json"


@dataclass(frozen=True, slots=True)
class ClashFigures:
    """Shares, 0–1, of labelled pairs at a setting."""

    macro_f1: float
    false_merges: float  # of pairs that are different claims, called the same
    merge_recall: float  # of pairs that are the same claim, called the same
    contradictions_passed: float  # of contradictions, called the same claim


@dataclass(frozen=True, slots=True)
class ClashCurvePoint:
    """The effect of one value of a threshold while the other thresholds stay as they are."""

    at: float
    figures: ClashFigures


@dataclass(frozen=True, slots=True)
class ClashCalibration:
    """The calibration of a profile: the pairs it was fitted on, and its figures on pairs of held-out documents."""

    pairs: int
    documents: int
    folds: int
    cross_validated: ClashFigures
    curves: dict[str, tuple[ClashCurvePoint, ...]]


@dataclass(frozen=True, slots=True)
class EmbeddingProfile:
    """The cosine thresholds of one embedding model, and the share of content that makes a claim carried.

    The defaults are nominal figures.
    """

    model_id: str
    duplicate: float = 0.92
    conflict: float = 0.85
    corroboration: float = 0.80
    related: float = 0.65
    carried: float = 0.9
    setting: ClashCalibration | None = None

    def __post_init__(self) -> None:
        between = self.corroboration, self.conflict
        if not 0 < self.related <= min(between) <= max(between) <= self.duplicate <= 1:
            raise ValueError("thresholds must rise from related to duplicate")


NOMINAL = EmbeddingProfile("nominal")


@dataclass(frozen=True, slots=True)
class ClashProfile:
    model: ClashWeights
    setting: ClashCalibration | None = None


def profile_for(model_id: str) -> EmbeddingProfile:
    """Return the profile of a model by the first part of its id; the nominal figures for an unknown one."""
    return _load_profile(model_id.partition("/")[0]) or NOMINAL


@cache
def _load_profile(name: str) -> EmbeddingProfile | None:
    path = next((path for path in EMBEDDINGS.glob("*.json") if path.stem == name), None)
    return None if path is None else TypeAdapter(EmbeddingProfile).validate_json(path.read_bytes())


@cache
def clash_profile() -> ClashProfile:
    return TypeAdapter(ClashProfile).validate_json(CLASH.read_bytes())
