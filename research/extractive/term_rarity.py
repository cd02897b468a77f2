"""Rarity of words in a library: rare words distinguish documents and passages from each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import log


@dataclass(frozen=True, slots=True)
class Rarity:
    """The rarity of terms. `counts`: number of chunks by form, out of `total` chunks."""

    total: int
    counts: Mapping[str, int] = field(default_factory=dict)

    def count(self, form: str) -> int:
        return self.counts.get(form, 0)

    def of(self, form: str) -> float:
        """Return the rarity of a form, 0-1: 1 if no chunk has it, near 0 if nearly every chunk has it."""
        total = max(self.total, 1)
        count = min(self.count(form), total)
        return log((total + 1) / (count + 0.5)) / log((total + 1) / 0.5)
