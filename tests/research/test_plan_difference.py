"""The difference of two plans: by example, and for all plans."""

from hypothesis import given
from hypothesis import strategies as st

from research.models.schemas import Plan, PlannedSection, Subtopic
from research.runs.run_plan_diff import difference

NAMES = st.sampled_from(["Costs", "costs ", "Limits", "Noise", "Law", "Älter"])
subtopics = st.builds(
    Subtopic,
    name=NAMES,
    description=st.sampled_from(["", "more"]),
    queries=st.lists(st.sampled_from("abcd"), min_size=1, max_size=3),
    target_sources=st.integers(1, 9),
    priority=st.sampled_from(["critical", "important"]),
)
sections = st.builds(PlannedSection, heading=NAMES, target_words=st.integers(1, 500))
plans = st.builds(
    Plan,
    goal=st.sampled_from(["g", "h"]),
    subtopics=st.lists(subtopics, min_size=1, max_size=6),
    outline=st.lists(sections, max_size=6),
    estimated_sources=st.integers(0, 90),
    estimated_cost_usd=st.none() | st.floats(0, 9),
)


def plan(*names: str, **columns: object) -> Plan:
    rows = [Subtopic(name=name, queries=[f"{name} query"]) for name in names]
    return Plan(goal="g", subtopics=rows, **columns)


@given(plans)
def test_a_plan_differs_in_nothing_from_itself(one):
    assert difference(one, one).is_empty


@given(plans, plans)
def test_everything_is_either_kept_or_new_and_either_kept_or_gone(old, new):
    change = difference(old, new)
    for rows, before, after in (
        (change.subtopics, old.subtopics, new.subtopics),
        (change.sections, old.outline, new.outline),
    ):
        kept = len(after) - len(rows.added)
        assert kept == len(before) - len(rows.removed) >= 0
        assert len(rows.changed) <= kept
        assert all(one in after for one in rows.added)
        assert all(one in before for one in rows.removed)


@given(plans, plans)
def test_what_is_added_on_the_way_there_is_removed_on_the_way_back(old, new):
    there, back = difference(old, new), difference(new, old)
    assert there.subtopics.added == back.subtopics.removed
    assert there.sections.removed == back.sections.added
    assert (there.before, there.after) == (back.after, back.before)
    assert there.is_empty == back.is_empty


@given(plans, plans)
def test_a_difference_is_empty_only_between_plans_of_the_same_parts(old, new):
    is_same = (old.goal, old.subtopics, old.outline) == (new.goal, new.subtopics, new.outline)
    assert difference(old, new).is_empty is is_same


@given(plans, plans)
def test_a_change_says_where_and_in_what(old, new):
    for one in difference(old, new).subtopics.changed:
        assert old.subtopics[one.place_before - 1] == one.before
        assert new.subtopics[one.place_after - 1] == one.after
        assert all(getattr(one.before, name) != getattr(one.after, name) for name in one.fields)


@given(st.permutations(["a", "b", "c", "d", "e"]))
def test_without_what_moved_the_order_is_as_it_was(names):
    moved = {
        one.after.name for one in difference(plan("a", "b", "c", "d", "e"), plan(*names)).subtopics.moved
    }
    assert [name for name in names if name not in moved] == [name for name in "abcde" if name not in moved]


def test_as_few_as_possible_have_moved():
    moved = difference(plan("a", "b", "c", "d"), plan("d", "a", "b", "c")).subtopics.moved
    assert [(one.after.name, one.place_before, one.place_after) for one in moved] == [("d", 4, 1)]


def test_what_stands_further_down_because_something_was_added_has_not_moved():
    rows = difference(plan("a", "b"), plan("new", "a", "b")).subtopics
    assert ([one.name for one in rows.added], rows.moved) == (["new"], ())


def test_a_subtopic_under_another_name_is_known_by_its_queries():
    old = plan("Costs", "Limits")
    renamed = old.subtopics[0].model_copy(update={"name": "What it costs"})
    rows = difference(old, old.model_copy(update={"subtopics": [renamed, old.subtopics[1]]})).subtopics
    [change] = rows.changed
    assert (change.before.name, change.after.name, change.fields) == ("Costs", "What it costs", ("name",))
    assert not rows.added
    assert not rows.removed


def test_a_name_in_other_capitals_is_the_same_name():
    rows = difference(plan("Costs"), plan("COSTS")).subtopics
    assert [one.fields for one in rows.changed] == [("name", "queries")]


def test_new_queries_are_named_once_in_the_new_plan_s_order():
    old, new = plan("a", "b"), plan("a", "b", "c")
    new.subtopics[0].queries = ["wide", "a query", "wider"]
    new.subtopics[2].queries = ["wide", "c query"]
    assert difference(old, new).added_queries == ("wide", "c query", "wider")


def test_the_estimates_before_and_after_are_told():
    old = plan("a", estimated_sources=30, estimated_cost_usd=1.5, estimated_tokens=9, estimated_minutes=2)
    change = difference(old, plan("a", estimated_sources=12))
    assert (change.before.sources, change.before.cost_usd, change.before.tokens) == (30, 1.5, 9)
    assert (change.after.sources, change.after.cost_usd) == (12, None)
    assert change.is_empty  # of what is looked for


def test_a_goal_in_other_words_is_told():
    old = plan("a")
    assert difference(old, old.model_copy(update={"goal": "h"})).goal == ("g", "h")
