"""Estimates a run's cost and duration with the models and prices of its workspace. Needs the caller's
`tenant_context`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from math import ceil

from django.conf import settings
from django.db.models import Avg

from research.db.tenancy import current_tenant_id
from research.engine.pipeline_registry import Json
from research.llm.budgets import budget_estimates
from research.llm.budgets.budget_credit_funding import ITEM_CREDITS
from research.llm.budgets.budget_estimates import Estimate, Prices, TokenPrice
from research.llm.model_prices import facts_of
from research.llm.model_settings import Endpoint, Models, engine, usable_models_of
from research.llm.provider.model_server_speed import READING_FACTOR
from research.models import AgentRole, Kind, ModelCall, ModelCallStatus, Operation
from research.models.schemas import DIVIDED_DEPTHS, Division, Plan

DEFAULT_SOURCES = 30
DEFAULT_PAGES, DEFAULT_CONCURRENCY = 3, 10  # for an item of a table, and for a table
CALLS_TO_LEARN_FROM = 200
LATENCY_S = 1.0  # before the first word of a provider's answer
# Kinds of which a model reads each source, section and claim.
_READ_AS_REPORTS = frozenset({Kind.REPORT, Kind.TECHNICAL})


@dataclass(frozen=True, slots=True)
class EstimateRates:
    """Prices of the workspace's models, the usual duration of a call in seconds, and how many are made at once."""

    prices: Prices
    call_s: float
    calls_at_once: int = field(default_factory=lambda: settings.PLUMBLINE_MODEL_CALLS_AT_ONCE)


def estimate_for(kind: str, config: Mapping[str, Json]) -> Estimate:
    """Estimate the cost of a run of this kind and configuration. A kind without a formula costs nothing."""
    if kind == Kind.TABLE:
        return table_estimate(config)
    sources = target_sources(config)
    if kind not in _READ_AS_REPORTS or engine() == "extractive":
        return budget_estimates.without_model(sources)
    is_shared = kind == Kind.REPORT and config.get("depth") in DIVIDED_DEPTHS
    return _report(sources, terms(), researchers=budget_estimates.USUAL_SUBTOPICS if is_shared else 0)


def table_estimate(config: Mapping[str, Json]) -> Estimate:
    """Estimate a table from the number of its rows."""
    return budget_estimates.table(
        _int_or(config.get("rows"), 0),
        ITEM_CREDITS,
        pages=_int_or(config.get("pages_per_item"), DEFAULT_PAGES),
        at_once=_int_or(config.get("concurrency"), DEFAULT_CONCURRENCY),
        by_model=engine() != "extractive" and config.get("engine", "auto") == "auto",
    )


def _int_or(given: Json, otherwise: int) -> int:
    return given if isinstance(given, int) else otherwise


def terms() -> EstimateRates:
    """Return the current rates, for estimates made outside a transaction: measured ones, else those of the test of
    the model.
    """
    models = usable_models_of(current_tenant_id())
    if models is None:
        return EstimateRates(prices(), usual_call_s())
    tested_s = tested_call_s(models.endpoint.tokens_a_second)
    return EstimateRates(
        prices(models), usual_call_s(models.endpoint.place, tested_s), calls_at_once(models.endpoint)
    )


def calls_at_once(endpoint: Endpoint) -> int:
    """Return how many calls the server answers at once; one at a local server that was tested and does not say."""
    unknown = 1 if endpoint.is_local and endpoint.tokens_a_second else settings.PLUMBLINE_MODEL_CALLS_AT_ONCE
    return min(endpoint.at_once or unknown, settings.PLUMBLINE_MODEL_CALLS_AT_ONCE)


def tested_call_s(tokens_a_second: float | None) -> float:
    """Return the mean seconds of the calls of a usual report at this speed."""
    if not tokens_a_second:
        return budget_estimates.CALL_S
    loads = budget_estimates.report_loads(DEFAULT_SOURCES)
    written = sum(load.tokens_output + load.tokens_input / READING_FACTOR for load in loads)
    return written / sum(load.calls for load in loads) / tokens_a_second + LATENCY_S


