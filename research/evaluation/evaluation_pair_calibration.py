"""Fit the thresholds of the pair comparison to labelled pairs, and measure them by cross-validation.

Two things are fitted: the weights of `citations.contradiction.contradiction_probability` (logistic regression with
constrained signs), and the thresholds of the verdict table, one after another until no change improves them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress

import numpy as np

from citations.claim_similarity import Gates, judge
from citations.contradiction.contradiction_probability import AGAINST, FEATURES, FOR, ClashWeights, clash_of
from citations.contradiction.contradiction_profiles import (
    NOMINAL,
    ClashCalibration,
    ClashCurvePoint,
    ClashFigures,
    ClashProfile,
    EmbeddingProfile,
)
from research.evaluation.evaluation_logistic_regression import FOLDS, fit, folds
from research.evaluation.evaluation_of_similarity import CONTRADICTION, MERGED, label_of
from research.evaluation.evaluation_scores import macro_f1

_PENALTY = 0.5  # ridge penalty
_GAIN = 0.002  # gain in macro-F1 that makes a change worthwhile: about one pair in a thousand
_COSINES = tuple(round(0.30 + 0.02 * step, 2) for step in range(35))
_SHARES = tuple(round(0.60 + 0.05 * step, 2) for step in range(9))
_CUTS = tuple(round(0.10 + 0.05 * step, 2) for step in range(17))
CANDIDATES: Mapping[str, tuple[float, ...]] = {
    "duplicate": _COSINES,
    "corroboration": _COSINES,
    "related": _COSINES,
    "conflict": _COSINES,
    "carried": _SHARES,
    "cut": _CUTS,
}


@dataclass(frozen=True, slots=True)
class MeasuredPair:
    """A labelled pair with its gates and the features of its comparison; `document` is its origin."""

    label: str
    document: str
    gates: Gates
    features: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Settings:
    model: ClashWeights
    profile: EmbeddingProfile

    def with_threshold(self, name: str, value: float) -> "Settings | None":
        """Return settings with one threshold changed; None if the thresholds would be out of order."""
        at = {each: self.value(each) for each in CANDIDATES} | {name: value}
        try:
            profile = replace(
                self.profile,
                duplicate=at["duplicate"],
                conflict=at["conflict"],
                corroboration=at["corroboration"],
                related=at["related"],
                carried=at["carried"],
            )
        except ValueError:
            return None
        return Settings(replace(self.model, cut=at["cut"]), profile)

    def value(self, name: str) -> float:
        return self.model.cut if name == "cut" else float(getattr(self.profile, name))


def calibrate(pairs: Sequence[MeasuredPair], model_id: str) -> tuple[ClashProfile, EmbeddingProfile]:
    """Return both profiles, fitted to all pairs, with the figures of a cross-validation by document."""
    best = fit_settings(pairs, model_id)
    clashing = with_clash(pairs, best.model)
    setting = ClashCalibration(
        pairs=len(pairs),
        documents=len({pair.document for pair in pairs}),
        folds=FOLDS,
        cross_validated=cross_validated(pairs, model_id),
        curves={name: tuple(curve(clashing, best, name)) for name in CANDIDATES},
    )
    cut, others = split_curves(setting)
    return ClashProfile(best.model, cut), replace(best.profile, setting=others)


def split_curves(setting: ClashCalibration) -> tuple[ClashCalibration, ClashCalibration]:
    """Return the setting with the curve of the cut only, and with those of the embedding thresholds only."""
    cut = {"cut": setting.curves["cut"]}
    others = {name: points for name, points in setting.curves.items() if name != "cut"}
    return replace(setting, curves=cut), replace(setting, curves=others)


def cross_validated(pairs: Sequence[MeasuredPair], model_id: str) -> ClashFigures:
    """Return the figures of the cross-validation, on pairs of documents that the settings were not set on."""
    outcomes: list[tuple[str, str]] = []
    for training, held_out in folds([pair.document for pair in pairs]):
        found = fit_settings(list(compress(pairs, training)), model_id)
        outcomes += outcomes_of(with_clash(list(compress(pairs, held_out)), found.model), found)
    return figures_of(outcomes)


def fit_settings(pairs: Sequence[MeasuredPair], model_id: str) -> Settings:
    model = fit_clash([pair.features for pair in pairs], [pair.label == CONTRADICTION for pair in pairs])
    return climb(with_clash(pairs, model), Settings(model, replace(NOMINAL, model_id=model_id)))


def with_clash(pairs: Sequence[MeasuredPair], model: ClashWeights) -> list[MeasuredPair]:
    return [replace(pair, gates=replace(pair.gates, clash=clash_of(pair.features, model))) for pair in pairs]


def climb(pairs: Sequence[MeasuredPair], start: Settings) -> Settings:
    """Improve the settings by coordinate ascent from `start` until no change of a single threshold helps."""
    best, worth, before = start, value_of(pairs, start), -1.0
    while worth > before:
        before = worth
        for name, candidates in CANDIDATES.items():
            for changed in filter(None, (best.with_threshold(name, candidate) for candidate in candidates)):
                if (gain := value_of(pairs, changed)) > worth + _GAIN:
                    best, worth = changed, gain
    return best


def value_of(pairs: Sequence[MeasuredPair], settings: Settings) -> float:
    """Return the objective that `climb` maximizes: macro-F1, so that no kind of pair is given up for another."""
    return figures_of(outcomes_of(pairs, settings)).macro_f1


def outcomes_of(pairs: Sequence[MeasuredPair], settings: Settings) -> list[tuple[str, str]]:
    """Return the right and the predicted label of each pair."""
    return [(pair.label, label_of(judge(pair.gates, settings.profile, settings.model.cut))) for pair in pairs]


def curve(pairs: Sequence[MeasuredPair], settings: Settings, name: str) -> Iterator[ClashCurvePoint]:
    for candidate in CANDIDATES[name]:
        if changed := settings.with_threshold(name, candidate):
            yield ClashCurvePoint(candidate, figures_of(outcomes_of(pairs, changed)))


def figures_of(outcomes: Sequence[tuple[str, str]]) -> ClashFigures:
    return ClashFigures(
        macro_f1=round(macro_f1(outcomes), 4),
        false_merges=_compute_merged_share([outcome for outcome in outcomes if outcome[0] not in MERGED]),
        merge_recall=_compute_merged_share([outcome for outcome in outcomes if outcome[0] in MERGED]),
        contradictions_passed=_compute_merged_share(
            [outcome for outcome in outcomes if outcome[0] == CONTRADICTION]
        ),
    )


def _compute_merged_share(outcomes: Sequence[tuple[str, str]]) -> float:
    """Return the share of pairs called the same claim; 0 if there are none."""
    return round(sum(predicted in MERGED for _, predicted in outcomes) / max(1, len(outcomes)), 4)


def fit_clash(rows: Sequence[Sequence[float]], conflicts: Sequence[bool]) -> ClashWeights:
    """Fit the weights that separate conflicts (True) from the rest. Deterministic; needs at least one row."""
    table, labels = np.asarray(rows, dtype=np.float64), np.asarray(conflicts, dtype=np.float64)
    signs = [(name in FOR) - (name in AGAINST) for name in FEATURES]
    found = fit(table, labels, np.ones(len(labels)), signs, ridge=_PENALTY)
    weights = {name: round(float(weight), 4) for name, weight in zip(FEATURES, found.weights, strict=True)}
    return ClashWeights(weights, round(found.intercept, 4), cut=0.5)
