"""The question that a rule makes: its rows, its mail, and when none is made."""

import pytest

from citations.models import Claim, Section
from citations.models import Warning as Gap
from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import Policy
from research.engine.states.state_context import EvidenceFacts, PlanFacts, ReportFacts, RunContext
from research.engine.states.state_escalation import RULES, ask, ask_on_entering, ask_on_leaving, facts_of
from research.models import Escalation, Mail, ReviewItem, State
from tests.engine.rows import fresh, put_into

ALL = frozenset(State)
GAPS, MADE_UP = RULES["critical_data_gaps"], RULES["hallucination_detected"]
SEVERE = RunContext(State.ANALYZING, evidence=EvidenceFacts(severe_gaps=2))
PLAN = {"goal": "g", "subtopics": [{"name": "a", "queries": ["q"]}]}


@pytest.fixture
def at(start_toy, owner, tenant):
    """A run of an owner who can be written to, in a state; it has a plan, two severe gaps and a loose claim."""
    owner.email = "ada@example.org"
    owner.save()

    def bring(state):
        run = put_into(start_toy(), state)
        run.plan = PLAN
        run.save(update_fields=["plan"])
        for text in ("Nothing on maintenance.", "Nothing on noise."):
            Gap.objects.create(run=run, code="G001", kind="gap", severity="high", text=text)
        section = Section.objects.create(run=run, index=1, heading="What is known")
        Claim.objects.create(run=run, section=section, number=1, text="A claim without a source.")
        return run

    with tenant_context(tenant.pk):
        yield bring


def list_escalation_rules(run):
    return list(Escalation.objects.filter(run=run).values_list("rule", flat=True))


# --- one question ------------------------------------------------------------------------------


def test_a_question_is_kept_with_all_that_its_rule_says(at):
    run = at(State.HUMAN_REVIEW_GAPS)
    asked = ask(run, GAPS, SEVERE)
    kept = Escalation.objects.get(run=run)
    assert asked == kept
    assert (kept.rule, kept.state, kept.visit) == (
        "critical_data_gaps",
        "human_review_gaps",
        "5.human_review_gaps",
    )
    assert (kept.priority, kept.type, kept.fallback, kept.status) == (
        "medium",
        "advisory",
        "continue",
        "open",
    )
    assert kept.required_action == GAPS.action
    assert (kept.deadline - kept.created_at).total_seconds() == pytest.approx(6 * 3_600, abs=60)
    assert asked.deadline == kept.deadline
    assert (kept.context["severe_gaps"], kept.context["unresolved"]) == (2, 0)


def test_a_question_has_its_items_in_order(at):
    asked = ask(at(State.HUMAN_REVIEW_GAPS), GAPS, SEVERE)
    rows = ReviewItem.objects.filter(escalation=asked).order_by("position")
    assert [(row.position, row.reason, row.status) for row in rows] == [
        (1, "Nothing on maintenance.", "open"),
        (2, "Nothing on noise.", "open"),
    ]


def test_a_question_is_told_to_the_owner_by_mail(at):
    asked = ask(at(State.HUMAN_REVIEW_GAPS), GAPS, SEVERE)
    [mail] = Mail.objects.all()
    assert (mail.ref, mail.to) == (str(asked.pk), "ada@example.org")
    assert "There are 2 things to decide." in mail.body


def test_a_question_is_asked_once_in_a_visit_and_again_in_the_next(at):
    run = at(State.HUMAN_REVIEW_GAPS)
    first = ask(run, GAPS, SEVERE)
    assert ask(run, GAPS, SEVERE) == first
    assert (ReviewItem.objects.count(), Mail.objects.count()) == (2, 1)
    later = ask(put_into(run, State.HUMAN_REVIEW_GAPS, version=9), GAPS, SEVERE)
    assert later != first
    assert (later.visit, Mail.objects.count()) == ("9.human_review_gaps", 2)


def test_two_rules_of_one_visit_are_two_questions(at):
    run = at(State.HUMAN_REVIEW_VERIFICATION)
    for rule in (MADE_UP, RULES["low_verification_confidence"]):
        ask(run, rule, RunContext(State.VERIFYING))
    assert list_escalation_rules(run) == ["hallucination_detected", "low_verification_confidence"]


def test_where_there_is_nothing_to_decide_nobody_is_asked_unless_the_run_waits(at):
    run = at(State.ANALYZING)
    Gap.objects.all().delete()
    assert ask(run, GAPS, SEVERE) is None
    assert (list_escalation_rules(run), Mail.objects.count()) == ([], 0)
    assert ask(put_into(run, State.HUMAN_REVIEW_GAPS), GAPS, SEVERE) is not None
    assert "There are 0 things to decide." in Mail.objects.get().body


