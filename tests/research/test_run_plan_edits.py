"""Editing a plan: steps come, go, move and change, and the outline goes along."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.models.schemas import Plan, PlannedSection, Subtopic
from research.runs.run_plan_edits import (
    MAX_STEPS,
    PlanEditRefused,
    with_changed_step,
    with_goal,
    with_moved_step,
    with_step,
    without_step,
)


def step(name, sources=5):
    return Subtopic(name=name, queries=[f"about {name}"], target_sources=sources)


def plan_of(*names, intro=False):
    sections = [PlannedSection(heading=name, subtopic=name) for name in names]
    first = [PlannedSection(heading="Introduction")] if intro else []
    return Plan(goal="Know", subtopics=[step(name) for name in names], outline=first + sections)


def names(plan):
    return [subtopic.name for subtopic in plan.subtopics]


def headings(plan):
    return [one.heading for one in plan.outline]


def test_a_step_is_added_at_the_end_with_a_section_of_its_own():
    plan = with_step(plan_of("trials", "costs"), step("noise", 7))
    assert names(plan) == headings(plan) == ["trials", "costs", "noise"]
    assert plan.estimated_sources == 17


def test_a_step_less_never_makes_a_plan_want_more():
    whole = Plan(
        goal="Know", subtopics=[step("all of it", 30), step("costs"), step("noise")], estimated_sources=30
    )
    less = without_step(whole, 2)
    assert less.estimated_sources == 30  # its parts' sources were among those of the whole
    assert with_step(less, step("trials", 7)).estimated_sources == 37


def test_a_plan_without_an_outline_gets_none_by_a_step():
    bare = Plan(goal="Know", subtopics=[step("trials")])
    assert with_step(bare, step("costs")).outline == []


def test_a_step_goes_with_its_sections():
    plan = without_step(plan_of("trials", "costs", intro=True), 0)
    assert (names(plan), headings(plan)) == (["costs"], ["Introduction", "costs"])


def test_the_last_step_stays():
    with pytest.raises(PlanEditRefused, match="at least one step"):
        without_step(plan_of("trials"), 0)


def test_a_step_moves_with_its_section_and_the_introduction_stays_first():
    plan = with_moved_step(plan_of("trials", "costs", "noise", intro=True), 2, -1)
    assert names(plan) == ["trials", "noise", "costs"]
    assert headings(plan) == ["Introduction", "trials", "noise", "costs"]


@pytest.mark.parametrize(("index", "by"), [(0, -1), (1, 1)])
def test_no_step_moves_beyond_the_ends(index, by):
    with pytest.raises(PlanEditRefused, match="already at the end"):
        with_moved_step(plan_of("trials", "costs"), index, by)


def test_a_renamed_step_takes_its_section_along_but_not_a_heading_of_its_own():
    plan = plan_of("trials", "costs")
    plan.outline[1].heading = "What it costs"
    renamed = with_changed_step(with_changed_step(plan, 0, step("field trials")), 1, step("prices"))
    assert names(renamed) == ["field trials", "prices"]
    assert headings(renamed) == ["field trials", "What it costs"]
    assert [one.subtopic for one in renamed.outline] == ["field trials", "prices"]


def test_a_step_may_keep_its_name_in_other_letters_but_not_take_anothers():
    plan = plan_of("trials", "costs")
    assert names(with_changed_step(plan, 0, step("Trials"))) == ["Trials", "costs"]
    with pytest.raises(PlanEditRefused, match="Another step"):
        with_changed_step(plan, 0, step("Costs"))
    with pytest.raises(PlanEditRefused, match="Another step"):
        with_step(plan, step("COSTS"))


@pytest.mark.parametrize("index", [-1, 2])
def test_a_step_that_is_gone_is_not_edited(index):
    for edit in (without_step, lambda p, i: with_moved_step(p, i, 1)):
        with pytest.raises(PlanEditRefused, match="no longer has this step"):
            edit(plan_of("trials", "costs"), index)


def test_a_plan_has_only_so_many_steps():
    plan = plan_of(*(f"step {n}" for n in range(MAX_STEPS - 1)))
    full = with_step(plan, step("one more"))
    with pytest.raises(PlanEditRefused, match="at most 30"):
        with_step(full, step("too many"))


def test_the_goal_is_put_in_other_words():
    assert with_goal(plan_of("trials"), "Know better").goal == "Know better"


EDITS = st.lists(st.tuples(st.sampled_from(["add", "remove", "up", "down", "rename"]), st.integers(0, 6)))


def edit_plan(plan, act, index, number):
    try:
        if act == "add":
            return with_step(plan, step(f"new {number}"))
        if act == "remove":
            return without_step(plan, index)
        if act == "rename":
            return with_changed_step(plan, index, step(f"renamed {number}"))
        return with_moved_step(plan, index, -1 if act == "up" else 1)
    except PlanEditRefused:
        return plan


@given(EDITS)
def test_however_a_plan_is_edited_its_outline_names_each_step_once_and_in_order(edits):
    plan = plan_of("a", "b", "c", intro=True)
    for number, (act, index) in enumerate(edits):
        plan = edit_plan(plan, act, index, number)
    assert [one.subtopic for one in plan.outline if one.subtopic] == names(plan)
    assert headings(plan)[0] == "Introduction"
    assert len(set(names(plan))) == len(plan.subtopics) >= 1
    assert Plan.model_validate(plan.model_dump()) == plan
    assert not edits or plan.estimated_sources in (0, 5 * len(plan.subtopics))
