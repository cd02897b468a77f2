"""Decisions that take long to count: left to a worker, done once, and given up in words."""

from collections.abc import Iterator

import pytest
from django.db.models.functions import Now

from research.engine.pipeline_registry import register
from research.models import Escalation, EscalationStatus, ReviewAct, Run, State
from research.models.schemas import StoredDecision
from research.review.apply_review_decisions import (
    MAX_TRIES,
    ask_again,
    select_runs_with_pending_decisions,
    work_in_decisions,
)
from research.review.decide_review_items import DecisionRefused, decide, decide_whole, undo_last
from tests.engine.asking_toy import Asking
from tests.engine.toy import ToyPipeline

SENTENCES = "low_verification_confidence"
NOTE = StoredDecision(note="Why.")


@pytest.fixture
def recipe(db: None) -> Iterator[Asking]:
    made = Asking()
    register(made)
    yield made
    register(ToyPipeline())


@pytest.fixture
def question_with_decisions(ask_about, ada, recipe) -> Escalation:
    """All of its sentences, at the page; no worker has come yet."""
    asked = ask_about(2, kind="claim", rule=SENTENCES)
    for item in asked.items.all():
        decide(item.pk, ada, ReviewAct.ACCEPT, NOTE, by_worker=True)
    asked.refresh_from_db()
    return asked


def state_of(asked: Escalation) -> str:
    return Run.objects.values_list("state", flat=True).get(pk=asked.run_id)


def let_time_pass() -> None:
    """Make the work due, as after the time for which the worker that claimed it has it to itself."""
    Escalation.objects.exclude(work_in_at=None).update(work_in_at=Now())


def test_the_last_decision_is_kept_and_the_run_waits_for_a_worker(question_with_decisions, recipe):
    assert question_with_decisions.status == EscalationStatus.APPROVED
    assert (state_of(question_with_decisions), recipe.applied) == (State.HUMAN_REVIEW_GAPS, [])
    assert list(select_runs_with_pending_decisions()) == [question_with_decisions.run]


def test_a_worker_lets_it_count_once_and_the_run_goes_on(question_with_decisions, recipe, tenant):
    assert work_in_decisions(tenant.pk, question_with_decisions.pk)
    assert (state_of(question_with_decisions), recipe.applied) == (
        State.COMPLETED,
        [question_with_decisions.pk],
    )
    assert not work_in_decisions(tenant.pk, question_with_decisions.pk)
    assert recipe.applied == [question_with_decisions.pk]
    assert not select_runs_with_pending_decisions().exists()


def test_meanwhile_nothing_more_is_decided_or_taken_back(question_with_decisions, ada, bob):
    with pytest.raises(DecisionRefused, match="ada has already decided it"):
        decide_whole(question_with_decisions.pk, bob, ReviewAct.REJECT, NOTE, by_worker=True)
    with pytest.raises(DecisionRefused):
        undo_last(ada)


def test_who_is_killed_at_it_is_followed_by_another(question_with_decisions, recipe, tenant, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(
            "research.review.apply_review_decisions.work_in",
            lambda *_: (_ for _ in ()).throw(KeyboardInterrupt),
        )
        with pytest.raises(KeyboardInterrupt):
            work_in_decisions(tenant.pk, question_with_decisions.pk)
    assert (ask_again(), work_in_decisions(tenant.pk, question_with_decisions.pk)) == (
        0,
        False,
    )  # it may be alive
    let_time_pass()
    assert ask_again() == 1
    assert work_in_decisions(tenant.pk, question_with_decisions.pk)
    assert recipe.applied == [question_with_decisions.pk]


@pytest.fixture
def faulty_recipe(recipe, monkeypatch) -> None:
    def fail(*_arguments: object) -> None:
        raise ZeroDivisionError("a bug in the recipe")

    monkeypatch.setattr(recipe, "apply", fail)


def try_in_vain(tenant, asked: Escalation) -> None:
    for _time in range(MAX_TRIES):
        let_time_pass()
        assert not work_in_decisions(tenant.pk, asked.pk)
    asked.refresh_from_db()


def test_what_fails_again_and_again_ends_the_run_that_waits_for_it(
    question_with_decisions, faulty_recipe, tenant
):
    try_in_vain(tenant, question_with_decisions)
    run = Run.objects.get(pk=question_with_decisions.run_id)
    assert (run.state, run.failure_code) == (State.FAILED, "INTERNAL_ERROR")
    assert (question_with_decisions.work_in_at, question_with_decisions.decision["by"]) == (None, "ada")
    assert not ask_again()


def test_a_finished_report_stays_as_it_is_and_says_why(question_with_decisions, faulty_recipe, tenant):
    Run.objects.filter(pk=question_with_decisions.run_id).update(state=State.COMPLETED)
    try_in_vain(tenant, question_with_decisions)
    assert state_of(question_with_decisions) == State.COMPLETED
    assert "An internal error" in question_with_decisions.decision["problem"]


def test_what_is_quick_or_ends_the_run_counts_at_once(ask_about, ada, recipe):
    gap = ask_about(1)
    decide(gap.items.get().pk, ada, ReviewAct.ACCEPT, NOTE, by_worker=True)
    assert (state_of(gap), recipe.applied) == (State.COMPLETED, [gap.pk])
    sentences = ask_about(2, kind="claim", rule=SENTENCES)
    decide_whole(sentences.pk, ada, ReviewAct.REJECT, NOTE, by_worker=True)
    assert state_of(sentences) == State.FAILED
