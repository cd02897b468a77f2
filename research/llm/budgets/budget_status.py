"""The remaining budget of a run, in four levels (spec: governance.md, Budgets)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from uuid import UUID

from research.db.bulk_sql import rows_of
from research.llm.budgets.budget_refusals import MONEY
from research.llm.budgets.open_budgets import WHOLE_RUN
from research.models import Budget

WARNING_BELOW, CRITICAL_BELOW = 0.30, 0.10  # share of the initial budget


class BudgetLevel(StrEnum):
    OK = "ok"
    WARNING = "warning"
    CRITICAL = "critical"
    EXCEEDED = "exceeded"


@dataclass(frozen=True, slots=True)
class RemainingBudget:
    """The share of a limit that is left, 0–1. `is_exceeded`: a call needed more than was left."""

    share: float
    is_exceeded: bool = False

    @property
    def level(self) -> BudgetLevel:
        if self.is_exceeded or self.share <= 0:
            return BudgetLevel.EXCEEDED
        if self.share < CRITICAL_BELOW:
            return BudgetLevel.CRITICAL
        return BudgetLevel.WARNING if self.share < WARNING_BELOW else BudgetLevel.OK

    @property
    def is_scarce(self) -> bool:
        """Return True if too little is left to go on as before."""
        return self.level in (BudgetLevel.CRITICAL, BudgetLevel.EXCEEDED)


ALL = RemainingBudget(1.0)


@dataclass(frozen=True, slots=True)
class BudgetStatus:
    """The remaining budget of the whole run, and each role's in tokens.

    What calls in flight reserved counts as left.
    """

    tokens: RemainingBudget = ALL
    cost: RemainingBudget = ALL
    roles: Mapping[str, RemainingBudget] = field(default_factory=dict)

    def tokens_for(self, role: str) -> RemainingBudget:
        """Return the tokens that the role can still use: the smaller of its own remainder and the run's."""
        own = self.roles.get(role, ALL)
        is_exceeded = own.is_exceeded or self.tokens.is_exceeded
        return RemainingBudget(min(own.share, self.tokens.share), is_exceeded)


def status_of(run_id: UUID) -> BudgetStatus:
    """Return the remaining budget of a run; all of it if nothing was counted yet. Needs `tenant_context`."""
    return status(rows_of(Budget, "WHERE run_id = %(run)s", {"run": run_id}))


def status(rows: Iterable[Budget]) -> BudgetStatus:
    by_role: dict[str, list[Budget]] = {}
    for row in rows:
        by_role.setdefault(row.role, []).append(row)
    whole = by_role.pop(WHOLE_RUN, [])
    roles = {role: _most(map(tokens_left, of_role)) for role, of_role in by_role.items()}
    if not whole:
        return BudgetStatus(roles=roles)
    return BudgetStatus(tokens_left(whole[0]), cost_left(whole[0]), roles)


def _most(agents: Iterable[RemainingBudget]) -> RemainingBudget:
    """Return the largest remaining budget among a role's agents, which have a limit each.

    It counts as the role's.
    """
    return max(agents, key=lambda left: (not left.is_exceeded, left.share))


def tokens_left(row: Budget) -> RemainingBudget:
    total = row.spent_tokens_input + row.spent_tokens_output
    shares = [
        share_left(row.spent_tokens_input, row.limit_tokens_input),
        share_left(row.spent_tokens_output, row.limit_tokens_output),
        share_left(total, row.limit_tokens_total),
    ]
    return RemainingBudget(min(shares), bool(row.exceeded) and row.exceeded not in MONEY)


def cost_left(row: Budget) -> RemainingBudget:
    return RemainingBudget(share_left(row.spent_usd, row.limit_usd), row.exceeded in MONEY)


def share_left(spent: int | Decimal, limit: int | Decimal | None) -> float:
    """Return the share that is left, 0–1: 1 without a limit, 0 if the limit is 0."""
    if limit is None:
        return 1.0
    return max(0.0, float((limit - spent) / limit)) if limit else 0.0
