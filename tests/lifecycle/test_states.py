"""The table is whole, and exits are taken in its order."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.lifecycle.context import EvidenceFacts, PlanFacts, ReportFacts, RunContext, SourceFacts, Work
from research.lifecycle.recipe import Policy
from research.lifecycle.states import PATH, STATES, exit_for, next_used
from research.models import FINISHED, WAITING, AgentRole, State

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

counts = st.integers(0, 12)
shares = st.floats(0, 1.5)
contexts = st.builds(
    RunContext,
    state=st.sampled_from([state for state in State if state not in FINISHED]),
    attempt=st.integers(0, 5),
    retries=st.integers(0, 5),
    revisions=st.integers(0, 4),
    replans=st.integers(0, 3),
    decision=st.sampled_from(["", "approved", "rejected", "revised", "expired"]),
    fallback=st.sampled_from(["", "continue", "fail", "degrade"]),
    work=st.builds(
        Work, counts, counts, counts, st.sampled_from(["", "TIMEOUT", "DATA_CORRUPTION"]), time_share=shares
    ),
    plan=st.builds(PlanFacts, counts, st.floats(0, 1), st.integers(0, 300), st.none() | shares, counts),
    sources=st.builds(SourceFacts, counts, counts, counts, st.floats(0, 1)),
    evidence=st.builds(EvidenceFacts, counts, counts, counts, st.booleans()),
    report=st.builds(
        ReportFacts, counts, counts, counts, counts, counts, counts, st.sampled_from(["", "passed", "failed"])
    ),
    policy=st.builds(Policy, counts, st.booleans(), st.booleans()),
)


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
    from research.lifecycle.failures import DEFINITIONS

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
        assert not [
            one
            for one in earlier
            if one.when(context) and (one.to in PATH or one.to in FINISHED or one.to in used)
        ]


@given(contexts)
def test_while_work_goes_on_in_good_time_no_run_is_failed_or_sent_to_a_person(context):
    going = replace(context, work=Work(unfinished=1, time_share=0.5))
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
