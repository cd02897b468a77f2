"""The exits of a table: when its rows have ended, when a pilot waits, and what time does to it."""

import pytest

from research.engine.pipeline_registry import Policy
from research.engine.states import state_exit_conditions as when
from research.engine.states.state_context import ItemFacts, RunContext, StateProgress
from research.engine.states.state_machine import exit_for
from research.models import EscalationStatus, Fallback, State

USED = frozenset({State.PLANNING, State.COLLECTING, State.SYNTHESIZING, State.HUMAN_REVIEW_PLAN})


def table(items: ItemFacts, *, unfinished: int = 0, time_share: float = 0.1, asks: bool = True) -> RunContext:
    return RunContext(
        State.COLLECTING,
        retries=5,
        items=items,
        work=StateProgress(unfinished=unfinished, completed=3, time_share=time_share),
        policy=Policy(asks_people=asks),
    )


def leaves_for(context: RunContext) -> State | None:
    found = exit_for(context, USED)
    return None if found is None else found.to


def test_it_goes_on_when_every_row_has_ended() -> None:
    assert leaves_for(table(ItemFacts(total=7, completed=6))) == State.SYNTHESIZING


@pytest.mark.parametrize(
    ("items", "unfinished"), [(ItemFacts(7, open=1, completed=6), 0), (ItemFacts(7, completed=7), 1)]
)
def test_it_stays_while_a_row_or_a_step_is_open(items: ItemFacts, unfinished: int) -> None:
    assert leaves_for(table(items, unfinished=unfinished)) is None


def test_it_fails_when_every_row_failed() -> None:
    context = table(ItemFacts(total=7))
    found = exit_for(context, USED)
    assert found is not None
    assert (found.to, found.code) == (State.FAILED, "ITEMS_FAILED")


def test_one_completed_row_is_enough_not_to_fail() -> None:
    assert not when.every_item_failed(table(ItemFacts(total=7, completed=1)))


@pytest.mark.parametrize("completed", [0, 3, 5])
def test_a_pilot_waits_for_its_release_whatever_came_of_it(completed: int) -> None:
    assert leaves_for(table(ItemFacts(total=9, held=4, completed=completed))) == State.HUMAN_REVIEW_PLAN


def test_where_nobody_is_asked_a_pilot_is_the_table() -> None:
    assert leaves_for(table(ItemFacts(total=9, held=4, completed=5), asks=False)) == State.SYNTHESIZING


@pytest.mark.parametrize(
    ("time_share", "to"), [(0.89, None), (0.9, State.SYNTHESIZING), (1.2, State.SYNTHESIZING)]
)
def test_rows_are_left_behind_as_time_runs_out(time_share: float, to: State | None) -> None:
    assert leaves_for(table(ItemFacts(9, open=2, completed=7), unfinished=5, time_share=time_share)) == to


@pytest.mark.parametrize(
    ("decision", "to"),
    [
        (EscalationStatus.OPEN, None),
        (EscalationStatus.APPROVED, State.COLLECTING),
        (EscalationStatus.REJECTED, State.FAILED),
        (EscalationStatus.EXPIRED, State.SYNTHESIZING),
    ],
)
def test_a_pilot_goes_where_its_answer_says(decision: str, to: State | None) -> None:
    items = ItemFacts(total=9, held=4, completed=5)
    context = RunContext(State.HUMAN_REVIEW_PLAN, decision=decision, fallback=Fallback.DEGRADE, items=items)
    assert leaves_for(context) == to
