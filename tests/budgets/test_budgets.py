"""Reserving before a call, settling after it, and giving back what nobody will use."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import IntegrityError, transaction
from django.db.models.functions import Now

from research.db.tenancy import tenant_context
from research.llm.budgets.budget_credit_funding import close
from research.llm.budgets.budget_limits import LimitedResource, OperationCost
from research.llm.budgets.budget_refusals import BudgetExceeded
from research.llm.budgets.budgets import release, release_dead
from research.models import Budget, Operation, Reservation, Run, State, Step, Tenant, Tier
from tests.budgets.conftest import budget_of, usage_of
from tests.budgets.spending import settle

SMALL = OperationCost(1_000, 200, Decimal("0.01"))


def no_one_is_gone(_holders):
    return []


def everyone_is_gone(holders):
    return list(holders)


def count_reservations(run):
    with tenant_context(run.tenant_id):
        return Reservation.objects.filter(run=run).count()


@pytest.fixture
def step(run):
    with tenant_context(run.tenant_id):
        return Step.objects.create(
            run=run, step_index=0, key="write", handler="h", agent_role="writer", status="running",
            lease_owner="here", lease_until="2100-01-01T00:00Z", fence=1,
        )  # fmt: skip


def change(row, **columns):
    with tenant_context(row.tenant_id):
        type(row).objects.filter(pk=row.pk).update(**columns)


def grow_old(run, seconds):
    with tenant_context(run.tenant_id):
        Reservation.objects.filter(run=run).update(created_at=Now() - timedelta(seconds=seconds))


def test_a_reservation_counts_in_the_run_and_in_its_role(run, reserve_in_run):
    reserve_in_run(SMALL)
    for budget in (budget_of(run), budget_of(run, "writer")):
        assert (budget.reserved_tokens_input, budget.reserved_tokens_output) == (1_000, 200)
    assert budget_of(run).reserved_usd == Decimal("0.01")
    assert budget_of(run, "planner").reserved_tokens_input == 0


def test_settling_counts_what_was_used_and_gives_the_rest_back(run, reserve_in_run):
    assert settle(reserve_in_run(SMALL), OperationCost(600, 50, Decimal("0.004")))
    for budget in (budget_of(run), budget_of(run, "writer")):
        assert (budget.reserved_tokens_input, budget.spent_tokens_input) == (0, 600)
        assert (budget.reserved_usd, budget.spent_usd) == (0, Decimal("0.004"))
    assert [(one.ref, one.role, one.tokens_output) for one in usage_of(run)] == [("draft", "writer", 50)]
    assert count_reservations(run) == 0


def test_settling_twice_counts_once(run, reserve_in_run):
    reservation = reserve_in_run(SMALL)
    assert settle(reservation, SMALL)
    assert not settle(reservation, SMALL)
    assert budget_of(run).spent_tokens_input == 1_000
    assert len(usage_of(run)) == 1


def test_releasing_gives_everything_back_and_twice_does_nothing(run, reserve_in_run):
    reservation = reserve_in_run(SMALL)
    release(reservation)
    release(reservation)
    assert (budget_of(run).reserved_tokens_input, count_reservations(run), usage_of(run)) == (0, 0, [])


def test_releasing_after_settling_does_nothing(run, reserve_in_run):
    reservation = reserve_in_run(SMALL)
    settle(reservation, SMALL)
    release(reservation)
    assert budget_of(run).spent_tokens_input == 1_000


def test_a_role_may_not_pass_its_limit(run, reserve_in_run):
    reserve_in_run(OperationCost(50_000, 9_000), role="planner")
    with pytest.raises(BudgetExceeded) as refused:
        reserve_in_run(OperationCost(1, 1), "more", role="planner")
    assert (refused.value.part, refused.value.role) == (LimitedResource.TOKENS_INPUT, "planner")
    assert budget_of(run).reserved_tokens_input == 50_000  # the run's share was not taken either


def test_a_refusal_because_of_calls_in_flight_is_momentary(reserve_in_run):
    first = reserve_in_run(OperationCost(50_000, 1_000), role="planner")
    with pytest.raises(BudgetExceeded) as refused:
        reserve_in_run(OperationCost(1_000, 1), "more", role="planner")
    assert refused.value.is_momentary
    settle(first, OperationCost(100, 10))
    assert reserve_in_run(OperationCost(1_000, 1), "more", role="planner")


def test_a_refusal_because_of_what_was_spent_is_final_and_noted(run, reserve_in_run):
    settle(reserve_in_run(OperationCost(50_000, 1_000), role="planner"), OperationCost(49_500, 10))
    with pytest.raises(BudgetExceeded) as refused:
        reserve_in_run(OperationCost(1_000, 1), "more", role="planner")
    assert not refused.value.is_momentary
    assert budget_of(run, "planner").exceeded == LimitedResource.TOKENS_INPUT


@pytest.mark.parametrize(
    ("limits", "wanted", "part"),
    [
        ({"limit_tokens_input": 999}, SMALL, LimitedResource.TOKENS_INPUT),
        ({"limit_tokens_output": 199}, SMALL, LimitedResource.TOKENS_OUTPUT),
        ({"limit_tokens_total": 1_199}, SMALL, LimitedResource.TOKENS_TOTAL),
        ({"limit_usd": Decimal("0.009")}, SMALL, LimitedResource.USD),
    ],
)
def test_each_limit_of_the_run_refuses_on_its_own(run, reserve_in_run, limits, wanted, part):
    release(reserve_in_run(OperationCost(1, 1)))
    with tenant_context(run.tenant_id):
        Budget.objects.filter(run=run, role="").update(**limits)
    with pytest.raises(BudgetExceeded) as refused:
        reserve_in_run(wanted)
    assert (refused.value.part, refused.value.role) == (part, "")


def test_money_is_hard_and_tokens_are_not():
    assert [part for part in LimitedResource if BudgetExceeded(part).is_hard] == [
        LimitedResource.USD,
        LimitedResource.CREDITS,
        LimitedResource.CLOSED,
    ]


def test_a_call_of_unknown_price_counts_tokens_only(run, reserve_in_run):
    settle(reserve_in_run(OperationCost(1_000, 200)), OperationCost(900, 100))
    budget = budget_of(run)
    assert (budget.spent_tokens_input, budget.spent_usd, budget.funded_usd) == (900, 0, 0)
    assert usage_of(run)[0].cost_usd is None


def test_one_call_may_not_be_larger_than_a_call_may_be(reserve_in_run):
    with pytest.raises(BudgetExceeded, match="One model call may not use so many tokens written") as refused:
        reserve_in_run(OperationCost(10, 16_001))
    assert refused.value.operation == Operation.MODEL_CALL


def test_tokens_of_a_search_count_together(reserve_in_run):
    assert reserve_in_run(OperationCost(4_000, 1_000), role="researcher", operation=Operation.SEARCH)
    with pytest.raises(BudgetExceeded):
        reserve_in_run(OperationCost(4_000, 1_001), "again", role="researcher", operation=Operation.SEARCH)


def test_each_researcher_has_limits_of_its_own(run, reserve_in_run):
    for agent in ("north", "south"):
        reserve_in_run(OperationCost(100_000, 10_000), f"{agent}.1", role="researcher", agent_id=agent)
        reserve_in_run(OperationCost(100_000, 10_000), f"{agent}.2", role="researcher", agent_id=agent)
    with pytest.raises(BudgetExceeded):
        reserve_in_run(OperationCost(1, 1), "north.3", role="researcher", agent_id="north")
    assert budget_of(run, "researcher", "south").reserved_tokens_input == 200_000


def test_a_role_without_limits_draws_on_the_run(run, reserve_in_run):
    reserve_in_run(SMALL, role="orchestrator")
    assert budget_of(run).reserved_tokens_input == 1_000


def test_the_tier_multiplies_all_limits(tenant, run, reserve_in_run):
    with tenant_context(tenant.pk):
        Tenant.objects.filter(pk=tenant.pk).update(tier=Tier.FREE)
    with pytest.raises(BudgetExceeded, match="One model call"):
        reserve_in_run(OperationCost(20_001, 1))
    release(reserve_in_run(OperationCost(1, 1)))
    assert budget_of(run).limit_tokens_total == 500_000
    assert budget_of(run, "planner").limit_tokens_output == 2_000
    assert budget_of(run).limit_usd == 10


def test_a_call_that_used_more_than_its_worst_case_is_counted_in_full(run, reserve_in_run):
    settle(reserve_in_run(SMALL), OperationCost(1_500, 300, Decimal("0.02")))
    budget = budget_of(run)
    assert (budget.spent_tokens_input, budget.excess_tokens_input) == (1_500, 500)
    assert (budget.excess_tokens_output, budget.excess_usd) == (100, Decimal("0.01"))


def test_the_database_refuses_a_budget_past_its_limit(run, reserve_in_run):
    reserve_in_run(SMALL)
    for column in ("reserved_tokens_input", "spent_tokens_output", "spent_usd"):
        with pytest.raises(IntegrityError, match="budget_"), transaction.atomic():
            change(budget_of(run), **{column: 900_000 if "usd" in column else 9_000_000})


def test_the_database_refuses_to_give_back_what_was_not_taken(run, reserve_in_run):
    reserve_in_run(SMALL)
    with pytest.raises(IntegrityError), transaction.atomic():
        change(budget_of(run), reserved_usd=Decimal("-0.01"))


def test_a_reservation_of_a_process_that_is_gone_is_released(run, step, reserve_in_run):
    reserve_in_run(SMALL, step_id=step.pk)
    assert release_dead(run.tenant_id, everyone_is_gone) == 1
    assert (budget_of(run).reserved_tokens_input, budget_of(run, "writer").reserved_usd) == (0, 0)
    assert release_dead(run.tenant_id, everyone_is_gone) == 0


def test_a_reservation_made_after_the_lease_was_lost_is_released_when_its_process_is_gone(
    run, step, reserve_in_run
):
    change(step, status="retrying", error_code="LEASE_EXPIRED", lease_until=None, lease_owner="")
    reserve_in_run(SMALL, step_id=step.pk, fence=1)
    change(step, status="running", lease_owner="there", lease_until="2100-01-01T00:00Z", fence=2)
    with tenant_context(run.tenant_id):
        holder = Reservation.objects.get().holder
    assert release_dead(run.tenant_id, lambda holders: [name for name in holders if name == holder]) == 1


def test_what_a_run_that_is_over_had_reserved_is_released(run, step, reserve_in_run):
    reserve_in_run(SMALL, step_id=step.pk, fence=1)
    change(step, fence=2)
    change(run, state=State.COMPLETED, completed_at=Now())
    assert release_dead(run.tenant_id, no_one_is_gone) == 1
    assert budget_of(run).reserved_tokens_input == 0


def test_what_is_made_from_a_report_after_its_end_keeps_its_reservation(run, reserve_in_run):
    reserve_in_run(SMALL)
    change(run, state=State.COMPLETED, completed_at=Now() - timedelta(minutes=1))
    assert release_dead(run.tenant_id, no_one_is_gone) == 0


def test_a_reservation_of_a_step_at_work_is_kept(run, step, reserve_in_run):
    reserve_in_run(SMALL, step_id=step.pk)
    grow_old(run, 10_000)
    assert release_dead(run.tenant_id, no_one_is_gone) == 0


@pytest.mark.parametrize(
    "columns",
    [
        {"status": "completed"},
        {"status": "failed", "error_code": "TIMEOUT"},
        {"status": "retrying", "error_code": "TIMEOUT"},
    ],
)
def test_a_reservation_of_a_step_that_ended_is_released(run, step, reserve_in_run, columns):
    reserve_in_run(SMALL, step_id=step.pk)
    change(step, lease_until=None, lease_owner="", **columns)
    assert release_dead(run.tenant_id, no_one_is_gone) == 1


@pytest.mark.parametrize(("age_s", "released"), [(0, 0), (239, 0), (241, 1)])
def test_a_call_whose_lease_ran_out_keeps_its_reservation_as_long_as_it_may_last(
    run, step, reserve_in_run, age_s, released
):
    reserve_in_run(SMALL, step_id=step.pk)
    change(step, status="retrying", error_code="LEASE_EXPIRED", lease_until=None, lease_owner="")
    grow_old(run, age_s)
    assert release_dead(run.tenant_id, no_one_is_gone) == released


@pytest.mark.parametrize(("age_s", "released"), [(899, 0), (901, 1)])
def test_a_reservation_without_a_step_lasts_a_quarter_of_an_hour(run, reserve_in_run, age_s, released):
    reserve_in_run(SMALL)
    grow_old(run, age_s)
    assert release_dead(run.tenant_id, no_one_is_gone) == released


def test_a_call_that_was_taken_for_dead_is_counted_when_it_comes_back(run, step, reserve_in_run):
    reservation = reserve_in_run(SMALL, step_id=step.pk)
    release_dead(run.tenant_id, everyone_is_gone)
    assert settle(reservation, OperationCost(500, 100, Decimal("0.005")))
    budget = budget_of(run)
    assert (budget.spent_tokens_input, budget.excess_tokens_input, budget.reserved_usd) == (500, 500, 0)


def test_nothing_is_reserved_for_a_run_that_ended(run, reserve_in_run):
    reserve_in_run(SMALL)
    with tenant_context(run.tenant_id):
        close(run.pk)
    with pytest.raises(BudgetExceeded) as refused:
        reserve_in_run(SMALL, "late")
    assert refused.value.part is LimitedResource.CLOSED


def test_no_budget_is_opened_for_a_run_that_ended_without_one(run, reserve_in_run):
    change(run, state=State.CANCELLED)
    with pytest.raises(BudgetExceeded, match="has ended"):
        reserve_in_run(SMALL)
    with tenant_context(run.tenant_id):
        assert not Budget.objects.filter(run=run).exists()


def test_another_tenants_run_has_no_budget_here(run, tenant):
    from research.db.tenancy import create_tenant
    from tests.budgets.spending import reserve

    other = create_tenant("Others")
    with pytest.raises(BudgetExceeded):
        reserve(run.pk, "writer", "draft", SMALL, tenant_id=other.pk)
    with tenant_context(other.pk):
        assert not Run.objects.filter(pk=run.pk).exists()
