"""The seven rules that ask a person: at, just below and just above each threshold; who asks when several apply."""

from dataclasses import replace

import pytest

from research.engine.pipeline_registry import Policy
from research.engine.states.state_context import EvidenceFacts, PlanFacts, ReportFacts, RunContext
from research.engine.states.state_escalation import RULES, applicable
from research.models import State

ALL = frozenset(State)
CALM = Policy(asks_about_doubts=False)
SURE = PlanFacts(subtopics=3, confidence=0.9, estimated_sources=30)


def names(state, used=ALL, **facts):
    return [rule.name for rule in applicable(RunContext(state, **facts), used)]


@pytest.mark.parametrize(
    ("name", "priority", "kind", "hours", "fallback"),
    [
        ("pilot_release", "high", "blocking", 24, "degrade"),
        ("plan_clarification", "high", "blocking", 24, "fail"),
        ("high_cost_approval", "high", "blocking", 24, "fail"),
        ("unresolved_contradictions", "medium", "blocking", 12, "degrade"),
        ("critical_data_gaps", "medium", "advisory", 6, "continue"),
        ("hallucination_detected", "critical", "blocking", 2, "fail"),
        ("low_verification_confidence", "high", "advisory", 4, "continue"),
    ],
)
def test_the_rules_are_those_of_the_specification(name, priority, kind, hours, fallback):
    rule = RULES[name]
    assert (rule.priority, rule.type, rule.wait_s, rule.fallback) == (priority, kind, hours * 3_600, fallback)


def test_there_are_seven():
    assert len(RULES) == 7


@pytest.mark.parametrize(
    ("changed", "asks"),
    [
        ({}, False),
        ({"cost_share": 0.5}, False),
        ({"cost_share": 0.501}, True),
        ({"subtopics": 10}, False),
        ({"subtopics": 11}, True),
        ({"estimated_sources": 200}, False),
        ({"estimated_sources": 201}, True),
        ({"confidence": 0.8}, False),
        ({"confidence": 0.79}, True),
    ],
)
def test_a_plan_that_is_large_dear_or_unsure_needs_consent(changed, asks):
    found = names(State.PLANNING, plan=replace(SURE, **changed))
    assert found == (["high_cost_approval"] if asks else [])


@pytest.mark.parametrize(
    ("changed", "asks"),
    [
        ({"cost_share": 0.5}, False),
        ({"cost_share": 0.501}, True),
        ({"subtopics": 11, "estimated_sources": 201, "confidence": 0.1, "questions": 3}, False),
    ],
)
def test_only_the_price_of_a_plan_is_asked_about_where_doubts_are_not(changed, asks):
    found = names(State.PLANNING, plan=replace(SURE, **changed), policy=CALM)
    assert found == (["high_cost_approval"] if asks else [])


def test_no_doubt_is_asked_about_unless_wished():
    doubts = EvidenceFacts(contradictions=9, unresolved=9, severe_gaps=2)
    report = ReportFacts(hallucinations=1, confidence=0.1, failed_claims=9)
    assert names(State.ANALYZING, evidence=doubts, policy=CALM) == []
    assert names(State.VERIFYING, report=report, policy=CALM) == []


def test_quotes_of_little_confidence_are_not_asked_about():
    report, by_rules = ReportFacts(confidence=0.1), Policy(is_quoted=True)
    assert names(State.VERIFYING, report=report, policy=by_rules) == []


def test_a_plan_needs_consent_where_its_owner_wishes_to_see_every_plan():
    found = names(State.PLANNING, plan=SURE, policy=Policy(auto_approve=False))
    assert found == ["high_cost_approval"]


def test_the_planners_questions_are_asked_before_its_price():
    dear = replace(SURE, questions=1, cost_share=0.9)
    assert names(State.PLANNING, plan=dear) == ["plan_clarification", "high_cost_approval"]


@pytest.mark.parametrize(("unresolved", "asks"), [(2, False), (3, False), (4, True)])
def test_more_than_three_open_conflicts_are_asked_about(unresolved, asks):
    found = names(State.ANALYZING, evidence=EvidenceFacts(contradictions=9, unresolved=unresolved))
    assert bool(found) is asks


def test_conflicts_block_and_so_come_before_gaps_of_the_same_priority():
    facts = EvidenceFacts(contradictions=4, unresolved=4, severe_gaps=1)
    assert names(State.ANALYZING, evidence=facts) == ["unresolved_contradictions", "critical_data_gaps"]


@pytest.mark.parametrize(("confidence", "asks"), [(None, False), (0.59, True), (0.6, False), (0.61, False)])
def test_a_report_that_is_trusted_little_is_asked_about(confidence, asks):
    found = names(State.VERIFYING, report=ReportFacts(confidence=confidence))
    assert found == (["low_verification_confidence"] if asks else [])


@pytest.mark.parametrize(("failed", "asks"), [(5, False), (6, True)])
def test_a_report_of_which_many_claims_failed_is_asked_about(failed, asks):
    found = names(State.VERIFYING, report=ReportFacts(confidence=0.9, failed_claims=failed))
    assert bool(found) is asks


def test_what_is_made_up_goes_before_everything_else():
    report = ReportFacts(hallucinations=1, confidence=0.1, failed_claims=9)
    assert names(State.VERIFYING, report=report) == ["hallucination_detected", "low_verification_confidence"]


def test_a_run_that_asks_nobody_has_no_rule():
    report = ReportFacts(hallucinations=1)
    assert names(State.VERIFYING, report=report, policy=Policy(asks_people=False)) == []


def test_where_the_sources_do_not_answer_there_is_nothing_to_ask():
    evidence = EvidenceFacts(is_insufficient=True, severe_gaps=2)
    assert names(State.ANALYZING, evidence=evidence) == []


def test_a_rule_about_a_state_that_the_recipe_lacks_never_applies():
    evidence = EvidenceFacts(severe_gaps=1)
    assert names(State.ANALYZING, used=frozenset({State.PLANNING}), evidence=evidence) == []


def test_a_review_state_has_the_rules_that_lead_to_it():
    evidence = EvidenceFacts(contradictions=4, unresolved=4, severe_gaps=1)
    assert names(State.HUMAN_REVIEW_GAPS, evidence=evidence) == ["critical_data_gaps"]
