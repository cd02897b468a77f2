"""Credits for the rows of a proposed table, reserved when the table is started."""

from collections.abc import Mapping
from dataclasses import asdict
from decimal import Decimal

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from research.engine.pipeline_registry import Json
from research.llm.budgets.budget_credit_funding import ITEM_CREDITS, fund_up_to
from research.llm.budgets.budget_estimates import Estimate
from research.llm.budgets.credits import usd_of
from research.models import Run
from research.models.schemas import Plan
from research.pipelines.table.table_config import TableConfig
from research.pipelines.table.table_refusals import TableRefused, credits_in_words
from research.runs.run_estimate import table_estimate


def reserve_rows(run: Run, config: TableConfig, count: int) -> None:
    """Reserve credits for `count` rows. Needs the run's row locked. Raises TableRefused if over the budget."""
    wanted, budget = ITEM_CREDITS * count, config.budget_credits
    if budget is not None and wanted > budget:
        message = _(
            "These rows would take %(needed)s credits, more than the table's budget of %(budget)d. Use fewer rows, or"
            " raise the budget."
        )
        raise TableRefused(message % {"needed": number_format(wanted, 2), "budget": budget})
    with credits_in_words():
        fund_up_to(run.pk, usd_of(wanted), None if budget is None else usd_of(Decimal(budget)))


def store_estimate(run: Run, config: Mapping[str, Json]) -> Estimate:
    """Store and return the estimate for the current rows of a proposal."""
    estimate = table_estimate(config)
    Run.objects.filter(pk=run.pk).update(estimate=asdict(estimate))
    return estimate


def with_estimate(plan: Plan, estimate: Estimate) -> Plan:
    """Return the plan with the estimated time and cost of its rows, which its owner sees before they are filled."""
    usd = None if estimate.usd is None else float(estimate.usd)
    minutes = (estimate.minutes_low + estimate.minutes_high) / 2
    return plan.model_copy(update={"estimated_minutes": minutes, "estimated_cost_usd": usd})
