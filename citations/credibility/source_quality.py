"""Quality of a source for a run: authority, relevance and recency, each 0–1, and their weighted mean."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from citations.credibility.source_recency import STALE_MONTHS, RecencyBias
from citations.dates.find_dates import Period

_RECENCY_WEIGHT: Mapping[RecencyBias, float] = {
    RecencyBias.RECENT: 0.3,
    RecencyBias.BALANCED: 0.2,
    RecencyBias.HISTORICAL: 0.1,
}
_AUTHORITY_SHARE = 0.55  # share of the weight without recency; relevance has the rest


@dataclass(frozen=True, slots=True)
class QualityPart:
    """One part of a quality: its value and its weight, both 0–1. None: unknown, without weight."""

    name: str
    value: float | None
    weight: float


@dataclass(frozen=True, slots=True)
class SourceQuality:
    """The quality of a source. Weights add up to 1; the weight of an unknown part goes to the others."""

    parts: tuple[QualityPart, ...]

    @property
    def score(self) -> float | None:
        """The weighted mean, 0–1; None if no part is known."""
        known = [(part.value, part.weight) for part in self.parts if part.value is not None]
        total = sum(weight for _, weight in known)
        return round(sum(value * weight for value, weight in known) / total, 4) if total else None


def _compute_decay(age: float, half_life: float) -> float:
    return float(0.5 ** (max(0.0, age) / half_life))


def recency_score(published: Period | None, today: date, bias: RecencyBias) -> float | None:
    """Return 1 for today, halved in each half of the months that make a source stale; None without a date."""
    if published is None:
        return None
    half_life = STALE_MONTHS[bias] / 2
    return round(_compute_decay(published.months_before(today), half_life), 4)


def quality(
    *, authority: float | None, relevance: float | None, recency: float | None, bias: RecencyBias
) -> SourceQuality:
    by_age = _RECENCY_WEIGHT[bias]
    rest = 1 - by_age
    return SourceQuality(
        (
            QualityPart("authority", authority, round(rest * _AUTHORITY_SHARE, 4)),
            QualityPart("relevance", relevance, round(rest * (1 - _AUTHORITY_SHARE), 4)),
            QualityPart("recency", recency, by_age),
        )
    )
