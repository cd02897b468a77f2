"""Finds the words of a claim that require computing: extremes, comparisons, bounds, counts, quantifiers.

Each cue has the positions of its tokens and, if it has a direction, a sign: +1 for the greater, -1 for the less.
`hints` are keys of headers that the cue implies ("oldest": a date or an age).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from citations.table_claims.claim_tokens import Token, word_key


class CueKind(StrEnum):
    EXTREME = "extreme"  # highest, most, first
    COMPARATIVE = "comparative"  # more, earlier, under
    EQUAL = "equal"  # same, equal, tied
    TIMES = "times"  # once, twice
    ONLY = "only"
    ALL = "all"
    NONE = "none"
    MOST = "most"  # most of, majority
    NOT = "not"
    TOTAL = "total"
    MEAN = "mean"
    FREQUENT = "frequent"  # common, popular
    DISTINCT = "distinct"  # different, unique
    EITHER = "either"  # or


@dataclass(frozen=True, slots=True)
class Cue:
    kind: CueKind
    start: int
    end: int
    sign: int = 0
    value: float = 0.0
    hints: frozenset[str] = frozenset()

    @property
    def positions(self) -> range:
        return range(self.start, self.end)


_DATE = "age date year founded opened built established born season first elected launched released aired"
_TIME = "time duration length"
_DIRECTED: dict[str, tuple[CueKind, int, str]] = {}


def _add_directed_cues(kind: CueKind, sign: int, words: str, hints: str = "") -> None:
    _DIRECTED.update(dict.fromkeys(words.split(), (kind, sign, hints)))


_add_directed_cues(
    CueKind.EXTREME, 1, "highest most largest greatest biggest maximum max top best strongest richest"
)
_add_directed_cues(CueKind.EXTREME, 1, "longest", f"{_TIME} distance span")
_add_directed_cues(CueKind.EXTREME, 1, "tallest", "height floors")
_add_directed_cues(CueKind.EXTREME, 1, "heaviest", "weight mass")
_add_directed_cues(CueKind.EXTREME, 1, "latest last newest final recent youngest", _DATE)
_add_directed_cues(CueKind.EXTREME, -1, "lowest least fewest smallest minimum min worst weakest poorest")
_add_directed_cues(CueKind.EXTREME, -1, "shortest", f"{_TIME} distance height span")
_add_directed_cues(CueKind.EXTREME, -1, "fastest quickest", _TIME)
_add_directed_cues(CueKind.EXTREME, 1, "slowest", _TIME)
_add_directed_cues(CueKind.EXTREME, -1, "earliest oldest first", _DATE)
_add_directed_cues(
    CueKind.COMPARATIVE, 1, "more higher larger greater bigger above over exceed exceeded exceeds better"
)
_add_directed_cues(CueKind.COMPARATIVE, 1, "longer", f"{_TIME} distance span")
_add_directed_cues(CueKind.COMPARATIVE, 1, "taller", "height floors")
_add_directed_cues(CueKind.COMPARATIVE, 1, "heavier", "weight mass")
_add_directed_cues(CueKind.COMPARATIVE, 1, "later after newer younger since slower", _DATE)
_add_directed_cues(CueKind.COMPARATIVE, -1, "less fewer lower smaller below under worse")
_add_directed_cues(CueKind.COMPARATIVE, -1, "shorter faster quicker", f"{_TIME} distance height span")
_add_directed_cues(CueKind.COMPARATIVE, -1, "earlier before older prior sooner until", _DATE)
_TIMES = {"once": 1.0, "twice": 2.0, "thrice": 3.0, "both": 2.0}
_PLAIN = {
    "same": CueKind.EQUAL,
    "equal": CueKind.EQUAL,
    "equals": CueKind.EQUAL,
    "tied": CueKind.EQUAL,
    "identical": CueKind.EQUAL,
    "only": CueKind.ONLY,
    "sole": CueKind.ONLY,
    "solely": CueKind.ONLY,
    "all": CueKind.ALL,
    "every": CueKind.ALL,
    "each": CueKind.ALL,
    "always": CueKind.ALL,
    "everyone": CueKind.ALL,
    "no": CueKind.NONE,
    "none": CueKind.NONE,
    "never": CueKind.NONE,
    "nobody": CueKind.NONE,
    "neither": CueKind.NONE,
    "not": CueKind.NOT,
    "without": CueKind.NOT,
    "cannot": CueKind.NOT,
    "majority": CueKind.MOST,
    "mostly": CueKind.MOST,
    "total": CueKind.TOTAL,
    "totals": CueKind.TOTAL,
    "sum": CueKind.TOTAL,
    "combined": CueKind.TOTAL,
    "altogether": CueKind.TOTAL,
    "together": CueKind.TOTAL,
    "average": CueKind.MEAN,
    "averaged": CueKind.MEAN,
    "mean": CueKind.MEAN,
    "common": CueKind.FREQUENT,
    "popular": CueKind.FREQUENT,
    "frequent": CueKind.FREQUENT,
    "often": CueKind.FREQUENT,
    "commonly": CueKind.FREQUENT,
    "frequently": CueKind.FREQUENT,
    "different": CueKind.DISTINCT,
    "distinct": CueKind.DISTINCT,
    "unique": CueKind.DISTINCT,
    "various": CueKind.DISTINCT,
    "or": CueKind.EITHER,
}
_CONTRACTED = frozenset(
    {"don", "doesn", "didn", "isn", "wasn", "weren", "aren", "hasn", "haven", "hadn", "won"}
)


def find_cues(tokens: tuple[Token, ...]) -> tuple[Cue, ...]:
    return tuple(_cues(tokens))


def _cues(tokens: tuple[Token, ...]) -> Iterator[Cue]:
    for at, token in enumerate(tokens):
        word, after = token.word, tokens[at + 1].word if at + 1 < len(tokens) else ""
        if word in ("many", "much") and at and tokens[at - 1].word == "as":
            yield Cue(CueKind.EQUAL, at - 1, at + 1)
        elif word == "most" and after in ("of", "all"):
            yield Cue(CueKind.MOST, at, at + 1)
        elif word in _DIRECTED:
            kind, sign, hints = _DIRECTED[word]
            yield Cue(kind, at, at + 1, sign, hints=_keys(hints))
        elif word in _TIMES:
            yield Cue(CueKind.TIMES, at, at + 1, value=_TIMES[word])
        elif word in _PLAIN:
            yield Cue(_PLAIN[word], at, at + 1)
        elif word in _CONTRACTED and after == "t":
            yield Cue(CueKind.NOT, at, at + 2)


def _keys(words: str) -> frozenset[str]:
    return frozenset(word_key(word) for word in words.split())
