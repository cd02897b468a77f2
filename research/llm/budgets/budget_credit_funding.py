"""Credits that back a run's dollars: reserved at its start, topped up while it works, settled at its end.

A run spends only what was reserved for it, so a tenant's balance never falls below zero.
"""

from decimal import Decimal
from uuid import UUID

from django.db.models import F, Sum
from django.db.models.functions import Now

from research.llm.budgets import credits
from research.llm.budgets.budget_limits import LimitedResource, OperationCost
from research.llm.budgets.budget_refusals import BudgetExceeded
from research.llm.budgets.open_budgets import WHOLE_RUN, open_budgets
from research.models import Budget, Item, ItemStatus, Kind, Run, UsageEntry

TOP_UP_USD = Decimal("0.50")
ITEM_CREDITS = Decimal("0.05")  # price of a completed row of a table, whatever its calls cost


def fund_at_start(run_id: UUID, estimate_usd: Decimal, own_limit_usd: Decimal | None = None) -> None:
    """Open the run's budgets and reserve its estimate. Raises credits.CreditsShort.

    `own_limit_usd` is the most that its owner wants to spend; None: what the tier allows.
    """
    estimate_usd = estimate_usd.quantize(Decimal("0.0001"))
    if estimate_usd:
        credits.reserve(credits.credits_of(estimate_usd), f"run:{run_id}")
    open_budgets(run_id, estimate_usd, own_limit_usd)


def top_up(run_id: UUID, wanted: OperationCost) -> None:
    """Reserve more credits if the next call would pass what is reserved.

    Raises BudgetExceeded if the balance is short.
    """
    budget = _lock_budget(run_id)
    if budget is None or budget.closed_at is not None:
        return
    short = budget.spent_usd + budget.reserved_usd + wanted.dollars - budget.funded_usd
    wished = max(short, TOP_UP_USD)
    room = wished if budget.limit_usd is None else budget.limit_usd - budget.funded_usd
    if not 0 < short <= room:
        return
    wished = min(wished, room)
    ref = f"{ref_of(run_id)}:{budget.funded_usd.normalize():f}"
    try:
        got = credits.reserve_up_to(credits.credits_of(short), credits.credits_of(wished), ref)
    except credits.CreditsShort as error:
        raise BudgetExceeded(LimitedResource.CREDITS, is_momentary=budget.reserved_usd > 0) from error
    Budget.objects.filter(pk=budget.pk).update(funded_usd=budget.funded_usd + credits.usd_of(got))


def share_of_balance(run_id: UUID, usd: Decimal) -> Decimal | None:
    """Return an amount as a share of the available credits, including those reserved for this run.

    None if there are none.
    """
    funded = Budget.objects.filter(run_id=run_id, role=WHOLE_RUN).values_list("funded_usd", flat=True).first()
    had = credits.balance() + credits.credits_of(funded or Decimal(0))
    return credits.credits_of(usd) / had if had > 0 else None


def fund_again(run_id: UUID, estimate_usd: Decimal, ref: str = "") -> None:
    """Reserve what a reopened run will need from now on. Raises credits.CreditsShort.

    `ref` is the ledger's reference, if it is not the run itself that goes on.
    """
    budget = _lock_budget(run_id)
    if budget is None:
        fund_at_start(run_id, estimate_usd)
        return
    estimate_usd = estimate_usd.quantize(Decimal("0.0001"))
    if estimate_usd:
        credits.reserve(credits.credits_of(estimate_usd), ref or ref_of(run_id))
    rows = Budget.objects.filter(run_id=run_id)
    rows.update(closed_at=None)
    rows.filter(pk=budget.pk).update(settled_usd=budget.spent_usd, funded_usd=budget.spent_usd + estimate_usd)


def fund_up_to(run_id: UUID, usd: Decimal, own_limit_usd: Decimal | None = None) -> None:
    """Reserve credits until the run has `usd` in all, whatever was reserved at its start.

    `own_limit_usd` as in `fund_at_start`. Raises credits.CreditsShort.
    """
    open_budgets(run_id, own_limit_usd=own_limit_usd)
    budget = _lock_budget(run_id)
    if budget is None or (short := usd.quantize(Decimal("0.0001")) - budget.funded_usd) <= 0:
        return
    credits.reserve(credits.credits_of(short), f"{ref_of(run_id)}:more.{budget.funded_usd.normalize():f}")
    Budget.objects.filter(pk=budget.pk).update(funded_usd=budget.funded_usd + short)


