"""Computes the probability that a passage supports a claim from a few features of their alignment.

The features are named, each speaks for or against the claim by its meaning, and their weights are in a profile file
together with the curve from which they were chosen. No feature outweighs a conflict or a missing fact: the rules of
`citations.verification` decide those first.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from math import exp, log

from pydantic import TypeAdapter

from citations.entailment.claim_alignment import Alignment
from citations.entailment.claim_parts import PartKind, PartState
from citations.entailment.entailment_passage_words import PassageWords, passage_words
from citations.entities.entities import find_entities
from citations.text.claim_words_and_stems import content_stems, sentence_spans, words
from citations.text.quote_span import Span

SPEAKER = re.compile(r"\b(?:i|i['’](?:m|ve|d|ll)|me|my|mine|myself|you|your|yours)\b|\?", re.IGNORECASE)
_SPELLED = frozenset({PartKind.QUANTITY, PartKind.TIME})
_FACTS = frozenset({PartKind.QUANTITY, PartKind.TIME, PartKind.NAME})
_NEIGHBOURHOOD = 4  # content words within which a pair of the claim's words counts as a pair
_MIN_STATEMENT = 2  # content words
_MAX_MISSING = 4
_MAX_CONFLICTS = 2


@dataclass(frozen=True, slots=True)
class Signals:
    """Features of 0–1 of a claim and a passage; those named `no_` or `un…` speak against it.

    `coverage`: share of the claim's content words in the passage; `predicate`: the same without the name that it begins
    with; `window`: the same in the one to three sentences that support most; `weakest`: the least of the claim's
    sentences; `phrases`: share of its neighbouring words that stay near each other; `likeness`: cosine of claim and
    nearest sentence; `missing_words`, `missing_facts`, `conflicts`, `turned`: counts, most at 1; `speaker`: 1 if the
    claim refers to its speaker or its listener, and the passage does not; `length`: of the claim.
    """

    coverage: float
    predicate: float
    window: float
    weakest: float
    phrases: float
    likeness: float | None
    missing_words: float
    missing_facts: float
    conflicts: float
    turned: float
    speaker: float
    length: float


# +1: only speaks for the claim; -1: only against it; 0: either.
SIGNS: Mapping[str, int] = {
    "coverage": 1, "predicate": 1, "window": 1, "weakest": 1, "phrases": 1, "likeness": 1,
    "missing_words": -1, "missing_facts": -1, "conflicts": -1, "turned": -1, "speaker": -1, "length": 0,
}  # fmt: skip


def signals(claim: str, passage: str, found: Alignment, likeness: float | None) -> Signals:
    """Return the features of an aligned claim; `likeness` (cosine) may be unknown."""
    source = passage_words(passage)
    stems = (
        _stems(claim, found, source) or content_stems(claim) or frozenset(word.stem for word in words(claim))
    )
    predicate = stems - _stem_leading_name(claim) or stems
    conflicts = found.conflicts
    return Signals(
        coverage=_share(stems, source),
        predicate=_share(predicate, source),
        window=_window_share(stems, source, found.window),
        weakest=min((_share(each, source) for each in _sentences(claim)), default=0.0),
        phrases=_phrases(claim, source),
        likeness=None if likeness is None else max(0.0, min(1.0, likeness)),
        missing_words=_normalize_count(sum(not source.has(stem) for stem in predicate), _MAX_MISSING),
        missing_facts=_normalize_count(len(found.missing_facts), _MAX_CONFLICTS),
        conflicts=_normalize_count(sum(part.kind in _FACTS for part in conflicts), _MAX_CONFLICTS),
        turned=_normalize_count(sum(part.kind not in _FACTS for part in conflicts), _MAX_CONFLICTS),
        speaker=float(bool(SPEAKER.search(claim)) and not SPEAKER.search(passage)),
        length=min(1.0, log(1 + len(stems)) / log(40)),
    )


def _stems(claim: str, found: Alignment, source: PassageWords) -> frozenset[str]:
    """Return content stems of a claim without those of figures and times that the source spells differently."""
    spelled_parts = (part.text for part in found.of(PartState.MATCHED) if part.kind in _SPELLED)
    spelled = frozenset().union(*map(content_stems, spelled_parts))
    return content_stems(claim) - frozenset(each for each in spelled if not source.has(each))


def _normalize_count(number: int, most: int) -> float:
    return min(number, most) / most


def _share(stems: Iterable[str], source: PassageWords) -> float:
    found = [source.has(stem) for stem in stems]
    return sum(found) / len(found) if found else 0.0


def _stem_leading_name(claim: str) -> frozenset[str]:
    """Return stems of the name that a claim begins with, its subject, which most passages name anyway."""
    first = next(iter(find_entities(claim)), None)
    opens = first is not None and len(content_stems(claim[: first.span.start])) == 0
    return content_stems(first.text) if first is not None and opens else frozenset()


def _window_share(stems: frozenset[str], source: PassageWords, window: Span) -> float:
    carried: frozenset[str] = frozenset().union(
        *(each for span, each in source.sentences if span.within(window))
    )
    return len(stems & carried) / len(stems) if stems else 0.0


def _sentences(claim: str) -> list[frozenset[str]]:
    """Return content stems of the claim's sentences that state something; of all, if none does."""
    found = [content_stems(span.cut(claim)) for span in sentence_spans(claim)]
    return [stems for stems in found if len(stems) >= _MIN_STATEMENT] or [stems for stems in found if stems]


