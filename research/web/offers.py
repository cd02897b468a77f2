"""What a run will probably take, said beside the button that starts it."""

from dataclasses import dataclass
from decimal import Decimal

from research.estimating import DEFAULT_SOURCES, estimate_for
from research.governance import credits
from research.governance.estimates import Estimate
from research.governance.limits import most
from research.llm.settings import engine
from research.models import Kind
from research.recipes.report.config import DEPTHS


@dataclass(frozen=True, slots=True)
class Offer:
    """An estimate beside what the workspace has. Credits of the estimate are None where a price is unknown."""

    engine: str  # extractive, openai
    estimate: Estimate
    available: Decimal | None  # credits; None where the run takes none

    @property
    def is_short(self) -> bool:
        wanted = self.estimate.credits
        return wanted is not None and self.available is not None and wanted > self.available


def offer_for(wished_sources: str, depth: str = "") -> Offer:
    """For a number as it was typed; what is no possible number counts as what the depth says."""
    typed = int(wished_sources) if wished_sources.isascii() and wished_sources.isdecimal() else 0
    sources = typed if 1 <= typed <= most("sources") else DEPTHS.get(depth, DEFAULT_SOURCES)
    estimate = estimate_for(Kind.REPORT, {"target_sources": sources})
    return Offer(engine(), estimate, credits.available() if estimate.credits else None)
