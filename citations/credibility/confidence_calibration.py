"""Calibration of confidences against the decisions of reviewers: bins, intervals and two scores. Pure.

A confidence is calibrated if reviewers accept eight in ten of the claims that carry 0.8. Bins and expected calibration
error: Guo et al. 2017, On Calibration of Modern Neural Networks; interval: Wilson 1927; score: Brier 1950.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean

BINS = 10
Z = 1.959964  # of 95 %, two-sided


@dataclass(frozen=True, slots=True)
class ReviewedClaim:
    """A claim's confidence (0–1) as it was shown, and whether the reviewer accepted it unchanged."""

    confidence: float
    accepted: bool


@dataclass(frozen=True, slots=True)
class Bin:
    """A bin of judged items with a confidence in [`low`, `high`); the last bin includes 1. All shares are 0–1."""

    low: float
    high: float
    n: int
    accepted: int
    confidence: float | None  # mean; None: the bin is empty

    @property
    def share(self) -> float | None:
        """The share of accepted items; None if the bin is empty."""
        return self.accepted / self.n if self.n else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the share; None if the bin is empty."""
        return wilson(self.accepted, self.n) if self.n else None


@dataclass(frozen=True, slots=True)
class Calibration:
    """Ten bins, and over all: the expected error and the Brier score, each 0–1 and None without judgements."""

    bins: tuple[Bin, ...]
    expected_error: float | None
    brier: float | None

    @property
    def n(self) -> int:
        return sum(bucket.n for bucket in self.bins)

    @property
    def accepted(self) -> int:
        return sum(bucket.accepted for bucket in self.bins)


def calibration(judged: Sequence[ReviewedClaim]) -> Calibration:
    """Compute the calibration, which does not depend on the order of `judged`, except for rounding."""
    groups: list[list[ReviewedClaim]] = [[] for _ in range(BINS)]
    for claim in judged:
        groups[bin_of(claim.confidence)].append(claim)
    bins = tuple(_bin(place, group) for place, group in enumerate(groups))
    brier = fmean((claim.confidence - claim.accepted) ** 2 for claim in judged) if judged else None
    return Calibration(bins, _compute_calibration_error(bins), brier)


def bin_of(confidence: float) -> int:
    """Return the bin of a confidence, 0–9. The lower edge belongs to the bin, and 1 to the last.

    >>> [bin_of(share) for share in (0.0, 0.1, 0.3, 0.59, 0.6, 1.0)]
    [0, 1, 3, 5, 6, 9]
    """
    return next(place for place in reversed(range(BINS)) if place == 0 or confidence >= place / BINS)


def wilson(successes: int, n: int) -> tuple[float, float]:
    """Return the 95 % interval for a share: `successes` of `n`, which is above 0. Within 0–1.

    >>> [round(end, 3) for end in wilson(8, 10)]
    [0.49, 0.943]
    """
    share = successes / n
    middle = (share + Z**2 / (2 * n)) / (1 + Z**2 / n)
    half = Z * sqrt(share * (1 - share) / n + Z**2 / (4 * n**2)) / (1 + Z**2 / n)
    return max(0.0, min(middle - half, share)), min(1.0, max(middle + half, share))


def _bin(place: int, judged: Sequence[ReviewedClaim]) -> Bin:
    mean = fmean(claim.confidence for claim in judged) if judged else None
    accepted = sum(claim.accepted for claim in judged)
    return Bin(place / BINS, (place + 1) / BINS, len(judged), accepted, mean)


def _compute_calibration_error(bins: Sequence[Bin]) -> float | None:
    """Return the mean absolute difference of accepted share and mean confidence, weighted by bin size.

    None without judgements.
    """
    total = sum(bucket.n for bucket in bins)
    if not total:
        return None
    apart = [
        bucket.n * abs(bucket.share - bucket.confidence)
        for bucket in bins
        if bucket.share is not None and bucket.confidence is not None
    ]
    return sum(apart) / total
