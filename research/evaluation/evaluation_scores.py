"""Standard metrics of predictions against labels.

The most important is the false-support rate: the share of unsupported claims that are called supported. Read it
beside the recall of supported claims, since never saying "supported" makes it 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

Outcome = tuple[str, str, float]  # correct label, predicted label, support score (0–1)


@dataclass(frozen=True, slots=True)
class SupportFigures:
    """Metrics of verification. Shares are 0–1; None if there was nothing to count."""

    cases: int
    recall: float | None
    false_support: float | None
    balanced_accuracy: float | None
    macro_f1: float
    false_support_at_half_recall: float | None


def support_figures(outcomes: Sequence[Outcome], supported: str = "supported") -> SupportFigures:
    good = [outcome for outcome in outcomes if outcome[0] == supported]
    bad = [outcome for outcome in outcomes if outcome[0] != supported]
    recall, false = _share(good, supported), _share(bad, supported)
    return SupportFigures(
        cases=len(outcomes),
        recall=recall,
        false_support=false,
        balanced_accuracy=None if recall is None or false is None else (recall + 1 - false) / 2,
        macro_f1=macro_f1([(gold, predicted) for gold, predicted, _ in outcomes]),
        false_support_at_half_recall=false_share_at([s for *_, s in good], [s for *_, s in bad], 0.5),
    )


def _share(outcomes: Sequence[Outcome], label: str) -> float | None:
    return sum(outcome[1] == label for outcome in outcomes) / len(outcomes) if outcomes else None


def false_share_at(good: Sequence[float], bad: Sequence[float], recall: float) -> float | None:
    """Return the share of `bad` scores at or above the highest threshold that keeps `recall` (0–1) of the `good`
    ones.
    """
    if not good or not bad:
        return None
    threshold = sorted(good, reverse=True)[max(0, ceil(recall * len(good)) - 1)]
    return sum(score >= threshold for score in bad) / len(bad)


def macro_f1(pairs: Sequence[tuple[str, str]]) -> float:
    """Return the mean F1 of the classes among the correct labels (Sebastiani 2002, section 7.1.1); 0 for no pairs."""
    classes = sorted({gold for gold, _ in pairs})
    return sum(_f1(pairs, each) for each in classes) / len(classes) if classes else 0.0


def _f1(pairs: Sequence[tuple[str, str]], label: str) -> float:
    hits = sum(gold == label == predicted for gold, predicted in pairs)
    either = sum((gold == label) + (predicted == label) for gold, predicted in pairs)
    return 2 * hits / either if either else 0.0
