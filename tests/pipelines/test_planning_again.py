"""Another plan by rules, and what of the old one stays: pure."""

from dataclasses import replace

import pytest

from citations.credibility.credibility_evidence_gaps import NARROW_SCOPE, narrow_scope, unsought
from research.engine.states.state_replanning import Cause
from research.models import PlanTrigger, State
from research.models.schemas import Plan
from research.pipelines.report.replanning.replan_report_by_model import question_of, with_what_stays
from research.pipelines.report.replanning.replan_report_by_rules import MAX_SUBTOPICS, widen_plan
from research.pipelines.report.replanning.report_replanning_prompt import ReplanPromptInput
from research.pipelines.report.replanning.store_new_report_plan import map_moved_subtopics
from research.pipelines.report.report_config import ReportConfig
from research.runs.run_estimate import EstimateRates
from research.runs.run_plan_diff import difference

QUESTION = "What do heat pumps cost in Norway?"
CAUSE = Cause(PlanTrigger.INSUFFICIENT_SOURCES, State.COLLECTING)


def plan(*subtopics: tuple[str, list[str]], **columns: object) -> Plan:
    rows = [{"name": name, "queries": queries, "target_sources": 4} for name, queries in subtopics]
    return Plan.model_validate({"goal": QUESTION, "subtopics": rows, "estimated_sources": 8, **columns})


OLD = plan(("Costs", [QUESTION, "heat pump cost 2024"]), ("Norway", ["Norway heat pumps"]))
TOLD = ReplanPromptInput(
    topic=QUESTION,
    config=ReportConfig(),
    plan=OLD,
    cause=CAUSE,
    terms=EstimateRates({}, 1.0),
    found={"Costs": 1, "Norway": 2},
    titles={"Costs": ("Subsidy of a pump", "Subsidy and price")},
    asked=frozenset({QUESTION.casefold(), "heat pump cost 2024", "norway heat pumps"}),
    gaps=(),
    failures={},
)


def test_a_subtopic_with_half_of_its_sources_stays_as_it_is():
    assert widen_plan(TOLD).subtopics[1] == OLD.subtopics[1]
    assert [one.name for one in TOLD.thin] == ["Costs"]


def test_what_was_asked_back_is_not_asked_again():
    asking = OLD.model_copy(update={"clarification_questions": ["Homes or offices?"]})
    assert widen_plan(replace(TOLD, plan=asking)).clarification_questions == []


def test_a_thin_subtopic_is_asked_in_other_words():
    queries = widen_plan(TOLD).subtopics[0].queries
    assert queries[:2] == OLD.subtopics[0].queries
    assert 1 <= len(queries[2:]) <= 2
    assert not {query.casefold() for query in queries[2:]} & TOLD.asked


def test_what_was_asked_in_those_words_is_not_asked_again():
    new = widen_plan(TOLD).subtopics[0].queries[2:]
    again = widen_plan(replace(TOLD, asked=TOLD.asked | {query.casefold() for query in new}))
    assert not set(again.subtopics[0].queries[2:]) & set(new)


def test_what_the_question_names_gets_a_subtopic_and_a_section_of_its_own():
    told = replace(TOLD, plan=plan(("Costs", [QUESTION])), found={"Costs": 4})
    change = difference(told.plan, widen_plan(told))
    [added] = change.subtopics.added
    assert (added.name, added.queries[0]) == ("Norway", "Norway")
    assert [one.heading for one in change.sections.added] == ["Norway"]
    assert change.after.sources == change.before.sources + added.target_sources


def test_what_the_owner_says_is_looked_for():
    note = "  Look at\nrented homes. "
    told = replace(TOLD, cause=replace(CAUSE, note=note), found={"Costs": 4, "Norway": 4})
    [added] = difference(OLD, widen_plan(told)).subtopics.added
    assert added.name == "Look at rented homes."


def test_where_nothing_is_left_to_look_for_the_plan_is_the_same():
    told = replace(TOLD, found={"Costs": 2, "Norway": 2})
    assert difference(OLD, widen_plan(told)).is_empty


def test_a_plan_does_not_grow_beyond_what_needs_nobody_s_consent():
    many = plan(*((f"Part {number}", ["q"]) for number in range(MAX_SUBTOPICS)))
    wide = widen_plan(replace(TOLD, plan=many, cause=replace(CAUSE, note="More.")))
    assert len(wide.subtopics) == MAX_SUBTOPICS


def test_a_very_long_wish_becomes_a_name_of_bearable_length():
    told = replace(TOLD, cause=replace(CAUSE, note="word " * 1_000))
    assert all(len(subtopic.name) <= 150 for subtopic in widen_plan(told).subtopics)
    assert all(len(query) <= 300 for subtopic in widen_plan(told).subtopics for query in subtopic.queries)


def test_sources_follow_a_subtopic_to_its_new_name():
    renamed = plan(("Prices", [QUESTION, "heat pump cost 2024"]), ("Noise", ["noise"]))
    assert map_moved_subtopics(difference(OLD, renamed)) == {"Norway": "", "Costs": "Prices"}


def test_what_the_owner_told_the_run_to_have_stays_in_a_model_s_plan():
    asked = {"name": "Noise", "queries": ["noise"], "is_asked": True}
    old = Plan.model_validate(
        {
            "goal": "g",
            "subtopics": [{"name": "Costs", "queries": ["q"]}, asked],
            "outline": [{"heading": "Noise", "subtopic": "Noise", "is_asked": True}, {"heading": "Costs"}],
            "risks": ["Old figures."],
        }
    )
    stays = with_what_stays(plan(("Prices", ["price"])), old)
    assert [subtopic.name for subtopic in stays.subtopics] == ["Prices", "Noise"]
    assert [one.heading for one in stays.outline] == ["Noise"]
    assert stays.risks == ["Old figures."]
    again = with_what_stays(stays, old)
    assert (again.subtopics, again.outline) == (stays.subtopics, stays.outline)


def test_the_model_is_told_codes_of_failures_and_no_words_of_pages():
    told = replace(TOLD, failures={"TIMEOUT": 2, "BLOCKED": 1}, gaps=("Nothing on noise.",))
    values = question_of(told).values
    assert values["failures"] == ["BLOCKED: 1", "TIMEOUT: 2"]
    assert values["gaps"] == ("Nothing on noise.",)
    assert not any("Subsidy" in str(value) for value in values.values())  # titles are the sources' own words


@pytest.mark.parametrize(
    ("question", "looked_for", "names"),
    [
        ("What do pumps cost in Norway?", [], ("Norway",)),
        ("What do pumps cost in Norway?", ["What do pumps cost in Norway?"], ("Norway",)),
        ("What do pumps cost in Norway?", ["costs Norway"], ()),
        ("Do pumps harm children and veterans?", ["children"], ("veterans",)),
        ("What do pumps cost?", [], ()),
    ],
)
def test_a_name_is_unsought_until_something_looks_for_it_by_itself(question, looked_for, names):
    assert unsought(question, looked_for) == names


def test_a_narrow_scope_is_a_severe_gap_that_names_what_is_missing():
    [gap] = narrow_scope(["Norway"])
    assert (gap.code, gap.kind, gap.severity) == (NARROW_SCOPE, "gap", "high")
    assert "scope is too narrow" in gap.text
    assert "“Norway”" in gap.text
    assert narrow_scope([]) == ()