def _phrases(claim: str, source: PassageWords) -> float:
    mine = [word.stem for word in words(claim) if word.is_content and len(word.text) > 1]
    pairs = set(zip(mine, mine[1:], strict=False))
    if not pairs:
        return _share(mine, source)
    return sum(_are_near(*pair, source.content_places) for pair in pairs) / len(pairs)


def _are_near(first: str, second: str, places: Mapping[str, list[int]]) -> bool:
    """True if the second stem follows the first somewhere within a few content words."""
    later = places.get(second, ())
    return any(0 < b - a < _NEIGHBOURHOOD for a in places.get(first, ()) for b in later)


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of a logistic model; a feature without a weight does not count."""

    intercept: float
    of: Mapping[str, float]

    def probability(self, figures: Signals) -> float:
        total = sum(weight * (getattr(figures, name) or 0.0) for name, weight in self.of.items())
        return 1 / (1 + exp(-max(-60.0, min(60.0, self.intercept + total))))


@dataclass(frozen=True, slots=True)
class ThresholdPoint:
    """The cross-validated rates at a threshold: shares of 0–1, means over the kinds of data."""

    threshold: float
    recall: float
    false_support: float

    @property
    def balanced_accuracy(self) -> float:
        return (self.recall + 1 - self.false_support) / 2


@dataclass(frozen=True, slots=True)
class SupportProfile:
    """All thresholds of verification, the weights behind them, and the curve from which they were chosen.

    `accurate`: probability from which a claim without a mismatch is paraphrased accurately. `partly`: coverage (0–1)
    from which one with a gap is supported in part; `same_thing`: coverage from which a conflict contradicts: below it
    the passage is about something else. `cases` and `documents` are the numbers of labelled ones.
    """

    with_likeness: Weights
    without_likeness: Weights
    accurate: float
    partly: float
    same_thing: float
    cases: int
    documents: int
    curve: tuple[ThresholdPoint, ...]

    def probability(self, figures: Signals) -> float:
        weights = self.without_likeness if figures.likeness is None else self.with_likeness
        return weights.probability(figures)

    def cap_probability(self, chance: float, *, is_accurate: bool, conflicts: bool) -> float:
        """Keep the probability below the threshold for a mismatch, and far below it for a conflict."""
        if is_accurate:
            return chance
        return chance * self.accurate * (0.4 if conflicts else 0.9)


@lru_cache(maxsize=1)
def builtin_profile() -> SupportProfile:
    """Return the profile that `manage.py calibrate_verification` wrote."""
    return read_profile(files("citations").joinpath("profiles", "verification.json").read_text())


def read_profile(written: str) -> SupportProfile:
    """Parse a profile. Raises ValueError if it is malformed."""
    return _STORED.validate_json(written)


def write_profile(profile: SupportProfile) -> str:
    return _STORED.dump_json(profile, indent=1).decode() + "\n"


_STORED = TypeAdapter(SupportProfile)
