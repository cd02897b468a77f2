"""A question taken apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.extractive.question.adapt_question_to_library import with_names, with_spelling
from research.extractive.question.parsed_question import TermKind, analyse, find_sides


def names(text):
    return [name.surface for name in analyse(text).names]


def surfaces(text):
    return [term.surface for term in analyse(text).terms]


def test_how_many_there_are_need_not_be_said():
    weights = {term.surface: term.weight for term in analyse("What are the three layers of a well?").terms}
    assert weights["three"] < weights["layers"]


def test_a_name_keeps_its_version():
    assert names("What minimum depth does ACME WG v4.0 require?") == ["ACME WG v4.0"]


def test_a_year_in_brackets_belongs_to_the_name_before_it():
    assert names("What does Guide SP 12-3 Rev. 1 (2016) tell drillers?") == ["Guide SP 12-3 Rev 1 2016"]


@pytest.mark.parametrize("short", ["Conf'21", "Conf’21", "Conf 2021"])
def test_a_short_year_is_the_year_that_sources_are_read_with(short):
    asked = analyse(f"What did the {short} paper find?")
    assert [name.surface for name in asked.names] == ["Conf 2021"]
    assert asked.years == (2021,)


def test_a_year_may_stand_before_its_name():
    assert names("How many took part in the 2021 Well Challenge?") == ["2021 Well Challenge"]


def test_a_small_name_is_a_name_where_a_version_follows():
    assert names("What changed in pumplib 0.8.6 since then?") == ["pumplib 0.8.6"]


def test_another_identifier_after_a_version_is_another_name():
    assert names("What is the default of pumplib 0.8.0 init_pump?") == ["pumplib 0.8.0", "init_pump"]


def test_the_first_word_is_no_name_by_its_capital():
    assert names("Should pumps be replaced?") == []
    assert names("Minimum depth of wells") == []


def test_the_first_word_is_a_name_when_it_is_an_acronym():
    assert names("SMS codes") == ["SMS"]


def test_names_set_side_by_side_are_marked():
    both = analyse("Is Alphaville larger than Betatown?").names
    assert [name.is_coordinated for name in both] == [True, True]


def test_names_of_one_thing_are_not_side_by_side():
    both = analyse("What does Alphaville say about the valve of Betatown?").names
    assert [name.is_coordinated for name in both] == [False, False]


def test_function_words_are_no_terms():
    assert surfaces("What is the depth of the well?") == ["depth", "well"]


def test_general_notions_bring_other_words_for_them():
    (minimum,) = (term for term in analyse("minimum depth").terms if term.surface == "minimum")
    assert "least" in minimum.alternatives


@pytest.mark.parametrize(
    ("noun", "verb"), [("expiry", "expir"), ("delivery", "deliv"), ("recovery", "recov")]
)
def test_a_noun_is_found_by_its_verb(noun, verb):
    (term,) = analyse(f"{noun} of pumps").terms[:1]
    assert any(other.startswith(verb) for other in term.alternatives)


@pytest.mark.parametrize(("typed", "other"), [("cheap", "cheapest"), ("fastest", "fast"), ("easier", "easi")])
def test_an_adjective_is_found_in_its_other_degrees(typed, other):
    (term,) = analyse(f"{typed} pumps").terms[:1]
    assert other in term.alternatives


def test_names_have_no_other_words():
    assert all(not term.alternatives for term in analyse("What does ACME require?").terms if term.is_specific)


def test_a_measure_is_found_by_its_figure():
    (measure,) = (
        term for term in analyse("a 1536-dimensional vector").terms if term.surface.startswith("1536")
    )
    assert measure.kind is TermKind.WORD
    assert measure.alternatives == ("1536", "1536d")


def test_a_question_about_change_has_a_range_of_years():
    question = analyse("How has the limit changed from 2019 to 2023?")
    assert question.asks_change
    assert question.year_range == (2019, 2023)


def test_two_years_alone_are_no_range():
    assert analyse("What was the limit in 2020 and in 2022?").year_range is None


def test_a_double_question_has_two_parts():
    question = analyse("How deep is the well, and when was it drilled?")
    assert question.parts == ("How deep is the well", "when was it drilled")


def test_a_single_question_is_its_own_part():
    assert analyse("How deep are wells and pits?").parts == ("How deep are wells and pits?",)


@given(st.text(max_size=300))
def test_any_text_can_be_taken_apart(text):
    question = analyse(text)
    assert all(0 < term.weight <= 1 for term in question.terms)
    assert question.kinds


@given(st.text(max_size=200))
def test_the_same_text_gives_the_same_question(text):
    assert analyse(text) == analyse(text)


def test_days_and_months_are_no_names():
    assert names("How do I fill a Lumen tank every Monday in March?") == ["Lumen"]


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("Which is better, Lumen or Norfell?", ("Lumen", "Norfell")),
        ("What is the difference between Lumen, Norfell and Cask?", ("Lumen", "Norfell", "Cask")),
        ("Is it true that a long pipe is better than a wide one?", ("long pipe", "wide one")),
        ("What's faster: Lumen or Norfell?", ("Lumen", "Norfell")),
        ("bcrypt or argon2: which should I use?", ("bcrypt", "argon2")),
        ("A gas boiler or a heat pump - what is cheaper?", ("gas boiler", "heat pump")),
        ("Is a tiled stove ever better than a boiler?", ("tiled stove", "boiler")),
    ],
)
def test_things_set_side_by_side_are_found(text, sides):
    assert find_sides(text) == sides


def test_a_plural_with_a_slip_is_spelled_by_its_stem():
    question = analyse("pump paramters")
    unknown = [term.form for term in question.terms]
    assert with_spelling(question, {"pump": 3, "paramet": 5}, unknown[1:]).terms[1].form == "paramet"


def test_a_word_that_the_library_lacks_is_not_spelled_as_another():
    question = analyse("What is credential stuffing?")
    assert with_spelling(question, {"credenti": 9, "stuff": 5}, [question.terms[1].form]) is question


def test_an_order_behind_the_question_names_nothing():
    asked = analyse("Which hashers does Django support? List them.")
    assert [name.surface for name in asked.names] == ["Django"]


def test_a_word_of_a_title_that_is_not_english_is_a_name():
    question = with_names(
        analyse("how fast is pumplib with long pipes"), {"pumplib", "pipe", "guide"}.__contains__
    )
    assert [name.surface for name in question.names] == ["pumplib"]
    assert not with_names(analyse("how long are pipes"), {"pipe"}.__contains__).names
    both = with_names(analyse("pumplib vs wellkit"), {"pumplib", "wellkit"}.__contains__)
    assert [name.is_coordinated for name in both.names] == [True, True]


def test_this_year_is_the_span_of_a_question_about_changes():
    assert analyse("What changed in Pumplib this year?", 2026).time.first == 2026


def test_what_a_source_says_is_asked_by_the_first_part_alone():
    question = analyse("What does the Pumplib guide say about pausing, and is there a workaround?")
    assert question.matter_without(()) == "pausing"


@pytest.mark.parametrize(
    ("question", "sides"),
    [
        (
            "whats the difference between a total and an annular solar eclipse",
            ("total solar eclipse", "annular solar eclipse"),
        ),
        ("compare true and mean equator", ("true equator", "mean equator")),
        ("civil vs nautical twilight", ("civil twilight", "nautical twilight")),
        ("difference between TCP and UDP sockets", ("TCP sockets", "UDP sockets")),
        ("difference between civil, nautical and astronomical twilight",
         ("civil twilight", "nautical twilight", "astronomical twilight")),
        ("difference between bcrypt and the scrypt function", ("bcrypt", "scrypt function")),
        ("difference between authentication and user authorization", ("authentication", "user authorization")),
        ("difference between salt and secret pepper", ("salt", "secret pepper")),
        ("difference between Django and Flask applications", ("Django", "Flask applications")),
        ("difference between a list and a linked list", ("list", "linked list")),
        ("difference between stars and planets", ("stars", "planets")),
    ],
)  # fmt: skip
def test_an_adjective_has_the_noun_that_the_sides_share(question, sides):
    assert analyse(question).sides == sides
