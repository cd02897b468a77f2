"""A move stores its reason, opens its question, and records the cause of another plan, or the end."""

import pytest
from django.db import connections

from citations.models import Section
from citations.models import Warning as Gap
from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import Policy
from research.engine.states.state_context import visit_key
from research.engine.states.transitions import NOTHING_STANDS, advance, end, lock_run, reconsider
from research.llm.budgets.open_budgets import open_budgets
from research.models import Budget, Escalation, Instruction, Mail, ModelCall, ReviewItem, State
from research.runs.start_and_cancel import cancel_run
from tests.engine import toy
from tests.engine.rows import fresh, sql, steps_of

GAPS = State.HUMAN_REVIEW_GAPS


def note_gap(run):
    with tenant_context(run.tenant_id):
        Gap.objects.create(run=run, code="G001", kind="gap", severity="high", text="Nothing on noise.")


def list_questions(run):
    """Rule, visit and number of items of each question."""
    with tenant_context(run.tenant_id):
        rows = Escalation.objects.filter(run=run).order_by("created_at", "pk")
        return [(row.rule, row.visit, ReviewItem.objects.filter(escalation=row).count()) for row in rows]


# --- the reason --------------------------------------------------------------------------------


def test_the_exit_is_kept_with_the_figures_that_decided(at, leave):
    plan = {"goal": "g", "subtopics": [{"name": "a", "queries": ["q"]}], "confidence": 0.9}
    run = leave(at(State.PLANNING, plan=plan))
    assert steps_of(run)["5.planning"].output == {
        "exit": "plan_is_approved",
        "to": "collecting",
        "facts": {
            "work.unfinished": 0,
            "plan.subtopics": 1,
            "plan.confidence": 0.9,
            "policy.auto_approve": True,
            "policy.asks_about_doubts": True,
        },
    }


def test_a_pause_is_kept_with_its_try_and_so_is_its_end(at, leave):
    run = at(State.PLANNING, attempt=1)
    leave(run)
    sql(run, "UPDATE research_step SET not_before = now() WHERE not_before IS NOT NULL AND run_id = %s")
    leave(run)
    steps = steps_of(run)
    tries = {"attempt": 1, "retries": 3}
    assert steps["5.planning"].output == {"exit": "no_exit_holds", "to": "retrying", "facts": tries}
    over = {"exit": "the_pause_is_over", "to": "planning", "facts": {"attempt": 2}}
    assert steps["6.retrying"].output == over


def test_a_cancel_is_kept_as_the_reason(at, take, tenant):
    run = at(State.READING)
    (step,) = take(run)
    with tenant_context(tenant.pk):
        cancel_run(run.pk)
    advance(step, frozenset())
    kept = {"exit": "the_owner_cancelled", "to": "cancelled", "facts": {}}
    assert steps_of(run)["5.reading"].output == kept


def test_whether_the_sources_are_enough_is_kept_when_it_was_looked_at(at, leave):
    ended = leave(at(State.COLLECTING, attempt=5, config={"minimum": 4}))
    assert ended.sufficiency["checks"][0]["detail"] == "0 found, at least 4 wanted."


# --- the question ------------------------------------------------------------------------------


def test_what_is_only_advised_is_asked_as_the_run_goes_on(at, leave):
    run = at(State.ANALYZING)
    note_gap(run)
    assert leave(run).state == State.COMPLETED
    assert list_questions(run) == [("critical_data_gaps", "5.analyzing", 1)]


def test_a_run_that_can_wait_asks_where_it_waits_and_only_there(at, leave, monkeypatch):
    toy.use(monkeypatch, GAPS)
    run = at(State.ANALYZING)
    note_gap(run)
    assert leave(run).state == GAPS
    assert list_questions(run) == [("critical_data_gaps", "6.human_review_gaps", 1)]
    facts = {"work.unfinished": 0, "evidence.severe_gaps": 1}
    kept = {"exit": "gaps_need_a_person", "to": "human_review_gaps", "facts": facts}
    assert steps_of(run)["5.analyzing"].output == kept


def test_a_run_that_asks_nobody_goes_on_without_a_question(at, leave, monkeypatch):
    toy.use(monkeypatch, GAPS)
    monkeypatch.setattr(toy.ToyPipeline, "policy", lambda *_: Policy(asks_people=False))
    run = at(State.ANALYZING)
    note_gap(run)
    assert leave(run).state == State.COMPLETED
    assert list_questions(run) == []


# --- another plan ------------------------------------------------------------------------------


def test_another_plan_knows_what_led_to_it(at, leave, monkeypatch):
    toy.use(monkeypatch, State.REPLANNING)
    run = leave(at(State.COLLECTING, attempt=5, config={"minimum": 4}))
    assert run.state == State.REPLANNING
    cause = {"trigger": "insufficient_sources", "was": "collecting", "note": "", "by": ""}
    assert steps_of(run)["6.replanning"].input == cause


