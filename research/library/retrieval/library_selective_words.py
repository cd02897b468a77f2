"""Select the words that find a question's best passages: the heaviest, while the rest can't change the order.

MaxScore: Turtle and Flood, Query evaluation: strategies and optimizations, Information Processing & Management 31
(1995). Passages with none of the heavy words score at most the sum of the light ones; if the last of the wanted
passages scores more, no others need be considered.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

# `ts_rank` of one term with weights A and B is at most 1.0912, for one B before all A (the sum of its definition).
MOST = 1.1


@dataclass(frozen=True, slots=True)
class WeightedWords:
    """Words that score `weight` × (0.5 + ts_rank) in a passage; `passages` is about how many contain them."""

    words: str
    weight: float
    passages: int

    @property
    def most(self) -> float:
        return self.weight * (0.5 + MOST)


def heaviest_first(weighted: Iterable[WeightedWords]) -> list[WeightedWords]:
    return sorted(weighted, key=lambda words: (-words.weight, words.words))


def first_asked(weighted: Sequence[WeightedWords], wanted: int) -> int:
    """Return how many of the heaviest words together match `wanted` passages; all if they match fewer.

    `weighted`: heaviest first.
    """
    held = accumulate(words.passages for words in weighted)
    return next((count for count, passages in enumerate(held, start=1) if passages >= wanted), len(weighted))


def count_required_words(weighted: Sequence[WeightedWords], worst: float) -> int:
    """Return the n such that a passage needs one of the n heaviest words to rank above one that scores `worst`."""
    light = accumulate((words.most for words in reversed(weighted)), initial=0.0)
    return len(weighted) - (sum(most < worst for most in light) - 1 if worst > 0 else 0)
