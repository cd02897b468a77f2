"""Other words for an open part of a question, and other names of what it is about."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.extractive.question.parsed_question import analyse
from research.pipelines.common.report_name_definitions import find_other_names, rename
from research.pipelines.report.looking_again.reword_open_report_parts import MAX_QUERIES, reword

TRAM = "How many passengers does the Quimby tram carry and how many accidents were reported?"
texts = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=120)


def test_a_part_is_joined_to_what_the_question_is_about():
    found = reword("how many accidents were reported", analyse(TRAM), ["Trams of Quimby"], {}, ())
    assert found[0] == "Quimby tram accidents"
    assert "Quimby tram" in found


def test_what_was_asked_before_is_not_asked_again_in_another_order():
    asked = ["accidents tram quimby"]
    found = reword("how many accidents were reported", analyse(TRAM), ["Trams of Quimby"], {}, asked)
    assert "Quimby tram accidents" not in found


def test_the_kind_of_answer_adds_words_in_the_question_s_language():
    question = "Wann wurde die Veldt-Brücke eröffnet und wie viel Prozent der Kosten trug das Land?"
    found = reword("wann wurde sie eröffnet", analyse(question), [], {}, ())
    assert not any("date" in query.split() for query in found)


def test_another_name_comes_first():
    question = analyse("How long is the Aster network and what is its NRW?")
    found = reword("what is its NRW", question, [], {"NRW": "non-revenue water"}, ())
    assert "non-revenue water" in found[0]


@given(part=texts, question=texts, titles=st.lists(texts, max_size=3), asked=st.lists(texts, max_size=3))
def test_whatever_is_asked_a_few_queries_come_and_none_twice(part, question, titles, asked):
    found = reword(part, analyse(question), titles, {}, asked)
    keys = [sorted(query.casefold().split()) for query in found]
    assert len(found) <= MAX_QUERIES
    assert all(keys.count(key) == 1 for key in keys)


@pytest.mark.parametrize(
    ("asked", "source", "names"),
    [
        ("What is its NRW?", "Non-revenue water (NRW) is lost.", {"NRW": "Non-revenue water"}),
        (
            "What is the SPF?",
            "The seasonal performance factor (SPF) fell.",
            {"SPF": "seasonal performance factor"},
        ),
        ("the non-revenue water of Aster", "NRW (non-revenue water) fell.", {"non-revenue water": "NRW"}),
        ("What is its NRW?", "The town of Aster (NRW) grew.", {}),
        ("What is its XYZ?", "Non-revenue water (NRW) is lost.", {}),
        ("What does it say?", "It works (IW) well.", {}),
    ],
)
def test_a_short_form_is_known_by_the_source_that_defines_it(asked, source, names):
    assert find_other_names(asked, [source]) == names


def test_a_name_is_replaced_as_a_whole_word():
    assert rename("NRW and NRWs", {"NRW": "water"}) == "water and NRWs"


@given(texts, st.lists(texts, max_size=3))
def test_definitions_are_found_in_any_text(ask_in_library, sources):
    for name in find_other_names(ask_in_library, sources):
        assert name.casefold() in ask_in_library.casefold()


def test_a_word_is_no_short_form_unless_it_is_written_as_one():
    source = ["Fish need dissolved oxygen (DO) in the water."]
    assert find_other_names("How long do I boil an egg?", source) == {}
    assert rename("What is DO in a tank?", find_other_names("What is DO in a tank?", source)) == (
        "What is dissolved oxygen in a tank?"
    )
