"""The stored reason why a run left a state."""

from dataclasses import replace
from operator import attrgetter

import pytest
from hypothesis import given, settings

from research.db.tenancy import tenant_context
from research.engine.states import state_exit_conditions
from research.engine.states.state_context import PlanFacts, RunContext, SourceFacts, StateProgress
from research.engine.states.state_exit_reasons import (
    BESIDE_THE_TABLE,
    LOOKED_AT,
    ExitReason,
    facts_for,
    read_exit_reason,
    store_exit_reason,
)
from research.engine.states.state_machine import STATES
from research.models import State, StepStatus
from tests.engine.contexts import contexts
from tests.engine.rows import fresh, sql, steps_of

EXITS = {one.when.__name__ for spec in STATES.values() for one in spec.exits}
# What a property is made of, where that is not told beside it.
MADE_OF = {"sources.is_enough": "sources.sufficiency", "sources.is_saturated": "sources.sufficiency"}
COMPUTED = {"sources.extraction_rate", "evidence.resolved_share", "report.cited_share"}


def with_facts_of(one: RunContext, other: RunContext, paths) -> RunContext:
    """`other`, but for these figures, which are those of `one`."""
    for path in {MADE_OF.get(path, path) for path in paths} - COMPUTED:
        part, _, name = path.rpartition(".")
        value = attrgetter(path)(one)
        change = {part: replace(getattr(other, part), **{name: value})} if part else {name: value}
        other = replace(other, **change)
    return other


def test_every_exit_says_what_it_looks_at():
    assert set(LOOKED_AT) == EXITS
    assert not EXITS & BESIDE_THE_TABLE


@pytest.mark.parametrize("name", sorted(EXITS))
@settings(max_examples=25)  # forty times, once for each exit
@given(one=contexts, other=contexts)
def test_the_figures_that_are_kept_are_those_that_decide(name, one, other):
    predicate = getattr(state_exit_conditions, name)
    assert predicate(with_facts_of(one, other, LOOKED_AT[name])) is predicate(one)


def test_shares_are_kept_with_four_digits():
    context = RunContext(State.READING, sources=SourceFacts(found=3, usable=2))
    facts = facts_for(context, "most_sources_are_unreadable")
    assert (facts["sources.extraction_rate"], facts["sources.found"]) == (0.6667, 3)


def test_what_is_no_exit_of_the_table_has_no_figures_of_its_own():
    assert facts_for(RunContext(State.READING), "no_exit_holds") == {}


def test_the_reason_is_kept_on_the_step_of_the_visit(start_toy, add_step, tenant):
    run = start_toy()
    sql(run, "UPDATE research_run SET state = 'reading', version = 3 WHERE id = %s")
    add_step(run, "3.reading", handler="state.reading")
    with tenant_context(tenant.pk):
        store_exit_reason(
            fresh(run), ExitReason("every_source_is_read", State.ANALYZING, {"sources.found": 4})
        )
    kept = {"exit": "every_source_is_read", "to": "analyzing", "facts": {"sources.found": 4}}
    assert steps_of(run)["3.reading"].output == kept


def test_the_end_of_a_wait_for_a_person_becomes_a_step_of_its_own(start_toy, tenant):
    run = start_toy()
    entered = "state_entered_at = now() - interval '1 hour'"
    sql(run, f"UPDATE research_run SET state = 'human_review_plan', version = 2, {entered} WHERE id = %s")
    with tenant_context(tenant.pk):
        store_exit_reason(
            fresh(run), ExitReason("a_person_approved", State.COLLECTING, {"decision": "approved"})
        )
    step = steps_of(run)["2.human_review_plan"]
    assert (step.status, step.output["exit"], step.step_index) == (
        StepStatus.COMPLETED,
        "a_person_approved",
        1,
    )
    assert (step.completed_at - step.started_at).total_seconds() >= 3600
    assert fresh(run).step_count == 2


def test_a_plan_without_a_price_keeps_none_as_its_share():
    context = RunContext(State.PLANNING, work=StateProgress(), plan=PlanFacts(subtopics=12))
    assert facts_for(context, "plan_needs_a_person")["plan.cost_share"] is None


def test_a_reason_is_read_as_it_was_kept():
    why = ExitReason("every_source_is_read", State.ANALYZING, {"sources.found": 4})
    assert read_exit_reason(why.to_json()) == why
    assert read_exit_reason(why.to_json()).to is State.ANALYZING
    assert read_exit_reason({**why.to_json(), "failures": []}) == why


@pytest.mark.parametrize(
    "broken",
    [
        {"exit": None},
        {"exit": 3},
        {"to": "nowhere"},
        {"to": None},
        {"facts": None},
        {"facts": ["sources.found"]},
    ],
)
def test_an_output_that_holds_no_whole_reason_has_none(broken):
    stored = ExitReason("every_source_is_read", State.ANALYZING, {"sources.found": 4}).to_json()
    assert read_exit_reason({**stored, **broken}) is None
    [name] = broken
    assert read_exit_reason({key: value for key, value in stored.items() if key != name}) is None


def test_a_step_that_kept_no_reason_has_none():
    assert read_exit_reason({}) is None
