"""Estimates of a run: before it starts, and while it works."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.llm.budgets import budget_estimates
from research.llm.budgets.budget_estimates import TokenPrice, at_completion, share_done
from research.models import AgentRole, State

PRICE = TokenPrice(Decimal("0.25"), Decimal(2))
PRICES = dict.fromkeys(AgentRole, PRICE)
FREE = dict.fromkeys(AgentRole, TokenPrice(Decimal(0), Decimal(0)))
PACE = {"calls_a_minute": 100, "calls_at_once": 50}
SOURCES = st.integers(1, 500)


def test_without_a_model_a_run_costs_nothing():
    estimate = budget_estimates.without_model(30)
    assert (estimate.sources, estimate.calls, estimate.credits, estimate.minutes_high) == (30, 0, 0, 0)


def test_reading_takes_two_thousand_tokens_a_source():
    load = next(one for one in budget_estimates.report_loads(40) if one.role is AgentRole.EXTRACTOR)
    assert (load.calls, load.tokens_input + load.tokens_output) == (40, 80_000)


def test_a_plan_s_sections_count_where_they_are_known():
    def calls(**known: int) -> int:
        return next(
            load.calls for load in budget_estimates.report_loads(30, **known) if load.role is AgentRole.WRITER
        )

    assert (calls(), calls(sections=2)) == (6, 2)


def test_the_researchers_of_a_shared_round_count():
    alone = budget_estimates.report(75, PRICES, **PACE)
    shared = budget_estimates.report(75, PRICES, **PACE, researchers=4)
    more = budget_estimates.report(75, PRICES, **PACE, researchers=5)
    assert (alone.calls, alone.tokens, alone.usd) < (shared.calls, shared.tokens, shared.usd)
    assert more.calls - shared.calls == budget_estimates.RESEARCHER_TURNS
    # Turns of one agent follow each other.
    assert shared.minutes_high > alone.minutes_high


def test_the_looks_after_analysis_and_check_count_where_the_first_round_is_shared():
    def count_more(role: AgentRole) -> int:
        return count_calls(role, researchers=4) - count_calls(role)

    turns, requests = budget_estimates.RESEARCHER_TURNS, budget_estimates.REQUEST_TURNS
    open_parts, unproven = budget_estimates.OPEN_PARTS, budget_estimates.UNPROVEN_CLAIMS
    assert count_more(AgentRole.RESEARCHER) == (4 + open_parts + unproven) * turns
    assert count_more(AgentRole.EXTRACTOR) == open_parts * budget_estimates.PAGES_A_PART
    assert (count_more(AgentRole.ORCHESTRATOR), count_more(AgentRole.ANALYZER)) == (1, 1)
    assert count_more(AgentRole.WRITER) - 4 * requests == unproven  # sections, again
    assert count_more(AgentRole.VERIFIER) - requests == 1


def count_calls(role: AgentRole, researchers: int = 0) -> int:
    loads = budget_estimates.report_loads(30, researchers=researchers)
    return sum(load.calls for load in loads if load.role is role)


def test_after_a_shared_round_its_researchers_spending_is_done():
    collected = budget_estimates.researchers_share(75, 4)
    assert 0.2 < collected < 0.8
    assert share_done(State.COLLECTING, collected=collected) < 0.04
    assert share_done(State.READING, collected=collected) > collected
    assert share_done(State.EXPORTING, collected=collected) == 1


def test_a_credit_is_a_cent():
    estimate = budget_estimates.report(30, PRICES, **PACE)
    assert estimate.credits is not None
    assert 0 <= estimate.credits - 100 * estimate.usd < Decimal("0.01")


def test_one_unknown_price_makes_the_cost_unknown():
    estimate = budget_estimates.report(30, {**PRICES, AgentRole.WRITER: None}, **PACE)
    assert (estimate.usd, estimate.credits) == (None, None)
    assert estimate.tokens > 60_000


def test_a_local_model_costs_nothing():
    assert budget_estimates.report(30, FREE, **PACE).credits == 0


@given(few=SOURCES, more=SOURCES)
def test_more_sources_never_take_less(few, more):
    few, more = sorted((few, more))
    one, other = budget_estimates.report(few, PRICES, **PACE), budget_estimates.report(more, PRICES, **PACE)
    assert (one.calls, one.tokens, one.usd, one.minutes_high) <= (
        other.calls, other.tokens, other.usd, other.minutes_high,
    )  # fmt: skip


@given(sources=SOURCES, call_s=st.floats(0.1, 60))
def test_minutes_are_a_range_that_holds_the_least_possible(sources, call_s):
    estimate = budget_estimates.report(sources, PRICES, **PACE, call_s=call_s)
    assert 0 <= estimate.minutes_low <= estimate.minutes_high or estimate.minutes_high == 0
    if estimate.minutes_high:
        assert estimate.minutes_high >= budget_estimates.minutes_of(estimate.calls, call_s, 100, 50)


@given(calls=st.integers(0, 5_000))
def test_calls_are_no_faster_than_the_provider_lets_them(calls):
    assert budget_estimates.minutes_of(calls, 0.1, 100, 50) >= calls / 100


ORDER = [state for state, _share in budget_estimates.ORDER]


@given(st.sampled_from(ORDER), st.integers(0, 50), st.integers(0, 50))
def test_the_share_done_lies_between_this_state_and_the_next(state, done, parts):
    share = share_done(state, done, parts)
    begin = share_done(state)
    later = ORDER[ORDER.index(state) + 1 :]
    assert begin <= share <= (share_done(later[0]) if later else 1.0)


def test_a_state_outside_the_order_tells_nothing():
    assert share_done(State.RETRYING) is None


@pytest.mark.parametrize(
    ("done", "estimate", "expected"),
    [
        (0.5, Decimal(5), Decimal(8)),
        (0.05, Decimal(5), Decimal(5)),
        (0.05, Decimal(3), Decimal(4)),
        (None, None, None),
        (1.0, Decimal(5), Decimal(4)),
    ],
)
def test_what_a_run_will_have_used_follows_from_what_is_done(done, estimate, expected):
    assert at_completion(Decimal(4), done, estimate) == expected
