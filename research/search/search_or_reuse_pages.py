"""Decide between searching the web and reading pages that earlier runs saved (spec: lifecycle.md, Acquire or
reuse).

Pure functions.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from citations.credibility.source_recency import RecencyBias

ENOUGH_COVERED = 0.7  # share of the subtopics

OLDEST: Mapping[RecencyBias, timedelta] = {
    RecencyBias.RECENT: timedelta(days=1),
    RecencyBias.BALANCED: timedelta(days=7),
    RecencyBias.HISTORICAL: timedelta(days=30),
}


class ReuseMode(StrEnum):
    """The way in which one query is answered: by a web search, from saved pages, or both."""

    BROWSE = "browse"  # search the web
    BOTH = "both"
    REUSE = "reuse"  # read saved pages only

    @property
    def searches(self) -> bool:
        return self is not ReuseMode.REUSE

    @property
    def reuses(self) -> bool:
        return self is not ReuseMode.BROWSE


@dataclass(frozen=True, slots=True)
class SavedPageCounts:
    """Saved pages that match a query: their number, the number of fresh ones, and the age of the youngest."""

    pages: int = 0
    fresh: int = 0
    youngest: timedelta | None = None  # None: no page


@dataclass(frozen=True, slots=True)
class ReuseDecision:
    decision: ReuseMode
    reason: str


def is_fresh(age: timedelta, bias: RecencyBias) -> bool:
    return age <= OLDEST[bias]


def decide(saved: SavedPageCounts, coverage: float, bias: RecencyBias) -> ReuseDecision:
    """Decide how to answer a query. `coverage`: share of the run's subtopics that fresh saved pages cover, 0–1."""
    if not saved.pages or saved.youngest is None:
        return ReuseDecision(ReuseMode.BROWSE, "no saved page fits")
    fit = f"{saved.pages} saved {'page fits' if saved.pages == 1 else 'pages fit'}"
    if not is_fresh(saved.youngest, bias):
        limit = OLDEST[bias].days
        return ReuseDecision(
            ReuseMode.BOTH, f"{fit}, but all are older than {limit} {'day' if limit == 1 else 'days'}"
        )
    if coverage < ENOUGH_COVERED:
        return ReuseDecision(ReuseMode.BOTH, f"{fit}, but they cover only {coverage:.0%} of the subtopics")
    return ReuseDecision(ReuseMode.REUSE, f"{fit}, {saved.fresh} of them young enough")
