"""The estimate of a run, shown beside its start button."""

from dataclasses import dataclass
from decimal import Decimal

from research.llm.budgets import credits
from research.llm.budgets.budget_estimates import Estimate
from research.llm.budgets.budget_limits import most
from research.llm.model_settings import engine
from research.models import Kind
from research.pipelines.report.report_config import DEPTHS
from research.runs.run_estimate import DEFAULT_SOURCES, estimate_for
from research.web.site.page_request_numbers import whole


@dataclass(frozen=True, slots=True)
class EstimateView:
    """An estimate with the workspace's balance. Its credits are None if a price is unknown."""

    engine: str  # extractive, openai
    estimate: Estimate
    available: Decimal | None  # None: the run costs no credits
    budget: int | None = None  # limit that the run's owner set

    @property
    def is_short(self) -> bool:
        wanted = self.estimate.credits
        return wanted is not None and self.available is not None and wanted > self.available

    @property
    def is_over_budget(self) -> bool:
        wanted = self.estimate.credits
        return wanted is not None and self.budget is not None and wanted > self.budget


def offer_for(wished_sources: str, depth: str = "", budget: str = "") -> EstimateView:
    """Return the estimate for typed numbers. An invalid number of sources counts as the depth's default."""
    typed = whole(wished_sources)
    sources = typed if 1 <= typed <= most("sources") else DEPTHS.get(depth, DEFAULT_SOURCES)
    return offer_of(estimate_for(Kind.REPORT, {"target_sources": sources, "depth": depth}), budget)


def offer_of(estimate: Estimate, budget: str = "") -> EstimateView:
    """Return the view of an estimate; `budget` is the text as typed."""
    available = credits.available() if estimate.credits else None
    return EstimateView(engine(), estimate, available, whole(budget) or None)
