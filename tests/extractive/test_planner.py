"""The plan for a question over a library."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.extractive.answer_document_cards import Cards
from research.extractive.extractive_planner import MAX_NAME, SUBTOPICS_AT_MOST, plan
from research.extractive.question.parsed_question import analyse
from research.extractive.term_rarity import Rarity

RARE = Rarity(1000, {})


@pytest.fixture
def make_plan(cards):
    return lambda text: plan(analyse(text), cards, RARE, 20)


def topics(made):
    return [topic.name for topic in made.subtopics]


def test_the_question_itself_comes_first(make_plan):
    made = make_plan("How deep must wells be?")
    assert topics(made)[0] == "How deep must wells be"
    assert made.subtopics[0].priority == "critical"


def test_each_thing_asked_is_a_subtopic(make_plan):
    assert "when was it drilled" in topics(make_plan("How deep is the well, and when was it drilled?"))


def test_a_part_is_looked_for_with_the_names_that_it_lacks(make_plan):
    made = make_plan("How deep are the wells of Alphaville, and when were they drilled?")
    (first, second) = (topic for topic in made.subtopics if topic.description.startswith("One of"))
    assert first.queries == ["How deep are the wells of Alphaville"]
    assert second.queries == ["when were they drilled", "Alphaville when were they drilled"]


def test_things_set_side_by_side_are_looked_for_one_by_one(make_plan):
    names = topics(make_plan("Are wells of Alphaville deeper than Betatown?"))
    assert sum(name.startswith(("Alphaville", "Betatown")) for name in names) == 2


def test_each_year_of_a_change_is_looked_for(make_plan):
    names = topics(make_plan("How has the depth of wells changed from 2015 to 2021?"))
    assert {"As of 2015", "As of 2021"} <= set(names)


def test_a_named_document_is_looked_into(make_plan):
    assert "ACME Well Guide 2.0" in topics(make_plan("What does the ACME Well Guide 2.0 require?"))


def test_its_other_edition_is_not(make_plan):
    assert "ACME Well Guide 1.0" not in topics(make_plan("What does the ACME Well Guide 2.0 require?"))


def test_the_outline_follows_the_subtopics(make_plan):
    made = make_plan("How deep is the well, and when was it drilled?")
    assert [section.heading for section in made.outline] == topics(made)


def test_a_question_of_many_words_is_named_by_its_first_ones(make_plan):
    made = make_plan(f"How deep must {'very ' * 200}old wells be?")
    assert {len(name) for name in [*topics(made), made.outline[0].heading]} == {MAX_NAME}


def test_rules_cost_nothing(make_plan):
    assert make_plan("How deep must wells be?").estimated_cost_usd == 0


def test_no_more_sources_are_expected_than_the_library_has(make_plan):
    assert make_plan("How deep must wells be?").estimated_sources == 4


def test_an_unknown_word_lowers_confidence_but_asks_nobody(cards):
    known = plan(analyse("How deep are wells?"), cards, Rarity(10, {"deep": 3, "well": 4}), 5)
    unknown = plan(analyse("How deep are zorgs?"), cards, Rarity(10, {"deep": 3}), 5)
    assert 0.8 <= unknown.confidence < known.confidence == 1.0


@given(st.text(max_size=200))
def test_any_question_gets_a_plan_that_can_be_worked_on(text):
    made = plan(analyse(text), Cards(()), RARE, 5)
    assert 1 <= len(made.subtopics) <= SUBTOPICS_AT_MOST
    assert len(set(topics(made))) == len(made.subtopics)
    assert 0.8 <= made.confidence <= 1.0
    assert all(topic.queries for topic in made.subtopics)


def test_the_matter_is_what_is_not_named():
    assert analyse("What depth does the ACME Guide 2.0 require?").matter == "depth require"
