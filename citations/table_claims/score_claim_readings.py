"""Weighs readings: the likeliest interpretation of a claim, and the probability that the table supports it.

Each reading has named features; its score is their weighted sum, and the probability of a claim is the share (softmax)
of the readings that hold. Two empty readings stand for "none of them", one for each answer. Weights are learned from
the answers alone, as in weakly supervised program induction (Chen et al., TabFact, ICLR 2020).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp

from citations.table_claims.claim_cues import Cue, CueKind
from citations.table_claims.link_claim_to_table import LinkedClaim
from citations.table_claims.table_claim_questions import GENERAL, linkage, positions_of
from citations.table_claims.table_claim_readings import TableReading

Features = dict[str, float]
_CUES = (
    CueKind.EXTREME,
    CueKind.COMPARATIVE,
    CueKind.EQUAL,
    CueKind.TIMES,
    CueKind.ONLY,
    CueKind.ALL,
    CueKind.NONE,
    CueKind.MOST,
    CueKind.NOT,
    CueKind.MEAN,
    CueKind.FREQUENT,
)


@dataclass(frozen=True, slots=True)
class ScoredReading:
    """A reading with its features; `reading` is None for the empty ones."""

    holds: bool
    features: Features
    reading: TableReading | None = None


def score(features: Features, weights: Mapping[str, float]) -> float:
    return sum(weights.get(name, 0.0) * value for name, value in features.items())


@dataclass(frozen=True, slots=True)
class Ballot:
    """All readings of a claim, the empty ones first, with the claim's linkage."""

    readings: tuple[ScoredReading, ...]
    linkage: float

    @property
    def is_empty(self) -> bool:
        return not self.linkage or all(each.reading is None for each in self.readings)

    def probability(self, weights: Mapping[str, float], least_linkage: float = 0.0) -> float:
        """Return the probability, 0 to 1, that the table supports the claim.

        It is reduced in proportion if the linkage is below `least_linkage`.
        """
        if self.is_empty:
            return 0.0
        scores = [score(each.features, weights) for each in self.readings]
        top = max(scores)
        shares = [exp(each - top) for each in scores]
        holding = sum(share for share, each in zip(shares, self.readings, strict=True) if each.holds)
        about = 1.0 if self.linkage >= least_linkage else self.linkage / least_linkage
        return holding / sum(shares) * about

    def best(self, weights: Mapping[str, float], *, holds: bool) -> TableReading | None:
        """Return the reading with the highest score for the answer."""
        found = [each for each in self.readings if each.reading is not None and each.holds is holds]
        if not found:
            return None
        return max(found, key=lambda each: score(each.features, weights)).reading


def ballot(linked: LinkedClaim, readings: Sequence[TableReading]) -> Ballot:
    empty = _build_leftover_features(linked, frozenset())
    nothing = {f"none_{name}": value for name, value in empty.items()}
    weighed = (
        ScoredReading(True, {"none_holds": 1.0, **nothing}),
        ScoredReading(False, {"none_fails": 1.0}),
        *(ScoredReading(each.holds, features(linked, each), each) for each in readings),
    )
    return Ballot(weighed, linkage(linked))


def features(linked: LinkedClaim, reading: TableReading) -> Features:
    answer = "holds" if reading.holds else "fails"
    values = {f"{reading.operation.value}_{answer}": 1.0}
    values.update(dict.fromkeys(reading.traits, 1.0))
    values.update(dict.fromkeys((f"{each}_{answer}" for each in reading.traits), 1.0))
    left = _build_leftover_features(linked, reading.covered)
    values.update(left)
    if reading.holds:
        values.update(
            {f"{name}_but_holds": value for name, value in left.items() if name.startswith("left_")}
        )
    return values


def _build_leftover_features(linked: LinkedClaim, covered: frozenset[int]) -> Features:
    """Build the features of the part of the claim that a reading leaves unexplained."""
    tokens = linked.tokens
    content = [at for at, token in enumerate(tokens) if token.is_content and token.word not in GENERAL]
    left = [at for at in content if at not in covered and at not in linked.title_positions]
    cue_positions = positions_of(linked.cues)
    numbers = [at for at in left if tokens[at].number is not None]
    words = [at for at in left if tokens[at].number is None and at not in cue_positions]
    mentions = [each for each in linked.mentions if not covered.intersection(each.positions)]
    features = {
        "left_numbers": min(2.0, len(numbers)),
        "left_words": min(4.0, len(words)) / 4,
        "left_share": len(words) / max(1, len(content)),
        "left_mentions": min(2.0, len(mentions)),
    }
    for cue in linked.cues:
        if cue.kind in _CUES and not covered.intersection(cue.positions) and _counts(linked, cue):
            features[f"left_{cue.kind.value}"] = 1.0
    return {name: value for name, value in features.items() if value}


def _counts(linked: LinkedClaim, cue: Cue) -> bool:
    """False for a cue that is part of a name: "Most Likely To", "First Avenue"."""
    inside_name = any(
        each.start <= cue.start < each.end and each.end - each.start > 1 for each in linked.mentions
    )
    return not inside_name and not linked.title_positions.intersection(cue.positions)
