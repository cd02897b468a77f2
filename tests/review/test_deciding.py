"""Deciding: what counts when, what is refused, and what can be taken back."""

import pytest
from django.db import IntegrityError, transaction
from django.db.models.functions import Now

from research.engine.db_time import seconds_from_now
from research.engine.states.resolve_escalation import expire
from research.models import Escalation, EscalationStatus, ReviewAct, ReviewDecision, ReviewItem, Run, State
from research.models.schemas import StoredDecision
from research.review.decide_review_items import DecisionRefused, decide, decide_whole, undo_last
from research.review.review_queue import select_waiting_items, take_next

ACCEPT, REJECT, EDIT, SKIP = ReviewAct.ACCEPT, ReviewAct.REJECT, ReviewAct.EDIT, ReviewAct.SKIP


def say(note="", **values):
    return StoredDecision(note=note, **values)


def items_of(asked):
    return list(ReviewItem.objects.filter(escalation=asked).order_by("position"))


def acts(asked):
    return list(
        ReviewDecision.objects.filter(escalation=asked).order_by("pk").values_list("act", "by__username")
    )


def fresh(row):
    return type(row).objects.get(pk=row.pk)


# --- one item ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("act", "status"), [(ACCEPT, "accepted"), (REJECT, "rejected"), (EDIT, "edited"), (SKIP, "skipped")]
)
def test_an_act_is_kept_with_who_and_why(ask_about, ada, act, status):
    asked = ask_about(2)
    item = decide(items_of(asked)[0].pk, ada, act, say("Because of this."))
    assert item.status == status
    kept = ReviewDecision.objects.get(item=item)
    assert (kept.act, kept.by, kept.detail["note"]) == (act, ada, "Because of this.")
    decider = None if act is SKIP else ada
    assert (item.decided_by, item.taken_by) == (decider, None)


def test_a_rejection_says_why(ask_about, ada):
    asked = ask_about(2)
    with pytest.raises(DecisionRefused, match="Say why you reject it"):
        decide(items_of(asked)[0].pk, ada, REJECT, say("  "))
    assert acts(asked) == []


@pytest.mark.parametrize("act", [ReviewAct.UNDO, ReviewAct.REPLAN])
def test_what_is_no_act_on_an_item_is_refused(ask_about, ada, act):
    with pytest.raises(DecisionRefused, match="accepted, edited, rejected or skipped"):
        decide(items_of(ask_about(1))[0].pk, ada, act, say())


def test_what_another_looks_at_is_not_decided_over_their_head(ask_about, ada, bob):
    ask_about(1)
    item = take_next(ada)
    with pytest.raises(DecisionRefused, match="ada is reviewing it"):
        decide(item.pk, bob, ACCEPT, say())


def test_what_another_has_decided_stays_so(ask_about, ada, bob):
    asked = ask_about(2)
    item = decide(items_of(asked)[0].pk, ada, ACCEPT, say())
    with pytest.raises(DecisionRefused, match="ada has already decided it"):
        decide(item.pk, bob, REJECT, say("No."))
    assert acts(asked) == [("accept", "ada")]


def test_the_same_form_sent_twice_counts_once(ask_about, ada):
    asked = ask_about(2)
    for _ in range(2):
        decide(items_of(asked)[0].pk, ada, ACCEPT, say("Fine."))
    assert acts(asked) == [("accept", "ada")]


def test_the_last_form_sent_twice_counts_once(ask_about, ada):
    asked = ask_about(1)
    for _ in range(2):
        assert decide(items_of(asked)[0].pk, ada, ACCEPT, say("Fine.")).status == "accepted"
    assert acts(asked) == [("accept", "ada")]


def test_a_skipped_item_can_be_decided_by_another(ask_about, ada, bob):
    asked = ask_about(2)
    item = decide(items_of(asked)[0].pk, ada, SKIP, say())
    assert decide(item.pk, bob, ACCEPT, say()).decided_by == bob


def test_an_unknown_item_is_said_to_be_unknown(tenant, ada):
    with pytest.raises(ReviewItem.DoesNotExist):
        decide(tenant.pk, ada, ACCEPT, say())


def test_history_cannot_be_rewritten(ask_about, ada):
    asked = ask_about(2)
    decide(items_of(asked)[0].pk, ada, ACCEPT, say())
    with pytest.raises(IntegrityError, match="a decision"), transaction.atomic():
        ReviewDecision.objects.update(act="reject")


# --- the question ------------------------------------------------------------------------------


def test_with_the_last_item_the_question_is_decided_and_the_run_goes_on(ask_about, ada):
    asked = ask_about(2)
    first, last = items_of(asked)
    decide(first.pk, ada, ACCEPT, say())
    assert (fresh(asked).status, fresh(asked.run).state) == ("open", State.HUMAN_REVIEW_GAPS)
    decide(last.pk, ada, ACCEPT, say("Known."))
    decided = fresh(asked)
    assert (decided.status, decided.decided_by) == (EscalationStatus.APPROVED, ada)
    assert decided.decision == {"act": "accept", "note": "Known.", "by": "ada"}
    assert decided.decided_at is not None
    assert fresh(asked.run).state == State.COMPLETED  # this kind has no state behind it


