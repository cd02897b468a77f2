"""A logistic model of the probability that two statements conflict, with named features of their differences.

The closer two statements are otherwise, the more likely a replaced figure, name or word is a conflict and not another
statement; so counts are weighted by the share of terms that match in order. The weights are data
(citations/profiles/clash.json), fitted by `manage.py calibrate_embeddings`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp, sqrt

from citations.contradiction.claim_statement_changes import ChangeKind
from citations.contradiction.compare_claim_statements import Comparison

_COUNTED: dict[str, tuple[ChangeKind, ...]] = {
    "value": (ChangeKind.FIGURE, ChangeKind.TIME),
    "name": (ChangeKind.NAME,),
    "opposite": (ChangeKind.OPPOSITE, ChangeKind.ORDER),
    "scope": (ChangeKind.SCOPE, ChangeKind.LOGIC),
    "modal": (ChangeKind.MODAL,),
    "word": (ChangeKind.WORD,),
    "negation": (ChangeKind.NEGATION,),
    "swap": (ChangeKind.SWAP,),
    "more order": (ChangeKind.MORE_ORDER,),
    "more scope": (ChangeKind.MORE_SCOPE,),
    "more figures": (ChangeKind.MORE_FIGURES, ChangeKind.MORE_TIMES),
    "more names": (ChangeKind.MORE_NAMES,),
    "more words": (ChangeKind.MORE_WORDS,),
    "rewritten": (ChangeKind.REWRITTEN,),
}
FEATURES = (*_COUNTED, "both sides more", "in order", "covered", "alike")
# Features whose weight must be positive, or negative.
FOR = frozenset({"value", "name", "opposite", "scope", "modal", "word", "negation", "swap"})
AGAINST = frozenset({"alike"})
_MOST = 2  # of one kind; more have no further effect


@dataclass(frozen=True, slots=True)
class ClashWeights:
    """Weights by feature, and the probability from which on two statements count as conflicting."""

    weights: dict[str, float]
    bias: float
    cut: float

    def __post_init__(self) -> None:
        if unknown := set(self.weights) ^ set(FEATURES):
            raise ValueError(f"weights and features differ in {sorted(unknown)}")
        if not 0 < self.cut < 1:
            raise ValueError("the cut is a probability")


def features(found: Comparison) -> tuple[float, ...]:
    """Return the features in the order of FEATURES; symmetric in the two statements."""
    return tuple(_features(found))


def _features(found: Comparison) -> Iterator[float]:
    for kinds in _COUNTED.values():
        yield sqrt(min(_MOST, found.count(kinds))) * found.in_order
    added = {bool(change.mine) for change in found.changes if bool(change.mine) != bool(change.theirs)}
    yield float(len(added) == 2) * found.in_order
    yield found.in_order
    yield min(found.covered)
    yield float(all(change.kind is ChangeKind.FORM for change in found.changes))


def clash(found: Comparison, model: ClashWeights) -> float:
    """Return the probability (0–1) of a conflict; symmetric."""
    return clash_of(features(found), model)


def clash_of(values: Sequence[float], model: ClashWeights) -> float:
    """Return the probability for features in the order of FEATURES."""
    total = model.bias
    for name, value in zip(FEATURES, values, strict=True):
        total += model.weights[name] * value
    return 1 / (1 + exp(-total))
