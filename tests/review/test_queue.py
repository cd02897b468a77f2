"""The queue of reviewers: its order, who looks at what, and its figures."""

import pytest

from research.engine.db_time import seconds_from_now
from research.models import ReviewAct, ReviewItem, Run, State
from research.models.schemas import StoredDecision
from research.review.decide_review_items import decide
from research.review.review_queue import (
    ReviewAssignment,
    TakenByAnother,
    look_at,
    offer,
    select_waiting_items,
    take,
    take_next,
)


def positions(asked=None):
    return [
        (item.escalation_id, item.position) for item in select_waiting_items(asked.run_id if asked else None)
    ]


def skip(item, by):
    return decide(item.pk, by, ReviewAct.SKIP, StoredDecision())


def test_items_of_a_question_come_in_their_order(ask_about):
    asked = ask_about(3)
    assert positions() == [(asked.pk, 1), (asked.pk, 2), (asked.pk, 3)]


@pytest.mark.parametrize(("first", "second"), [("critical", "high"), ("high", "medium"), ("medium", "low")])
def test_the_more_urgent_question_comes_first(ask_about, first, second):
    later = ask_about(1, priority=second, wait_s=60)
    sooner = ask_about(1, priority=first, wait_s=9_000)
    assert [one for one, _ in positions()] == [sooner.pk, later.pk]


def test_of_two_alike_the_one_that_is_due_first_comes_first(ask_about):
    later, sooner = ask_about(1, wait_s=9_000), ask_about(1, wait_s=60)
    assert [one for one, _ in positions()] == [sooner.pk, later.pk]


def test_what_was_skipped_comes_last_whatever_its_priority(ask_about, ada):
    urgent = ask_about(2, priority="critical")
    other = ask_about(1, priority="low")
    skip(select_waiting_items().first(), ada)
    assert positions() == [(urgent.pk, 2), (other.pk, 1), (urgent.pk, 1)]


def test_the_queue_of_one_run_holds_nothing_else(ask_about):
    one, _other = ask_about(1), ask_about(2)
    assert positions(one) == [(one.pk, 1)]


@pytest.mark.parametrize("state", [State.CANCELLED, State.FAILED])
def test_of_a_run_that_is_over_nothing_waits(ask_about, state):
    asked = ask_about(1)
    Run.objects.filter(pk=asked.run_id).update(
        state=state, failure_code="REJECTED" if state == State.FAILED else ""
    )
    assert positions() == []


def test_what_is_past_its_deadline_waits_no_longer(ask_about):
    ask_about(1, wait_s=-1)
    assert positions() == []


def test_what_one_reviewer_looks_at_is_not_offered_to_another(ask_about, ada, bob):
    ask_about(2)
    mine, theirs = take_next(ada), take_next(bob)
    assert (mine.position, theirs.position) == (1, 2)
    assert take_next(bob).pk == theirs.pk  # until it is decided


def test_there_is_nothing_to_take_where_others_look_at_everything(ask_about, ada, bob):
    ask_about(1)
    take_next(ada)
    assert take_next(bob) is None


def test_after_five_minutes_it_is_free_again(ask_about, ada, bob):
    ask_about(1)
    item = take_next(ada)
    ReviewItem.objects.filter(pk=item.pk).update(taken_until=seconds_from_now(-1))
    assert take_next(bob).pk == item.pk


def test_a_take_lasts_five_minutes(ask_about, ada):
    ask_about(1)
    before = ReviewItem.objects.get()
    taken = take_next(ada)
    assert (taken.taken_until - before.created_at).total_seconds() == pytest.approx(300, abs=5)


def test_the_next_after_an_item_is_the_one_behind_it(ask_about, ada):
    ask_about(3)
    items = list(select_waiting_items())
    assert [take_next(ada, after=item.pk).position for item in items] == [2, 3, 1]


def test_whoever_skips_all_goes_round(ask_about, ada):
    ask_about(2)
    first = take_next(ada)
    skip(first, ada)
    second = take_next(ada, after=first.pk)
    skip(second, ada)
    assert [first.position, second.position] == [1, 2]
    assert take_next(ada, after=second.pk).position == 1


def test_one_item_can_be_taken_by_its_id(ask_about, ada):
    ask_about(3)
    item = list(select_waiting_items())[1]
    assert take(item.pk, ada).taken_by == ada


def test_what_another_looks_at_cannot_be_taken(ask_about, ada, bob):
    ask_about(1)
    item = take_next(ada)
    with pytest.raises(TakenByAnother) as taken:
        take(item.pk, bob)
    assert taken.value.name == "ada"


def test_a_decided_item_can_still_be_opened(ask_about, ada, bob):
    ask_about(2)
    item = decide(select_waiting_items().first().pk, ada, ReviewAct.ACCEPT, StoredDecision())
    opened = take(item.pk, bob)
    assert (opened.status, opened.taken_by) == ("accepted", None)


def test_an_offer_says_how_many_wait_whoever_looks_at_them(ask_about, ada, bob):
    ask_about(2, priority="critical")
    ask_about(3)
    theirs = take_next(bob)
    offered = offer(ada)
    assert (offered.item.position, offered.waiting) == (2, 5)
    skip(offered.item, ada)
    offered = offer(ada, after=offered.item.pk)
    assert (offered.item.position, offered.waiting) == (1, 5)
    assert offered.item.escalation_id != theirs.escalation_id


def test_an_empty_queue_offers_nothing(tenant, ada):
    assert offer(ada) == ReviewAssignment(None, 0)


def test_who_only_looks_at_an_item_does_not_hold_it(ask_about, ada, bob):
    ask_about(1)
    item = look_at(select_waiting_items().get().pk, ada)
    assert take_next(bob) == item
    with pytest.raises(TakenByAnother):
        look_at(item.pk, ada)