def fund_beside(run_id: UUID, estimate_usd: Decimal, ref: str) -> None:
    """Allow spending on something made from a finished run, until `close_beside` is called. Safe to repeat.

    Raises credits.CreditsShort.
    """
    budget = _lock_budget(run_id)
    if budget is None or budget.closed_at is not None:
        fund_again(run_id, estimate_usd, ref)


def close_beside(run_id: UUID, ref: str) -> None:
    """Pay for what was spent since `fund_beside`.

    If the run was reopened in the meantime, its own end settles that.
    """
    budget = _lock_budget(run_id)
    if budget is None or budget.closed_at is not None or not Run.objects.get(pk=run_id).is_finished:
        return
    reserved = credits.credits_of(budget.funded_usd - budget.settled_usd)
    used = min(credits.credits_of(budget.spent_usd - budget.settled_usd), reserved)
    credits.settle(used, reserved, ref)
    Budget.objects.filter(run_id=run_id).update(closed_at=Now())
    _note_totals(run_id, budget, used)


def ref_of(run_id: UUID) -> str:
    """Return the ledger's reference for this opening of the run; each version of a table is one."""
    kind, version = Run.objects.values_list("kind", "report_version").get(pk=run_id)
    return f"run:{run_id}:again.{version}" if kind == Kind.TABLE and version > 1 else f"run:{run_id}"


def close(run_id: UUID) -> None:
    """Pay for what the calls of a run that has ended used, and give the rest back. Safe to repeat.

    What is settled later, by a call whose worker was thought dead, is counted but not charged.
    """
    budget = _lock_budget(run_id)
    if budget is None and not UsageEntry.objects.filter(run_id=run_id).exists():
        Run.objects.filter(pk=run_id, cost_usd=None).update(cost_usd=0)  # known: no model was called
    if budget is None or budget.closed_at is not None:
        return
    reserved = credits.credits_of(budget.funded_usd - budget.settled_usd)
    used = min(_compute_used_credits(run_id, budget), reserved)
    credits.settle(used, reserved, ref_of(run_id))
    Budget.objects.filter(run_id=run_id).update(closed_at=Now())
    _note_totals(run_id, budget, used)


def _compute_used_credits(run_id: UUID, budget: Budget) -> Decimal:
    """Return the credits used: the cost of the calls.

    For a table, a price for each row completed since it was opened.
    """
    run = Run.objects.only("kind", "started_at").get(pk=run_id)
    if run.kind != Kind.TABLE:
        return credits.credits_of(budget.spent_usd)
    done = Item.objects.filter(run=run, status=ItemStatus.COMPLETED)
    since = done.filter(completed_at__gte=run.started_at) if run.started_at else done.none()
    return ITEM_CREDITS * since.count()


def _note_totals(run_id: UUID, budget: Budget, used: Decimal) -> None:
    """Store the run's totals in its own columns; the cost is unknown if any price is."""
    entries = UsageEntry.objects.filter(run_id=run_id)
    if not entries.exists():  # no model was called, however the run ended
        Run.objects.filter(pk=run_id).update(cost_credits=F("cost_credits") + used, cost_usd=0)
        return
    by_role = entries.values("role").annotate(read=Sum("tokens_input"), written=Sum("tokens_output"))
    is_unknown = entries.filter(cost_usd=None).exists()
    Run.objects.filter(pk=run_id).update(
        cost_credits=F("cost_credits") + used,
        cost_usd=None if is_unknown else budget.spent_usd,
        token_usage={
            "input": budget.spent_tokens_input,
            "output": budget.spent_tokens_output,
            "roles": {row["role"]: {"input": row["read"], "output": row["written"]} for row in by_role},
        },
    )


def _lock_budget(run_id: UUID) -> Budget | None:
    return Budget.objects.select_for_update(no_key=True).filter(run_id=run_id, role=WHOLE_RUN).first()
