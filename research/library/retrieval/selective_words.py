"""Selection of the words that find a question's best passages: the heaviest, while the rest can't change the order.

MaxScore: Turtle and Flood, Query evaluation: strategies and optimizations, Information Processing & Management 31
(1995). Passages that hold none of the heavy words are worth at most what the light ones give together; where the
last of the wanted ones is worth more, no others need be looked at.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

# `ts_rank` of one term, weights A and B: at most 1.0912, with one B before all A (the sum of its definition).
MOST = 1.1


@dataclass(frozen=True, slots=True)
class WeightedWords:
    """Words that count `weight` × (0.5 + ts_rank) where a passage holds them; `passages`: how many do, about."""

    words: str
    weight: float
    passages: int

    @property
    def most(self) -> float:
        return self.weight * (0.5 + MOST)


def heaviest_first(weighted: Iterable[WeightedWords]) -> list[WeightedWords]:
    return sorted(weighted, key=lambda words: (-words.weight, words.words))


def first_asked(weighted: Sequence[WeightedWords], wanted: int) -> int:
    """Return how many of the heaviest words it takes to match `wanted` passages; all if they match fewer.

    `weighted`: heaviest first.
    """
    held = accumulate(words.passages for words in weighted)
    return next((count for count, passages in enumerate(held, start=1) if passages >= wanted), len(weighted))


def count_required_words(weighted: Sequence[WeightedWords], worst: float) -> int:
    """Return the n such that a passage needs one of the n heaviest words to rank above one that scores `worst`."""
    light = accumulate((words.most for words in reversed(weighted)), initial=0.0)
    return len(weighted) - (sum(most < worst for most in light) - 1 if worst > 0 else 0)