def test_another_plan_that_a_person_wants_has_their_words(at, tenant, monkeypatch):
    toy.use(monkeypatch, GAPS, State.REPLANNING)
    run = at(GAPS)
    with tenant_context(tenant.pk):
        Escalation.objects.create(
            run=run,
            visit=visit_key(run),
            rule="critical_data_gaps",
            state=GAPS,
            priority="medium",
            type="advisory",
            required_action="?",
            deadline=run.state_entered_at,
            fallback="continue",
            status="revised",
            decision={"act": "replan", "note": "Look at Asia too.", "by": "ada"},
        )
    reconsider(run.tenant_id, run.pk)
    steps = steps_of(run)
    cause = {
        "trigger": "user_feedback",
        "was": "human_review_gaps",
        "note": "Look at Asia too.",
        "by": "",
    }
    assert steps["6.replanning"].input == cause
    assert steps["5.human_review_gaps"].output["exit"] == "a_person_wants_another_plan"


def test_other_states_are_entered_for_no_cause(at, leave):
    run = leave(at(State.READING))
    assert steps_of(run)["6.analyzing"].input == {}


# --- the end -----------------------------------------------------------------------------------


def write_a_section(run):
    """Write a section of which no claim is left."""
    with tenant_context(run.tenant_id):
        Section.objects.create(run=run, index=1, heading="What is known", status="written")


@pytest.fixture
def make_run_with_section(at, monkeypatch):
    def bring(**result):
        toy.use(monkeypatch, State.SYNTHESIZING, State.CITING)
        run = at(State.SYNTHESIZING, report_version=1, result=result)
        write_a_section(run)
        return run

    return bring


def test_a_report_of_which_nothing_stands_says_so(make_run_with_section, leave):
    ended = leave(make_run_with_section(summary=["It is warm."], reasons=["The first reason."]))
    assert ended.state == State.COMPLETED
    assert ended.is_insufficient
    assert (ended.outcome["summary"], ended.outcome["looked_for"]) == ([], [])
    assert ended.outcome["reasons"] == ["The first reason.", NOTHING_STANDS]
    assert NOTHING_STANDS == "Nothing that was found stands up to being checked against its source."


def test_a_report_that_said_so_before_says_it_once(make_run_with_section, leave):
    ended = leave(
        make_run_with_section(insufficient=True, reasons=["The first reason."], summary=["It is warm."])
    )
    assert ended.state == State.COMPLETED
    assert (ended.outcome["reasons"], ended.outcome["summary"]) == (["The first reason."], ["It is warm."])


def test_a_run_that_ends_well_keeps_what_it_came_to(at, leave):
    ended = leave(at(State.ANALYZING, result={"summary": ["It is warm."]}))
    assert (ended.state, ended.is_insufficient) == (State.COMPLETED, False)
    assert (ended.outcome["summary"], ended.outcome["reasons"]) == (["It is warm."], [])


def test_at_the_end_instructions_are_refused_budgets_closed_and_answers_forgotten(at, owner, tenant):
    run = at(State.READING)
    with tenant_context(tenant.pk):
        open_budgets(run.pk)
        told = Instruction.objects.create(run=run, author=owner, text="More.")
        call = ModelCall.objects.create(
            run=run, step_key="a", request_hash="h", role="writer", model="m", status="stored",
            prompt_version="draft.3", answer=b"words",
        )  # fmt: skip
        end(lock_run(run.pk), State.COMPLETED)
        for row in (told, call):
            row.refresh_from_db()
        assert (told.status, call.answer) == ("refused", None)
        assert Budget.objects.get(run=run, role="").closed_at is not None
    assert fresh(run).prompt_versions == {"draft": ["3"]}


def test_the_owner_is_told_of_an_end_that_its_code_says_must_be_told(at, owner, tenant):
    owner.email = "ada@example.org"
    owner.save()
    run = at(State.READING)
    with tenant_context(tenant.pk):
        end(lock_run(run.pk), State.FAILED, "DATA_CORRUPTION", "Some bytes are wrong.")
        [mail] = Mail.objects.all()
    assert mail.subject == "A run failed"
    assert "Some bytes are wrong. (DATA_CORRUPTION)" in mail.body


# --- the lock ----------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_while_a_run_is_locked_nobody_else_moves_it_and_others_may_refer_to_it(at, tenant):
    run = at(State.READING)
    other = connections["default"].copy()
    try:
        with tenant_context(tenant.pk), other.cursor() as cursor:
            lock_run(run.pk)
            cursor.execute("SELECT set_config('plumbline.tenant', %s, false)", [str(tenant.pk)])
            for strength, found in (("NO KEY UPDATE", []), ("KEY SHARE", [(run.pk,)])):
                cursor.execute(f"SELECT id FROM research_run FOR {strength} SKIP LOCKED")
                assert cursor.fetchall() == found
    finally:
        other.close()
