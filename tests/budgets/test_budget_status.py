"""The budget that is left, in four levels."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.db.tenancy import tenant_context
from research.llm.budgets.budget_limits import LimitedResource, OperationCost
from research.llm.budgets.budget_refusals import BudgetExceeded
from research.llm.budgets.budget_status import (
    BudgetLevel,
    BudgetStatus,
    RemainingBudget,
    share_left,
    status,
    status_of,
)
from research.models import Budget
from tests.budgets.spending import settle


@pytest.mark.parametrize(
    ("share", "level"),
    [
        (1.0, BudgetLevel.OK),
        (0.30, BudgetLevel.OK),
        (0.299, BudgetLevel.WARNING),
        (0.10, BudgetLevel.WARNING),
        (0.099, BudgetLevel.CRITICAL),
        (0.0001, BudgetLevel.CRITICAL),
        (0.0, BudgetLevel.EXCEEDED),
    ],
)
def test_the_level_follows_from_what_is_left(share, level):
    assert RemainingBudget(share).level is level


def test_a_refused_call_makes_it_exceeded_whatever_is_left():
    assert RemainingBudget(0.2, is_exceeded=True).level is BudgetLevel.EXCEEDED


ORDER = [BudgetLevel.EXCEEDED, BudgetLevel.CRITICAL, BudgetLevel.WARNING, BudgetLevel.OK]


@given(less=st.floats(0, 1), more=st.floats(0, 1))
def test_more_left_is_never_a_worse_level(less, more):
    less, more = sorted((less, more))
    assert ORDER.index(RemainingBudget(less).level) <= ORDER.index(RemainingBudget(more).level)


@given(spent=st.integers(0, 10**9), limit=st.integers(0, 10**9))
def test_a_share_is_between_nothing_and_all(spent, limit):
    assert 0 <= share_left(spent, limit) <= 1


def test_without_a_limit_all_is_left():
    assert share_left(10**9, None) == 1


def whole(**columns):
    limits = {
        "limit_tokens_input": 100,
        "limit_tokens_output": 100,
        "limit_tokens_total": 150,
        "limit_usd": Decimal(10),
    }
    return Budget(role="", **{**limits, **columns})


def test_the_scarcest_of_the_tokens_decides():
    assert status([whole(spent_tokens_input=70, spent_tokens_output=70)]).tokens.share == pytest.approx(
        10 / 150
    )


def test_tokens_and_cost_are_told_apart():
    found = status([whole(spent_usd=Decimal("9.5"))])
    assert (found.cost.level, found.tokens.level) == (BudgetLevel.CRITICAL, BudgetLevel.OK)


@pytest.mark.parametrize(
    ("part", "tokens", "cost"),
    [
        (LimitedResource.TOKENS_OUTPUT, BudgetLevel.EXCEEDED, BudgetLevel.OK),
        (LimitedResource.USD, BudgetLevel.OK, BudgetLevel.EXCEEDED),
        (LimitedResource.CREDITS, BudgetLevel.OK, BudgetLevel.EXCEEDED),
    ],
)
def test_a_refusal_counts_for_what_was_refused(part, tokens, cost):
    found = status([whole(exceeded=part)])
    assert (found.tokens.level, found.cost.level) == (tokens, cost)


def test_a_role_has_no_more_than_the_run():
    writer = Budget(role="writer", limit_tokens_input=10, limit_tokens_output=10)
    found = status([whole(spent_tokens_input=95), writer])
    assert found.tokens_for("writer").level is BudgetLevel.CRITICAL
    assert found.roles["writer"].level is BudgetLevel.OK


def test_of_several_researchers_the_best_off_counts():
    limits = {"limit_tokens_input": 10, "limit_tokens_output": 10}
    north = Budget(role="researcher", agent_id="north", exceeded="tokens_input", **limits)
    south = Budget(role="researcher", agent_id="south", spent_tokens_input=5, **limits)
    assert status([north, south]).roles["researcher"] == RemainingBudget(0.5)


def test_where_nothing_was_counted_all_is_left(run):
    with tenant_context(run.tenant_id):
        assert status_of(run.pk) == BudgetStatus()


def test_the_status_of_a_run_is_read_from_its_rows(run, reserve_in_run):
    settle(reserve_in_run(OperationCost(45_000, 100), role="planner"), OperationCost(45_001, 100))
    with pytest.raises(BudgetExceeded):
        reserve_in_run(OperationCost(6_000, 1), "more", role="planner")
    with tenant_context(run.tenant_id):
        found = status_of(run.pk)
    assert found.roles["planner"].level is BudgetLevel.EXCEEDED
    assert found.tokens.level is BudgetLevel.OK