def test_a_skipped_item_keeps_the_question_open(ask_about, ada):
    asked = ask_about(2)
    first, last = items_of(asked)
    decide(first.pk, ada, SKIP, say())
    decide(last.pk, ada, ACCEPT, say())
    assert fresh(asked).status == "open"


def test_an_edited_item_makes_it_an_approval_with_changes(ask_about, ada):
    asked = ask_about(2)
    first, last = items_of(asked)
    decide(first.pk, ada, EDIT, say())
    decide(last.pk, ada, ACCEPT, say())
    assert fresh(asked).status == EscalationStatus.REVISED


@pytest.mark.parametrize("kind", ["gap", "plan"])
def test_a_rejected_gap_or_plan_ends_the_run(ask_about, ada, kind):
    asked = ask_about(2, kind=kind)
    first, last = items_of(asked)
    decide(first.pk, ada, REJECT, say("No."))
    decide(last.pk, ada, ACCEPT, say())
    assert fresh(asked).status == EscalationStatus.REJECTED
    assert (fresh(asked.run).state, fresh(asked.run).failure_code) == (State.FAILED, "REJECTED")


@pytest.mark.parametrize("kind", ["claim", "contradiction"])
def test_a_rejected_claim_or_conflict_only_leaves_the_report(ask_about, ada, kind):
    asked = ask_about(1, kind=kind)
    decide(items_of(asked)[0].pk, ada, REJECT, say("Wrong."))
    assert fresh(asked).status == EscalationStatus.REVISED
    assert fresh(asked.run).state == State.COMPLETED


def test_all_that_is_left_can_be_accepted_at_once(ask_about, ada, bob):
    asked = ask_about(3)
    decide(items_of(asked)[0].pk, ada, ACCEPT, say())
    decide_whole(asked.pk, bob, ACCEPT, say("All known."))
    assert [item.decided_by.username for item in items_of(asked)] == ["ada", "bob", "bob"]
    assert fresh(asked).status == EscalationStatus.APPROVED
    assert acts(asked)[-1] == ("accept", "bob")


def test_a_question_can_be_rejected_as_a_whole_with_a_reason(ask_about, ada):
    asked = ask_about(3)
    with pytest.raises(DecisionRefused, match="Say why"):
        decide_whole(asked.pk, ada, REJECT, say())
    decide_whole(asked.pk, ada, REJECT, say("Not worth it."))
    assert fresh(asked.run).state == State.FAILED


def test_a_whole_answer_sent_twice_counts_once(ask_about, ada):
    asked = ask_about(2)
    for _ in range(2):
        decide_whole(asked.pk, ada, REJECT, say("No."))
    assert acts(asked) == [("reject", "ada")]


def test_a_question_that_another_has_decided_stays_so(ask_about, ada, bob):
    asked = ask_about(2)
    decide_whole(asked.pk, ada, ACCEPT, say())
    with pytest.raises(DecisionRefused, match="ada has already decided it"):
        decide_whole(asked.pk, bob, REJECT, say("No."))


def test_a_kind_that_cannot_be_planned_anew_says_so(ask_about, ada):
    with pytest.raises(DecisionRefused, match="cannot be replanned"):
        decide_whole(ask_about(1).pk, ada, ReviewAct.REPLAN, say())


def test_a_run_that_went_on_is_not_stopped_by_an_answer(ask_about, ada):
    asked = ask_about(1, run_state=State.COMPLETED)
    with pytest.raises(DecisionRefused, match="one by one"):
        decide_whole(asked.pk, ada, REJECT, say("No."))


def test_what_is_advised_can_be_decided_after_the_run_is_completed(ask_about, ada):
    asked = ask_about(1, run_state=State.COMPLETED)
    decide(items_of(asked)[0].pk, ada, ACCEPT, say())
    assert fresh(asked).status == EscalationStatus.APPROVED
    assert fresh(asked.run).state == State.COMPLETED


# --- meanwhile ---------------------------------------------------------------------------------


def test_a_run_that_was_cancelled_meanwhile_takes_no_decision(ask_about, ada):
    asked = ask_about(1)
    Run.objects.filter(pk=asked.run_id).update(cancel_at=Now())
    with pytest.raises(DecisionRefused, match="has been cancelled in the meantime"):
        decide(items_of(asked)[0].pk, ada, ACCEPT, say())
    assert fresh(asked).status == "open"


def test_a_run_that_failed_meanwhile_takes_no_decision(ask_about, ada):
    asked = ask_about(1)
    Run.objects.filter(pk=asked.run_id).update(state=State.FAILED, failure_code="REJECTED")
    with pytest.raises(DecisionRefused, match="has failed in the meantime"):
        decide(items_of(asked)[0].pk, ada, ACCEPT, say())


