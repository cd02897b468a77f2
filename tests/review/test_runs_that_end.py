"""Questions of a run that is over."""

from datetime import timedelta

import pytest
from django.db.models.functions import Now

from research.engine.states.resolve_escalation import expire
from research.engine.states.transitions import end
from research.models import EscalationStatus, ReviewAct, Run, State
from research.models.schemas import StoredDecision
from research.review.decide_review_items import DecisionRefused, decide, decide_whole
from research.review.review_queue import select_waiting_items
from research.runs.start_and_cancel import cancel_run, pause_run, resume_run


def test_a_cancel_closes_what_was_asked(ask_about, ada):
    asked = ask_about()
    assert select_waiting_items().count() == 3
    assert cancel_run(asked.run_id)
    asked.refresh_from_db()
    assert (asked.status, asked.decided_by) == (EscalationStatus.CLOSED, None)
    assert not select_waiting_items().exists()


def test_who_decides_after_a_cancel_is_told_so(ask_about, ada):
    asked = ask_about()
    cancel_run(asked.run_id)
    with pytest.raises(DecisionRefused, match="has been cancelled in the meantime"):
        decide(asked.items.first().pk, ada, "accept", StoredDecision())


@pytest.mark.parametrize(
    ("state", "status"),
    [
        (State.FAILED, EscalationStatus.CLOSED),
        (State.CANCELLED, EscalationStatus.CLOSED),
        (State.COMPLETED, EscalationStatus.OPEN),  # advice about a finished report can still be followed
    ],
)
def test_only_a_finished_report_keeps_its_question_open(ask_about, state, status):
    asked = ask_about()
    code = "NO_SOURCES" if state is State.FAILED else ""
    end(Run.objects.get(pk=asked.run_id), state, code)
    asked.refresh_from_db()
    assert asked.status == status


def pause(asked):
    """Pause the run for an hour."""
    assert pause_run(asked.run_id)
    Run.objects.filter(pk=asked.run_id).update(paused_at=Now() - timedelta(hours=1))


def accept(asked, who):
    decide_whole(asked.pk, who, ReviewAct.ACCEPT, StoredDecision())


def test_an_answer_after_a_pause_leads_on(ask_about, ada):
    asked = ask_about()
    pause(asked)
    assert resume_run(asked.run_id)
    accept(asked, ada)
    assert Run.objects.get(pk=asked.run_id).state == State.COMPLETED


def test_an_answer_during_a_pause_leads_on_after_it(ask_about, ada):
    asked = ask_about()
    pause(asked)
    accept(asked, ada)
    assert Run.objects.get(pk=asked.run_id).state == State.HUMAN_REVIEW_GAPS
    assert resume_run(asked.run_id)
    assert Run.objects.get(pk=asked.run_id).state == State.COMPLETED


def test_what_was_answered_stays_answered(ask_about):
    asked = ask_about(status=EscalationStatus.APPROVED)
    cancel_run(asked.run_id)
    asked.refresh_from_db()
    assert asked.status == EscalationStatus.APPROVED


def test_a_closed_question_does_not_expire(ask_about, tenant):
    asked = ask_about(wait_s=-1, status=EscalationStatus.CLOSED)
    assert expire(tenant.pk) == 0
    asked.refresh_from_db()
    assert asked.status == EscalationStatus.CLOSED
