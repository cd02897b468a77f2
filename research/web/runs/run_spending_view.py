"""The spending of a run and the rest of its budget, for its page."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from research.llm.budgets import credits
from research.llm.budgets.budget_estimates import at_completion, researchers_share, share_done
from research.llm.budgets.budget_status import BudgetLevel, BudgetStatus, RemainingBudget, status
from research.llm.budgets.open_budgets import WHOLE_RUN
from research.models import Budget, Run, State
from research.models.schemas import Plan
from research.runs.run_estimate import count_researchers

LEVELS: Mapping[BudgetLevel, Promise] = {
    BudgetLevel.OK: _("enough left"),
    BudgetLevel.WARNING: _("less than 30% left"),  # xgettext:no-python-format
    BudgetLevel.CRITICAL: _("less than 10% left"),  # xgettext:no-python-format
    BudgetLevel.EXCEEDED: _("used up"),
}


@dataclass(frozen=True, slots=True)
class BudgetBar:
    """A limit with its used share and its meaning in words."""

    name: str
    used: str
    limit: str
    share_used: float
    level: BudgetLevel

    @property
    def words(self) -> str:
        return str(LEVELS[self.level])


class PriceStatus(StrEnum):
    """The price status of the run's models: unknown, free or known."""

    UNKNOWN = "unknown"
    FREE = "free"
    KNOWN = "known"


@dataclass(frozen=True, slots=True)
class Spending:
    price: PriceStatus
    at_completion: Decimal | None  # credits; None once the run has ended, or if the price is unknown
    available: Decimal  # credits of the workspace
    bars: tuple[BudgetBar, ...]


def get_spending(run: Run) -> Spending | None:
    """Return the spending; None if the run uses no model, so that there is nothing to pay."""
    rows = list(Budget.objects.filter(run=run))
    whole = next((row for row in rows if row.role == WHOLE_RUN), None)
    if whole is None:
        return None
    used = credits.credits_of(whole.spent_usd)
    price = _price(run, used)
    return Spending(
        price=price,
        at_completion=None if run.is_finished else _project_spending(run, used),
        available=credits.balance(),
        bars=_bars(whole, status(rows), price),
    )


def _price(run: Run, used: Decimal) -> PriceStatus:
    expected = read_estimated_credits(run)
    if used or expected:
        return PriceStatus.KNOWN
    return PriceStatus.UNKNOWN if expected is None else PriceStatus.FREE


def read_estimated_credits(run: Run) -> Decimal | None:
    """Return the credits that the run was expected to use; None if a price was unknown."""
    usd = (run.estimate or {}).get("usd")
    return None if usd is None else credits.credits_of(Decimal(str(usd)))


def _project_spending(run: Run, used: Decimal) -> Decimal | None:
    parts = {
        State.READING: (run.sources_processed, run.sources_found),
        State.SYNTHESIZING: (run.sections_completed, run.total_sections),
    }.get(State(run.state), (0, 0))
    plan = Plan.model_validate(run.plan) if run.plan else None
    researchers = count_researchers(plan) if plan else 0
    sources = sum(subtopic.target_sources for subtopic in plan.subtopics) if plan else 0
    collected = researchers_share(sources, researchers) if researchers else 0.0
    done = share_done(run.state, *parts, collected=collected)
    return at_completion(used, done, read_estimated_credits(run))


def _bars(whole: Budget, left: BudgetStatus, price: PriceStatus) -> tuple[BudgetBar, ...]:
    total = whole.spent_tokens_input + whole.spent_tokens_output
    tokens = _bar(str(_("Tokens")), _figure(total), _figure(whole.limit_tokens_total or 0), left.tokens)
    if price is not PriceStatus.KNOWN or whole.limit_usd is None:
        return (tokens,)
    limit, used = (credits.credits_of(usd) for usd in (whole.limit_usd, whole.spent_usd))
    return (_bar(str(_("Credits")), _figure(used, 2), _figure(limit), left.cost), tokens)


def _figure(value: Decimal | int, decimals: int = 0) -> str:
    return number_format(value, decimals, force_grouping=True)


def _bar(name: str, used: str, limit: str, left: RemainingBudget) -> BudgetBar:
    return BudgetBar(name, used, limit, 1 - left.share, left.level)
