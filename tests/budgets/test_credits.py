"""The ledger: two sides to every movement, each movement once, balances by adding up."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest
import time_machine
from django.db import DatabaseError, IntegrityError, transaction
from django.db.models import Sum
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from research.db.tenancy import tenant_context
from research.llm.budgets import credits
from research.llm.budgets.budget_credit_funding import close, fund_at_start
from research.llm.budgets.budget_limits import LimitedResource, OperationCost
from research.llm.budgets.budget_refusals import BudgetExceeded
from research.llm.budgets.credits import CreditsShort
from research.models import AccountName, Budget, CreditAccount, CreditEntry, CreditKind, Tenant, Tier
from tests.budgets.conftest import budget_of
from tests.budgets.spending import settle
from tests.often import often

AVAILABLE, RESERVED, SPENT = AccountName.AVAILABLE, AccountName.RESERVED, AccountName.SPENT
DOLLAR = OperationCost(100, 10, Decimal(1))


@pytest.fixture
def inside(tenant):
    """Enter a tenant that has 500 credits a month."""
    with tenant_context(tenant.pk):
        Tenant.objects.filter(pk=tenant.pk).update(tier=Tier.FREE)
        yield tenant


def balances():
    return {name: credits.balance(name) for name in (AVAILABLE, RESERVED, SPENT)}


def test_a_month_brings_the_credits_of_the_tier_once(inside):
    assert credits.available() == credits.available() == 500


def test_each_month_brings_its_own_and_leaves_the_rest(inside):
    for month in (1, 2, 2):
        with time_machine.travel(datetime(2027, month, 3, tzinfo=UTC), tick=False):
            credits.grant_of_the_month()
    assert credits.balance() == 1_000


def test_what_is_reserved_is_not_available(inside):
    credits.reserve(Decimal(120), "run:1")
    assert balances() == {AVAILABLE: 380, RESERVED: 120, SPENT: 0}


def test_more_than_there_is_cannot_be_reserved(inside):
    with pytest.raises(CreditsShort) as short:
        credits.reserve(Decimal("500.0001"), "run:1")
    assert (short.value.needed, short.value.available) == (Decimal("500.0001"), 500)
    assert credits.balance(RESERVED) == 0


def test_settling_spends_what_was_used_and_frees_the_rest(inside):
    credits.reserve(Decimal(120), "run:1")
    credits.settle(Decimal("30.5"), Decimal(120), "run:1")
    assert balances() == {AVAILABLE: Decimal("469.5"), RESERVED: 0, SPENT: Decimal("30.5")}


def test_the_same_movement_happens_once(inside):
    for _ in range(2):
        credits.reserve(Decimal(100), "run:1")
        credits.settle(Decimal(40), Decimal(100), "run:1")
    assert balances() == {AVAILABLE: 460, RESERVED: 0, SPENT: 40}


def test_less_than_nothing_is_not_moved(inside):
    with pytest.raises(ValueError, match="grant of -1 credits"):
        credits.grant(Decimal(-1), "x")


def test_one_side_alone_is_refused_by_the_database(inside):
    credits.grant_of_the_month()
    account = CreditAccount.objects.get(name=AVAILABLE)
    with pytest.raises(IntegrityError, match="sum to zero"), transaction.atomic():
        CreditEntry.objects.create(account=account, kind=CreditKind.GRANT, amount=5, ref="free")


def test_an_entry_cannot_be_changed_or_deleted(inside):
    credits.grant_of_the_month()
    for act in (lambda rows: rows.update(amount=0), lambda rows: rows.delete()):
        with pytest.raises(DatabaseError, match="frozen"), transaction.atomic():
            act(CreditEntry.objects.all())


ACTS = st.lists(
    st.tuples(
        st.sampled_from(["grant", "reserve", "settle", "refund"]),
        st.decimals(0, 900, places=4),
        st.sampled_from(["run:1", "run:2", "run:3"]),
    ),
    max_size=12,
)


@often(40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(acts=ACTS)
def test_whatever_is_done_the_ledger_sums_to_zero_and_no_balance_is_negative(inside, acts):
    with transaction.atomic():
        held: dict[str, Decimal] = {}
        for kind, amount, ref in acts:
            act(kind, amount, ref, held)
        assert (CreditEntry.objects.aggregate(sum=Sum("amount"))["sum"] or 0) == 0
        assert min(balances().values()) >= 0
        assert credits.balance(RESERVED) == sum(held.values())
        transaction.set_rollback(True)


def act(kind, amount, ref, held):
    if kind == "grant":
        credits.grant(amount, ref)
    elif kind == "reserve" and ref not in held:
        try:
            credits.reserve(amount, ref)
        except CreditsShort:
            return
        held[ref] = amount
    elif kind == "settle" and held.get(ref):
        credits.settle(min(amount, held[ref]), held[ref], ref)
        held[ref] = Decimal(0)


def test_a_call_of_a_known_price_sets_credits_aside(inside, run, reserve_in_run):
    reserve_in_run(DOLLAR)
    assert budget_of(run).funded_usd == 1
    assert balances() == {AVAILABLE: 400, RESERVED: 100, SPENT: 0}


def test_small_calls_are_funded_by_the_half_dollar(inside, run, reserve_in_run):
    for n in range(3):
        reserve_in_run(OperationCost(1, 1, Decimal("0.01")), f"draft.{n}")
    assert budget_of(run).funded_usd == Decimal("0.5")
    assert CreditEntry.objects.filter(kind=CreditKind.RESERVE).count() == 2  # one movement


def test_a_call_beyond_the_balance_is_refused(inside, reserve_in_run):
    for n in range(5):
        reserve_in_run(DOLLAR, f"draft.{n}")
    with pytest.raises(BudgetExceeded, match="no credits left") as refused:
        reserve_in_run(OperationCost(1, 1, Decimal("0.0001")), "last")
    assert refused.value.part is LimitedResource.CREDITS
    assert refused.value.is_hard


def test_the_last_credits_are_used_up(inside, run, reserve_in_run):
    for n in range(4):
        reserve_in_run(DOLLAR, f"draft.{n}")
    credits.reserve(Decimal(80), "another")
    reserve_in_run(OperationCost(1, 1, Decimal("0.15")), "last")
    assert (budget_of(run).funded_usd, credits.balance()) == (Decimal("4.2"), 0)


def test_a_run_without_a_limit_of_money_is_topped_up_as_often_as_it_needs(inside, run, reserve_in_run):
    fund_at_start(run.pk, Decimal(1))
    Budget.objects.filter(run=run).update(limit_usd=None)
    for n in range(3):
        reserve_in_run(DOLLAR, f"draft.{n}")
    assert (budget_of(run).funded_usd, credits.balance()) == (3, 200)


def test_what_may_cost_nothing_takes_no_credits_before_it_is_refused(inside, run, reserve_in_run):
    fund_at_start(run.pk, Decimal(0), own_limit_usd=Decimal(0))
    with pytest.raises(BudgetExceeded) as refused:
        reserve_in_run(DOLLAR)
    assert (refused.value.part, credits.available()) == (LimitedResource.USD, 500)


def test_a_run_pays_for_what_it_used_and_gets_the_rest_back(inside, run, reserve_in_run):
    fund_at_start(run.pk, Decimal(2))
    settle(reserve_in_run(DOLLAR), OperationCost(80, 9, Decimal("0.123456")))
    close(run.pk)
    close(run.pk)
    assert balances() == {AVAILABLE: Decimal("487.6544"), RESERVED: 0, SPENT: Decimal("12.3456")}
    run.refresh_from_db()
    assert (run.cost_usd, run.cost_credits) == (Decimal("0.123456"), Decimal("12.3456"))
    assert run.token_usage == {"input": 80, "output": 9, "roles": {"writer": {"input": 80, "output": 9}}}


def test_a_run_with_a_call_of_unknown_price_has_an_unknown_cost(inside, run, reserve_in_run):
    settle(reserve_in_run(DOLLAR), DOLLAR)
    settle(reserve_in_run(OperationCost(5, 5), "second"), OperationCost(5, 5))
    close(run.pk)
    run.refresh_from_db()
    assert (run.cost_usd, run.cost_credits) == (None, 100)


def test_what_comes_back_after_the_end_is_counted_and_not_charged(inside, run, reserve_in_run):
    late = reserve_in_run(DOLLAR)
    close(run.pk)
    settle(late, DOLLAR)
    assert balances() == {AVAILABLE: 500, RESERVED: 0, SPENT: 0}
    assert budget_of(run).spent_usd == 1


def test_a_run_that_the_balance_does_not_cover_is_not_funded(inside, run):
    with pytest.raises(CreditsShort):
        fund_at_start(run.pk, Decimal("5.01"))


def test_an_extractive_run_costs_nothing_even_without_credits(inside, run):
    credits.reserve(Decimal(500), "another")
    fund_at_start(run.pk, Decimal(0))
    close(run.pk)
    assert credits.balance(SPENT) == 0