def test_a_question_keeps_the_figures_that_made_it_one():
    context = RunContext(
        State.VERIFYING,
        plan=PlanFacts(subtopics=3, confidence=0.75, estimated_sources=40, cost_share=0.25, questions=2),
        evidence=EvidenceFacts(contradictions=7, unresolved=5, severe_gaps=4),
        report=ReportFacts(hallucinations=1, failed_claims=6, confidence=0.5),
        policy=Policy(auto_approve=False),
    )
    assert facts_of(context) == {
        "questions": 2,
        "subtopics": 3,
        "estimated_sources": 40,
        "plan_confidence": 0.75,
        "cost_share": 0.25,
        "auto_approve": False,
        "contradictions": 7,
        "unresolved": 5,
        "severe_gaps": 4,
        "hallucinations": 1,
        "failed_claims": 6,
        "confidence": 0.5,
    }


# --- where the run goes on ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("to", "asks"),
    [
        (State.SYNTHESIZING, True),
        (State.COMPLETED, True),
        (State.FAILED, False),
        (State.CANCELLED, False),
        (State.HUMAN_REVIEW_GAPS, False),
        (State.HUMAN_REVIEW_CONFLICTS, False),
    ],
)
def test_what_is_advised_is_asked_where_the_run_goes_on_without_waiting(at, to, asks):
    run = at(State.ANALYZING)
    ask_on_leaving(run, SEVERE, to, ALL)
    assert list_escalation_rules(run) == (["critical_data_gaps"] if asks else [])


def test_what_was_asked_in_a_review_state_is_not_asked_again_on_leaving_it(at):
    run = at(State.HUMAN_REVIEW_GAPS)
    context = RunContext(State.HUMAN_REVIEW_GAPS, evidence=EvidenceFacts(severe_gaps=2))
    ask_on_leaving(run, context, State.SYNTHESIZING, ALL)
    assert list_escalation_rules(run) == []


def test_what_would_block_is_not_asked_of_a_run_that_goes_on(at):
    run = at(State.ANALYZING)
    evidence = EvidenceFacts(contradictions=4, unresolved=4, severe_gaps=2)
    ask_on_leaving(run, RunContext(State.ANALYZING, evidence=evidence), State.SYNTHESIZING, ALL)
    assert list_escalation_rules(run) == []


def test_a_rule_about_a_state_that_the_recipe_lacks_asks_nobody_on_leaving(at):
    run = at(State.ANALYZING)
    ask_on_leaving(run, SEVERE, State.SYNTHESIZING, frozenset({State.PLANNING}))
    assert list_escalation_rules(run) == []


# --- where it waits ----------------------------------------------------------------------------


def test_a_run_that_waits_asks_what_sent_it_there(at):
    run = at(State.HUMAN_REVIEW_GAPS)
    evidence = EvidenceFacts(contradictions=4, unresolved=4, severe_gaps=2)
    ask_on_entering(run, RunContext(State.ANALYZING, evidence=evidence), ALL)
    assert list_escalation_rules(run) == ["critical_data_gaps"]  # conflicts have a state of their own


def test_of_several_rules_the_most_urgent_alone_asks(at):
    run = at(State.HUMAN_REVIEW_VERIFICATION)
    report = ReportFacts(hallucinations=1, confidence=0.1, failed_claims=9)
    ask_on_entering(run, RunContext(State.VERIFYING, report=report), ALL)
    assert list_escalation_rules(run) == ["hallucination_detected"]


@pytest.mark.parametrize(
    ("state", "was", "rule"),
    [
        (State.HUMAN_REVIEW_PLAN, State.PLANNING, "high_cost_approval"),
        (State.HUMAN_REVIEW_CONFLICTS, State.ANALYZING, "unresolved_contradictions"),
        (State.HUMAN_REVIEW_GAPS, State.ANALYZING, "critical_data_gaps"),
        (State.HUMAN_REVIEW_VERIFICATION, State.VERIFYING, "low_verification_confidence"),
    ],
)
def test_whatever_sent_a_run_to_wait_somebody_is_asked(at, state, was, rule):
    run = at(state)
    ask_on_entering(run, RunContext(was, plan=PlanFacts(confidence=1)), ALL)
    assert list_escalation_rules(run) == [rule]
    assert fresh(run).state == state


def test_a_run_that_works_asks_nothing_on_entering(at):
    run = at(State.SYNTHESIZING)
    ask_on_entering(run, SEVERE, ALL)
    assert list_escalation_rules(run) == []
