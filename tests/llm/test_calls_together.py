"""Calls that begin or end at one moment share a transaction, and nothing of what each is promised."""

from concurrent.futures import ThreadPoolExecutor

from django.db import connection

from research.db.sql_batcher import Batcher
from research.db.tenancy import tenant_context
from research.llm.budgets.budget_refusals import BudgetExceeded
from research.llm.call_store import model_call_rows
from research.llm.call_types import Usage
from research.llm.model_errors import ModelError, Trouble
from research.llm.model_prices import ModelFacts
from research.llm.model_requests import ModelCallRequest, turn
from research.llm.provider.completion_replies import Reply
from research.models import AgentRole, Budget, ModelCall, ModelCallStatus, Reservation, UsageEntry
from tests.batches import do_batch
from tests.llm.asking import call


def make_request(step, purpose: str) -> ModelCallRequest:
    one = call(step, purpose=purpose)
    return turn(one, one.purpose, one.prompt.messages, "test-model", ModelFacts()).asked


def make_outcome(
    wanted: ModelCallRequest, claimed: model_call_rows.ClaimedCall
) -> model_call_rows.CallOutcome:
    reply = Reply(text="Built.", tokens_input=11, tokens_output=14)
    return model_call_rows.CallOutcome(claimed, wanted, reply, Usage(11, 14), 5)


def claim_all(wanted):
    rows = model_call_rows
    return do_batch(Batcher(rows.tenant_of_request, rows.claim_together, rows.claim), wanted)


def store_all(endings):
    rows = model_call_rows
    return do_batch(
        Batcher(lambda ending: ending.claimed.tenant_id, rows.store_together, rows.store), endings
    )


def budgets(step) -> dict[str, tuple[int, int]]:
    """Reserved and spent tokens of output, by role."""
    with tenant_context(step.tenant_id):
        rows = Budget.objects.filter(run_id=step.run_id)
        return {row.role: (row.reserved_tokens_output, row.spent_tokens_output) for row in rows}


def test_what_begins_together_is_set_aside_to_the_token_and_what_ends_together_is_paid(step):
    wanted = [make_request(step, f"purpose {number}") for number in range(8)]
    claimed = claim_all(wanted)
    assert all(isinstance(one, model_call_rows.ClaimedCall) for one in claimed)
    worst = sum(one.worst.tokens_output for one in wanted)
    assert budgets(step)[""] == budgets(step)["writer"] == (worst, 0)
    assert store_all([make_outcome(*pair) for pair in zip(wanted, claimed, strict=True)]) == [None] * 8
    assert budgets(step)[""] == budgets(step)["writer"] == (0, 8 * 14)
    with tenant_context(step.tenant_id):
        assert Reservation.objects.count() == 0
        assert UsageEntry.objects.filter(run_id=step.run_id).count() == 8


def test_the_one_that_has_no_room_is_refused_alone(step):
    first = model_call_rows.claim(make_request(step, "first"))
    assert isinstance(first, model_call_rows.ClaimedCall)
    wanted = [make_request(step, f"purpose {number}") for number in range(4)]
    room = 3 * wanted[0].worst.tokens_output  # the first has one of them
    with tenant_context(step.tenant_id):
        Budget.objects.filter(run_id=step.run_id, role="writer").update(limit_tokens_output=room)
    found = claim_all(wanted)
    assert [isinstance(one, model_call_rows.ClaimedCall) for one in found] == [True, True, False, False]
    assert isinstance(found[2], BudgetExceeded)
    assert found[2].is_momentary
    assert budgets(step)["writer"] == budgets(step)[""] == (room, 0)


def test_each_agent_of_a_role_with_limits_of_its_own_gets_them_as_it_first_asks(step):
    def of(agent: str) -> ModelCallRequest:
        one = call(step, purpose=agent, role=AgentRole.RESEARCHER, agent_id=agent)
        return turn(one, one.purpose, one.prompt.messages, "test-model", ModelFacts()).asked

    model_call_rows.release(model_call_rows.claim(make_request(step, "opens the budget")).reservation)
    for agents in (["a", "b"], ["b", "c"]):
        found = claim_all([of(agent) for agent in agents])
        assert isinstance(found[-1], model_call_rows.ClaimedCall)
    with tenant_context(step.tenant_id):
        rows = Budget.objects.filter(run_id=step.run_id, role="researcher").order_by("agent_id")
        worst = of("a").worst.tokens_output
        assert [(row.agent_id, row.reserved_tokens_output) for row in rows] == [
            (agent, worst) for agent in "abc"
        ]


def test_who_asks_what_another_asks_at_this_moment_waits_for_it(step):
    same = make_request(step, "same")
    found = claim_all([same, make_request(step, "other"), same])
    assert [type(one) for one in found] == [
        model_call_rows.ClaimedCall,
        model_call_rows.ClaimedCall,
        model_call_rows.InFlight,
    ]


def test_an_answer_that_came_too_late_is_dropped_alone(step):
    wanted = [make_request(step, "late"), make_request(step, "in time")]
    claimed = claim_all(wanted)
    with tenant_context(step.tenant_id):
        ModelCall.objects.filter(pk=claimed[0].call_id).update(status=ModelCallStatus.UNKNOWN)
    late, in_time = store_all([make_outcome(*pair) for pair in zip(wanted, claimed, strict=True)])
    assert isinstance(late, ModelError)
    assert (late.code, in_time) == (Trouble.SUPERSEDED, None)
    assert budgets(step)["writer"] == (0, 14)


def test_what_was_taken_for_dead_meanwhile_is_counted_all_the_same(step):
    wanted = make_request(step, "slow")
    [claimed] = claim_all([wanted])
    model_call_rows.release(claimed.reservation)
    assert store_all([make_outcome(wanted, claimed)]) == [None]
    assert budgets(step)["writer"] == budgets(step)[""] == (0, 14)


def test_a_call_larger_than_a_call_may_be_is_refused(step, settings):
    operations = settings.PLUMBLINE_BUDGET_OPERATIONS
    settings.PLUMBLINE_BUDGET_OPERATIONS = {
        **operations,
        "model_call": [number / 10**6 for number in operations["model_call"]],
    }
    [refused] = claim_all([make_request(step, "large")])
    assert isinstance(refused, BudgetExceeded)
    assert budgets(step).get("", (0, 0)) == (0, 0)


def test_no_limit_is_passed_however_many_take_from_it_at_once(step):
    """Each waits for the row that the one before has locked, and looks at it anew."""
    model_call_rows.release(model_call_rows.claim(make_request(step, "opens the budget")).reservation)
    worst = make_request(step, "any").worst.tokens_output
    with tenant_context(step.tenant_id):
        Budget.objects.filter(run_id=step.run_id, role="writer").update(limit_tokens_output=25 * worst)

    def claim(worker: int) -> int:
        try:
            found = [
                one
                for number in range(0, 10, 2)
                for one in claim_all([make_request(step, f"{worker} {number + more}") for more in (0, 1)])
            ]
        finally:
            connection.close()
        return sum(isinstance(one, model_call_rows.ClaimedCall) for one in found)

    with ThreadPoolExecutor(6) as pool:
        claimed = sum(pool.map(claim, range(6)))
    assert claimed == 25
    assert budgets(step)[""] == budgets(step)["writer"] == (25 * worst, 0)
