"""The table is whole, and exits are taken in its order."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.engine.pipeline_registry import Policy
from research.engine.states import state_exit_conditions as when
from research.engine.states.state_context import (
    EvidenceFacts,
    PlanFacts,
    ReportFacts,
    RunContext,
    SourceFacts,
    StateProgress,
)
from research.engine.states.state_machine import PATH, STATES, exit_for, is_open, next_used, rolls_back_to
from research.models import FINISHED, WAITING, AgentRole, State
from tests.engine.contexts import contexts

ALL = frozenset(State)
SPECIFIED = {
    State.PLANNING: (300, 3, AgentRole.PLANNER, False, True, None),
    State.COLLECTING: (1800, 5, AgentRole.RESEARCHER, True, False, State.PLANNING),
    State.READING: (2400, 3, AgentRole.EXTRACTOR, True, False, State.COLLECTING),
    State.ANALYZING: (1200, 2, AgentRole.ANALYZER, False, True, State.READING),
    State.SYNTHESIZING: (1800, 3, AgentRole.WRITER, True, False, State.ANALYZING),
    State.CITING: (600, 2, AgentRole.VERIFIER, True, False, State.SYNTHESIZING),
    State.VERIFYING: (900, 2, AgentRole.VERIFIER, True, True, State.SYNTHESIZING),
    State.EXPORTING: (600, 2, AgentRole.ORCHESTRATOR, True, False, State.VERIFYING),
}


def test_every_state_has_its_row():
    assert set(STATES) == set(State)


@pytest.mark.parametrize(("state", "row"), SPECIFIED.items())
def test_a_row_is_as_specified(state, row):
    spec = STATES[state]
    assert (spec.limit_s, spec.retries, spec.role, spec.parallel, spec.person, spec.rollback) == row


def test_only_the_ends_and_the_pause_before_a_retry_have_no_exit():
    without = {state for state, spec in STATES.items() if not spec.exits}
    assert without == FINISHED | {State.RETRYING}


def test_every_exit_that_fails_a_run_has_a_reason():
    from research.engine.states.step_failures import DEFINITIONS

    codes = {
        one.code for spec in STATES.values() for one in spec.exits if one.to is State.FAILED and one.code
    }
    assert codes <= set(DEFINITIONS)


def test_every_state_can_be_reached():
    reached, edge = set(), {State.CREATED}
    while edge:
        reached |= edge
        edge = {one.to for state in edge for one in STATES[state].exits} - reached
    assert reached == ALL - {State.CANCELLED, State.RETRYING}  # these two are entered by the machine itself


@given(contexts, st.frozensets(st.sampled_from(list(State))))
def test_the_exit_is_the_first_that_holds(context, used):
    found = exit_for(context, used)
    exits = list(STATES[context.state].exits)
    if found is not None:
        assert found.when(context)
        earlier = exits[: exits.index(found)]
        assert not [one for one in earlier if one.when(context) and is_open(one.to, used, context.policy)]


@given(contexts)
def test_while_work_goes_on_in_good_time_no_run_is_failed_or_sent_to_a_person(context):
    going = replace(context, work=StateProgress(unfinished=1, time_share=0.5))
    found = exit_for(going, ALL)
    if found is not None and context.state not in WAITING and context.state is not State.CREATED:
        assert found.to in PATH
        assert found.to is not State.COMPLETED


@given(contexts)
def test_a_failure_that_ends_the_run_comes_before_all_else(context):
    bad = replace(context, state=State.ANALYZING, work=replace(context.work, failure_code="DATA_CORRUPTION"))
    found = exit_for(bad, ALL)
    assert found is not None
    assert found.to is State.FAILED


@given(st.frozensets(st.sampled_from(PATH)), st.sampled_from(PATH))
def test_states_that_a_recipe_does_not_use_are_passed_over_forwards(used, state):
    to = next_used(state, used)
    assert to is State.COMPLETED or to in used or to is state
    assert PATH.index(to) >= PATH.index(state)


@given(contexts)
def test_a_run_that_asks_nobody_waits_for_nobody(context):
    found = exit_for(replace(context, policy=replace(context.policy, asks_people=False)), ALL)
    assert found is None or found.to not in WAITING


@given(contexts)
def test_a_run_that_does_not_ask_about_doubts_waits_for_its_plan_alone(context):
    found = exit_for(replace(context, policy=replace(context.policy, asks_about_doubts=False)), ALL)
    assert found is None or found.to not in WAITING - {State.HUMAN_REVIEW_PLAN}


# --- the order of precedence, row by row -------------------------------------------------------

CHECKED = ReportFacts(planned_sections=1, written_sections=1, claims=9, cited_claims=9, verdict="passed")
EXHAUSTED = Policy(minimum_sources=10, search_is_exhausted=True)
NARROW = EvidenceFacts(scope_gaps=1, severe_gaps=1)
COVERED = {"plan": PlanFacts(subtopics=2), "sources": SourceFacts(found=2, usable=2, coverage=1)}
# What holds of a run at once, and the exit that it is then to leave by.
BOTH = {
    "a large plan, though it is trusted": (
        State.PLANNING, {"plan": PlanFacts(11, 0.9)}, when.plan_needs_a_person),
    "a small plan that is trusted": (State.PLANNING, {"plan": PlanFacts(1, 0.8)}, when.plan_is_approved),
    "a small plan that is not trusted": (State.PLANNING, {"plan": PlanFacts(1, 0.79)}, when.plan_exists),
    "too few sources, all searched": (
        State.COLLECTING, {"policy": EXHAUSTED, "sources": SourceFacts(found=4)}, when.sources_are_far_too_few),
    "no source, another plan left": (
        State.COLLECTING, {"policy": EXHAUSTED}, when.sources_are_far_too_few),
    "no source, no plan left": (
        State.COLLECTING, {"policy": EXHAUSTED, "replans": 2}, when.there_is_no_source),
    "enough, but of one subtopic": (
        State.COLLECTING, {"policy": EXHAUSTED, "sources": SourceFacts(found=9, starved_share=0.5)},
        when.subtopics_failed),
    "few, and no plan left": (
        State.COLLECTING, {"policy": EXHAUSTED, "replans": 2, "sources": SourceFacts(found=4)},
        when.nothing_more_can_be_found),
    "a thin answer to nothing": (
        State.ANALYZING,
        {"plan": PlanFacts(subtopics=2), "evidence": EvidenceFacts(is_insufficient=True)},
        when.coverage_is_too_low),
    "no answer, and no plan left": (
        State.ANALYZING,
        {"plan": PlanFacts(subtopics=2), "replans": 2, "evidence": EvidenceFacts(is_insufficient=True)},
        when.evidence_is_insufficient),
    "too narrow, and in conflict": (
        State.ANALYZING, COVERED | {"evidence": replace(NARROW, contradictions=9, unresolved=9)},
        when.scope_is_too_narrow),
    "no answer, though in conflict": (
        State.ANALYZING,
        COVERED | {"evidence": EvidenceFacts(9, 9, is_insufficient=True)},
        when.evidence_is_insufficient),
    "conflicts before gaps": (
        State.ANALYZING, COVERED | {"evidence": EvidenceFacts(9, 4, 1)}, when.conflicts_need_a_person),
    "gaps, though all is resolved": (
        State.ANALYZING, COVERED | {"evidence": EvidenceFacts(0, 0, 1)}, when.gaps_need_a_person),
    "three of thirty open": (
        State.ANALYZING, COVERED | {"evidence": EvidenceFacts(30, 3)}, when.analysis_is_complete),
    "three of three open": (
        State.ANALYZING, COVERED | {"evidence": EvidenceFacts(3, 3)}, when.analysis_is_done_with_open_conflicts),
    "no answer, though all is written": (
        State.SYNTHESIZING, {"report": CHECKED, "evidence": EvidenceFacts(is_insufficient=True)},
        when.evidence_is_insufficient),
    "no answer, though all is cited": (
        State.CITING, {"report": CHECKED, "evidence": EvidenceFacts(is_insufficient=True)},
        when.evidence_is_insufficient),
    "no answer, though all is verified": (
        State.VERIFYING, {"report": CHECKED, "evidence": EvidenceFacts(is_insufficient=True)},
        when.evidence_is_insufficient),
    "passed, though claims lack evidence": (
        State.VERIFYING, {"report": CHECKED, "policy": Policy(may_seek_support=True)}, when.claims_lack_evidence),
    "passed, though six failed": (
        State.VERIFYING, {"report": replace(CHECKED, failed_claims=6)}, when.report_needs_a_person),
    "six failed, a revision left": (
        State.VERIFYING, {"report": ReportFacts(failed_claims=6, verdict="failed")}, when.report_needs_a_person),
    "five failed, a revision left": (
        State.VERIFYING, {"report": ReportFacts(failed_claims=5, verdict="failed")}, when.report_can_be_revised),
    "made up, no revision left": (
        State.VERIFYING, {"revisions": 3, "report": ReportFacts(hallucinations=1, verdict="failed")},
        when.report_needs_a_person),
    "five failed, no revision left": (
        State.VERIFYING, {"revisions": 3, "report": ReportFacts(failed_claims=5, verdict="failed")},
        when.revisions_are_spent),
}  # fmt: skip


@pytest.mark.parametrize(("state", "facts", "exit_by"), BOTH.values(), ids=BOTH)
def test_of_two_exits_that_hold_the_earlier_is_taken(state, facts, exit_by):
    found = exit_for(RunContext(state, retries=5, **facts), ALL)
    assert found is not None
    assert found.when is exit_by


@pytest.mark.parametrize("state", [state for state in STATES if STATES[state].limit_s])
def test_a_failure_that_ends_the_run_is_the_first_exit_of_every_state_but_the_last(state):
    first = STATES[state].exits[0].when
    assert (first is when.a_failure_ends_the_run) is (state is not State.EXPORTING)


@pytest.mark.parametrize("state", sorted(WAITING))
def test_a_person_may_ask_for_another_plan_in_every_review(state):
    wish = RunContext(state, decision="revised", wants_replan=True)
    assert exit_for(wish, ALL).to is State.REPLANNING
    for spent in (exit_for(replace(wish, replans=2), ALL), exit_for(wish, ALL - {State.REPLANNING})):
        assert spent.when is when.a_person_approved


@pytest.mark.parametrize("state", [state for state in STATES if STATES[state].rollback])
def test_a_state_that_lacks_what_it_needs_goes_back_to_where_that_is_made(state):
    empty = RunContext(state)
    assert rolls_back_to(empty, ALL) is STATES[state].rollback
    assert rolls_back_to(empty, ALL - {STATES[state].rollback}) is None
    full = replace(empty, plan=PlanFacts(1), sources=SourceFacts(1, 1), report=replace(CHECKED, claims=1))
    assert rolls_back_to(full, ALL) is None


def test_only_the_first_state_of_work_has_nowhere_to_go_back_to():
    assert {state for state in STATES if STATES[state].limit_s and not STATES[state].rollback} == {
        State.PLANNING,
        State.REPLANNING,
    }
