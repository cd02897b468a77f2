"""The estimate of a run with the models and prices of this installation. Inside the caller's `tenant_context`."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from django.conf import settings
from django.db.models import Avg

from research.governance import estimates
from research.governance.estimates import Estimate, Price, Prices
from research.governance.funding import ITEM_CREDITS
from research.lifecycle.recipe import Json
from research.llm.prices import facts_of
from research.llm.settings import engine, model_endpoint, model_for
from research.models import AgentRole, Kind, ModelCall, ModelCallStatus, Operation
from research.models.schemas import Plan

DEFAULT_SOURCES = 30
DEFAULT_PAGES, DEFAULT_CONCURRENCY = 3, 10  # of a table's item, and of a table
CALLS_TO_LEARN_FROM = 200
_READ_AS_REPORTS = frozenset({Kind.REPORT, Kind.TECHNICAL})  # with a model: each source, section and claim


@dataclass(frozen=True, slots=True)
class Terms:
    """What models cost here, and how many seconds a call usually takes."""

    prices: Prices
    call_s: float


def estimate_for(kind: str, config: Mapping[str, Json]) -> Estimate:
    """What a run of this kind and configuration will probably take. A kind without a formula takes nothing."""
    if kind == Kind.TABLE:
        return table_estimate(config)
    sources = target_sources(config)
    if kind not in _READ_AS_REPORTS or engine() == "extractive":
        return estimates.without_model(sources)
    return _report(sources, terms())


def table_estimate(config: Mapping[str, Json]) -> Estimate:
    """By the number of its rows alone. Needs no database."""
    return estimates.table(
        _whole(config.get("rows"), 0),
        ITEM_CREDITS,
        pages=_whole(config.get("pages_per_item"), DEFAULT_PAGES),
        at_once=_whole(config.get("concurrency"), DEFAULT_CONCURRENCY),
        by_model=engine() != "extractive" and config.get("engine", "auto") == "auto",
    )


def _whole(given: Json, otherwise: int) -> int:
    return given if isinstance(given, int) else otherwise


def terms() -> Terms:
    """As they are now; for estimates that are made outside of a transaction."""
    return Terms(prices(), usual_call_s())


def with_estimate(plan: Plan, terms: Terms) -> Plan:
    """A plan that a model will carry out, with what it takes: its subtopics' sources, its outline's sections."""
    found = _report(sum(one.target_sources for one in plan.subtopics), terms, len(plan.outline) or None)
    return plan.model_copy(
        update={
            "estimated_minutes": (found.minutes_low + found.minutes_high) / 2,
            "estimated_tokens": found.tokens,
            "estimated_cost_usd": None if found.usd is None else float(found.usd),
        }
    )


def _report(sources: int, terms: Terms, sections: int | None = None) -> Estimate:
    return estimates.report(
        sources,
        terms.prices,
        calls_a_minute=settings.PLUMBLINE_MODEL_CALLS_A_MINUTE,
        calls_at_once=settings.PLUMBLINE_MODEL_CALLS_AT_ONCE,
        call_s=terms.call_s,
        sections=sections,
    )


def target_sources(config: Mapping[str, Json]) -> int:
    given = config.get("target_sources")
    return given if isinstance(given, int) else DEFAULT_SOURCES


def prices() -> Prices:
    """Of each role's model, from the operator's table."""
    return {role: _price_of(role) for role in AgentRole}


def _price_of(role: AgentRole) -> Price | None:
    facts = facts_of(model_endpoint(), model_for(role))
    if facts.is_local:
        return Price(Decimal(0), Decimal(0))
    if facts.usd_input is None or facts.usd_output is None:
        return None
    return Price(facts.usd_input, facts.usd_output)


def usual_call_s() -> float:
    """Mean seconds of this tenant's latest calls that were answered."""
    answered = ModelCall.objects.filter(operation=Operation.MODEL_CALL, status=ModelCallStatus.STORED)
    newest = answered.order_by("-created_at").values("duration_ms")[:CALLS_TO_LEARN_FROM]
    mean = newest.aggregate(mean=Avg("duration_ms"))["mean"]
    return estimates.CALL_S if mean is None else float(mean) / 1000