def with_estimate(plan: Plan, terms: EstimateRates) -> Plan:
    """Return the plan with an estimate for a run with a model, from its sources and sections."""
    estimate = _report(
        sum(subtopic.target_sources for subtopic in plan.subtopics),
        terms,
        len(plan.outline) or None,
        count_researchers(plan),
    )
    return plan.model_copy(
        update={
            "estimated_minutes": (estimate.minutes_low + estimate.minutes_high) / 2,
            "estimated_tokens": estimate.tokens,
            "estimated_cost_usd": None if estimate.usd is None else float(estimate.usd),
        }
    )


def count_researchers(plan: Plan) -> int:
    """Return the number of researchers that share the first round of the plan."""
    return len(plan.subtopics) if plan.division is Division.DIVIDED else 0


def _report(
    sources: int, terms: EstimateRates, sections: int | None = None, researchers: int = 0
) -> Estimate:
    return budget_estimates.report(
        sources,
        terms.prices,
        calls_a_minute=settings.PLUMBLINE_MODEL_CALLS_A_MINUTE,
        calls_at_once=terms.calls_at_once,
        call_s=terms.call_s,
        sections=sections,
        researchers=researchers,
    )


@dataclass(frozen=True, slots=True)
class DepthCost:
    """The estimated cost of a report of one depth with certain models. `usd` None: a price is unknown."""

    depth: str
    sources: int
    tokens: int
    usd: Decimal | None
    minutes: int  # 0: less than one minute
    is_local: bool


def depth_costs(
    models: Models, depths: Mapping[str, int], tokens_a_second: float | None
) -> Sequence[DepthCost]:
    """Estimate the costs of report depths.

    `depths` maps names to numbers of sources; the speed is the one that a test of the models measured, if any.
    """
    is_local = facts_of(models.endpoint, models.model).is_local
    known = prices(models)
    return [
        _depth_cost(depth, sources, known, tokens_a_second, is_local) for depth, sources in depths.items()
    ]


def _depth_cost(
    depth: str, sources: int, known: Prices, tokens_a_second: float | None, is_local: bool
) -> DepthCost:
    researchers = budget_estimates.USUAL_SUBTOPICS if depth in DIVIDED_DEPTHS else 0
    loads = budget_estimates.report_loads(sources, researchers=researchers)
    calls = sum(load.calls for load in loads)
    written = sum(load.tokens_output for load in loads)
    read = sum(load.tokens_input for load in loads)
    call_s = written / calls / tokens_a_second + LATENCY_S if tokens_a_second else budget_estimates.CALL_S
    if is_local and tokens_a_second:  # one call after another
        minutes = ceil((written + read / READING_FACTOR) / tokens_a_second / 60)
        usd: Decimal | None = Decimal(0)
    else:
        found = _report(sources, EstimateRates(known, call_s), researchers=researchers)
        minutes, usd = found.minutes_high, found.usd
    return DepthCost(depth, sources, read + written, usd, minutes, is_local)


def target_sources(config: Mapping[str, Json]) -> int:
    given = config.get("target_sources")
    return given if isinstance(given, int) else DEFAULT_SOURCES


def prices(models: Models | None = None) -> Prices:
    """Return the price of each role's model from the operator's table, by default for the workspace's models."""
    models = models or usable_models_of(current_tenant_id())
    return {role: _price_of(models, role) if models else None for role in AgentRole}


def _price_of(models: Models, role: AgentRole) -> TokenPrice | None:
    facts = facts_of(models.endpoint, models.model_for(role))
    if facts.is_local:
        return TokenPrice(Decimal(0), Decimal(0))
    if facts.usd_input is None or facts.usd_output is None:
        return None
    return TokenPrice(facts.usd_input, facts.usd_output)


def usual_call_s(server: str = "", otherwise: float = budget_estimates.CALL_S) -> float:
    """Return the mean seconds of the workspace's latest answered calls, by default of all servers."""
    answered = ModelCall.objects.filter(operation=Operation.MODEL_CALL, status=ModelCallStatus.STORED)
    if server:
        answered = answered.filter(server=server)
    newest = answered.order_by("-created_at").values("duration_ms")[:CALLS_TO_LEARN_FROM]
    mean = newest.aggregate(mean=Avg("duration_ms"))["mean"]
    return otherwise if mean is None else float(mean) / 1000