def test_after_the_deadline_nothing_is_decided_even_before_the_sweep(ask_about, ada):
    asked = ask_about(1, wait_s=-1)
    with pytest.raises(DecisionRefused, match="deadline has passed"):
        decide(items_of(asked)[0].pk, ada, ACCEPT, say())


def test_the_sweep_closes_what_nobody_answered_once(ask_about, ada, tenant):
    asked = ask_about(1, wait_s=-1)
    assert [expire(tenant.pk), expire(tenant.pk)] == [1, 0]
    assert (fresh(asked).status, fresh(asked).decided_by) == (EscalationStatus.EXPIRED, None)
    assert fresh(asked.run).state == State.COMPLETED
    with pytest.raises(DecisionRefused, match="deadline has passed"):
        decide(items_of(asked)[0].pk, ada, ACCEPT, say())


@pytest.mark.parametrize(("wait_s", "closed"), [(-1, 1), (30, 0)])
def test_a_question_is_closed_at_its_deadline_and_not_before(ask_about, tenant, wait_s, closed):
    ask_about(1, wait_s=wait_s)
    assert expire(tenant.pk) == closed


@pytest.mark.parametrize(
    ("fallback", "state"),
    [("continue", State.COMPLETED), ("degrade", State.COMPLETED), ("fail", State.FAILED)],
)
def test_the_fallback_holds_without_an_answer(ask_about, tenant, fallback, state):
    at = State.HUMAN_REVIEW_VERIFICATION
    asked = ask_about(1, wait_s=-1, fallback=fallback, run_state=at)
    expire(tenant.pk)
    assert fresh(asked.run).state == state


def test_the_time_that_a_run_waits_does_not_count(ask_about, ada):
    asked = ask_about(1, rule="hallucination_detected", run_state=State.HUMAN_REVIEW_PLAN)
    waited = {"state_entered_at": seconds_from_now(-7_200), "deadline": seconds_from_now(60)}
    Run.objects.filter(pk=asked.run_id).update(**waited)
    before = fresh(asked.run).deadline
    decide_whole(asked.pk, ada, ACCEPT, say())
    after = fresh(asked.run)
    assert after.state == State.COLLECTING
    assert (after.deadline - before).total_seconds() == pytest.approx(7_200, abs=60)


# --- undo --------------------------------------------------------------------------------------


def test_the_last_act_can_be_taken_back(ask_about, ada):
    asked = ask_about(2)
    decide(items_of(asked)[0].pk, ada, ACCEPT, say("Fine."))
    item = undo_last(ada)
    assert (item.position, item.status, item.decision, item.decided_by) == (1, "open", None, None)
    assert item.taken_by == ada  # to decide it again
    assert acts(asked) == [("accept", "ada"), ("undo", "ada")]


def test_acts_are_taken_back_one_after_another(ask_about, ada):
    asked = ask_about(3)
    for item in items_of(asked)[:2]:
        decide(item.pk, ada, ACCEPT, say())
    assert [undo_last(ada).position, undo_last(ada).position] == [2, 1]
    assert undo_last(ada) is None


def test_an_undo_of_a_decision_on_a_skipped_item_leaves_it_skipped(ask_about, ada):
    item = items_of(ask_about(2))[0]
    decide(item.pk, ada, SKIP, say())
    decide(item.pk, ada, ACCEPT, say())
    assert undo_last(ada).status == "skipped"
    assert undo_last(ada).status == "open"


def test_everybody_takes_back_their_own(ask_about, ada, bob):
    first, second, _third = items_of(ask_about(3))
    decide(first.pk, ada, ACCEPT, say())
    decide(second.pk, bob, ACCEPT, say())
    assert undo_last(ada).position == 1
    assert [item.position for item in select_waiting_items()] == [1, 3]


def test_what_has_taken_effect_is_not_taken_back(ask_about, ada):
    asked = ask_about(1)
    decide(items_of(asked)[0].pk, ada, ACCEPT, say())
    with pytest.raises(DecisionRefused, match="ada has already decided it"):
        undo_last(ada)
    assert acts(asked) == [("accept", "ada")]


def test_an_answer_to_a_whole_question_is_not_taken_back(ask_about, ada):
    decide_whole(ask_about(2).pk, ada, ACCEPT, say())
    with pytest.raises(DecisionRefused, match="a whole question and has already taken effect"):
        undo_last(ada)


def test_a_skip_is_not_taken_back_once_another_has_decided(ask_about, ada, bob):
    item = items_of(ask_about(2))[0]
    decide(item.pk, ada, SKIP, say())
    decide(item.pk, bob, ACCEPT, say())
    with pytest.raises(DecisionRefused, match="Somebody has decided it in the meantime"):
        undo_last(ada)


def test_who_did_nothing_takes_nothing_back(tenant, ada):
    assert undo_last(ada) is None


def test_an_unknown_question_is_said_to_be_unknown(tenant, ada):
    with pytest.raises(Escalation.DoesNotExist):
        decide_whole(tenant.pk, ada, ACCEPT, say())
