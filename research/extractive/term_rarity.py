"""Rarity of words in this library: rare words distinguish documents and passages from each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import log


@dataclass(frozen=True, slots=True)
class Rarity:
    """`counts`: form -> number of chunks that carry it, out of `total` chunks."""

    total: int
    counts: Mapping[str, int] = field(default_factory=dict)

    def count(self, form: str) -> int:
        return self.counts.get(form, 0)

    def of(self, form: str) -> float:
        """0-1: 1 for a word no chunk has, near 0 for one that nearly every chunk has."""
        total = max(self.total, 1)
        count = min(self.count(form), total)
        return log((total + 1) / (count + 0.5)) / log((total + 1) / 0.5)
