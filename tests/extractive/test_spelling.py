"""Misspelled words are read as the library spells them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.extractive.question.adapt_question_to_library import with_spelling
from research.extractive.question.answer_forms import AnswerForm
from research.extractive.question.parsed_question import analyse
from research.extractive.question.question_spelling import correct, edit_distance, generate_slips

KNOWN = {
    "logic": 7,
    "script": 5,
    "minimum": 4,
    "length": 40,
    "light": 3,
    "session": 20,
    "pressure": 9,
    "valve": 30,
    "valves": 2,
}


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("lenght", "length"),
        ("sesion", "session"),
        ("presurre", "pressure"),
        ("vavle", "valve"),
        ("minumum", "minimum"),
        ("engine", None),
        ("login", None),
        ("scrypt", None),
    ],
)
def test_the_nearest_word_is_meant(typed, meant):
    assert correct(typed, KNOWN) == meant


@pytest.mark.parametrize(("typed", "meant"), [("amout", "amount"), ("relyable", "reliable")])
def test_the_nearest_english_word_is_meant_also_if_another_is_more_frequent(typed, meant):
    spelled = with_spelling(analyse(f"valve {typed}"), KNOWN | {"amount": 3}, [typed, "relyabl"])
    assert spelled.wording == f"valve {meant}"


def test_short_words_and_figures_are_left_alone():
    assert correct("val", KNOWN) is None
    assert correct("le9gth", KNOWN) is None


def test_the_question_is_asked_in_the_librarys_spelling():
    question = analyse("valve lenght")
    spelled = with_spelling(question, KNOWN, ["lenght"])
    assert spelled.text == "valve lenght"
    assert spelled.wording == "valve length"


@given(st.text("abcdef", max_size=7), st.text("abcdef", max_size=7))
def test_distance_is_symmetric_and_zero_for_equal_words_alone(a, b):
    assert edit_distance(a, b, 9) == edit_distance(b, a, 9)
    assert (edit_distance(a, b, 9) == 0) == (a == b)


def test_a_name_is_taken_for_another_only_if_one_letter_is_wrong():
    known = {"aquastat": 12, "aqualine": 3}
    other = analyse("How does Aquastarium compare with Aqualine?")
    assert with_spelling(other, known, ["aquastarium"]) is other
    slip = analyse("How does Aqualnie work?")
    assert with_spelling(slip, known, ["aqualni", "aqualnie"]).wording == "How does aqualine work?"


def test_a_word_of_english_stays_as_it_was_typed():
    question = analyse("How did the cost rise?")
    assert with_spelling(question, {"rose": 40, "cost": 3}, ["rise"]) is question


def test_a_word_that_one_source_misspells_is_corrected_to_the_frequent_one():
    question = with_spelling(
        analyse("which paramters tune recall"), {"paramt": 1, "paramet": 80, "recal": 9}, []
    )
    assert "paramters" not in question.wording
    kept = with_spelling(analyse("which paramters tune recall"), {"paramt": 1, "paramet": 2, "recal": 9}, [])
    assert "paramters" in kept.wording


def test_a_slip_is_corrected_if_the_vocabulary_lacks_words_of_one_passage():
    question = with_spelling(
        analyse("which paramters tune recall"), {"parameter": 2, "paramet": 80, "recal": 9}, []
    )
    assert "paramet" in [term.form for term in question.terms]


@pytest.mark.parametrize("word", ["TOTP", "iPhone", "WHERE"])
def test_a_name_with_inner_capitals_stays_as_it_is(word):
    question = analyse(f"What is the {word} filter?")
    assert word in with_spelling(question, {"top": 40, "phone": 40, "here": 40}, [word.lower()]).wording


def test_a_name_of_one_passage_stays_as_it_is():
    question = analyse("Who won the NeurIPS challenge?")
    assert with_spelling(question, {"neurip": 40, "won": 3, "challeng": 9}, []) is question


@pytest.mark.parametrize(
    ("typed", "form"),
    [
        ("diffrence between valves and pumps", AnswerForm.COMPARISON),
        ("recomended valve pressure", AnswerForm.POSITIONS),
        ("valve pressure", AnswerForm.TOPIC),
    ],
)
def test_a_slip_in_a_word_of_the_form_does_not_change_the_form(typed, form):
    """The library need not have the word."""
    question = analyse(typed)
    unknown = [term.form for term in question.terms if term.form not in KNOWN]
    assert with_spelling(question, KNOWN, unknown).form is form


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("why dose the valve leak", "why does the valve leak"),
        ("how doe valves work", "how does valves work"),
        ("wich frames dose it support", "which frames does it support"),
        ("waht si a valve", "what is a valve"),
        ("wat is a valve", "what is a valve"),
        ("wat's a valve", "what's a valve"),
        ("whats a valve", "what's a valve"),
        ("hwo cna I open teh valve", "how can I open the valve"),
        ("Wich valve isnt open?", "Which valve isn't open?"),
        ("why dosen't it open", "why doesn't it open"),
        ("wen did it leak", "when did it leak"),
        ("what dose of iron is safe", "what dose of iron is safe"),
        ("what dose should I take", "what dose should I take"),
        ("which starting dose is safe", "which starting dose is safe"),
        ("dose response", "dose response"),
        ("SI units of wat", "SI units of wat"),
        ("CNA license", "CNA license"),
    ],
)
def test_question_words_and_auxiliaries_are_corrected_in_their_places(typed, meant):
    assert analyse(typed).text == meant


def test_contractions_are_function_words():
    assert [term.surface for term in analyse("why doesn't the valve open, and we're safe").terms] == [
        "valve",
        "open",
        "safe",
    ]


def test_a_word_that_sounds_alike_is_meant_only_where_the_library_has_that_one_alone():
    question = analyse("why do valves close latter")
    assert with_spelling(question, {"later": 3}, ["latter"]).wording == "why do valves close later"
    assert with_spelling(question, {"length": 3}, ["latter"]).wording == question.wording


def test_a_word_that_says_the_opposite_is_no_slip():
    question = analyse("asymmetric valves")
    assert with_spelling(question, {"symmetric": 40}, ["asymmetr"]).wording == "asymmetric valves"


def test_a_whole_word_is_put_in_rather_than_a_stem():
    asked = with_spelling(
        analyse("Is messuring alredy done?"), {"measur": 5, "alreadi": 4}, ["messur", "alredi"]
    )
    assert asked.wording == "Is measuring already done?"


def test_a_word_made_of_another_is_no_slip():
    asked = analyse("How do I get rid of greenfly?")
    assert with_spelling(asked, {"green": 40}, ["greenfli"]) is asked


@given(st.text("abcdefgh", min_size=2, max_size=9))
def test_slips_are_one_edit_away(word):
    slips = generate_slips(word)
    assert word not in slips
    assert all(slip[0] == word[0] and edit_distance(word, slip, 2) <= 2 for slip in slips)
