"""Questions that set an amount as a condition are answered by what keeps it."""

import pytest

from research.extractive.answerability import judge
from research.extractive.question.answer_forms import AnswerForm
from research.extractive.question.asked_amounts import find_asked_amount
from research.extractive.question.parsed_question import analyse
from tests.extractive.conftest import candidate, hash_vectors


@pytest.mark.parametrize(
    ("question", "kept", "broken"),
    [
        (
            "Which heat pumps deliver more than 7 kilowatts at minus 15 degrees?",
            ["The Aria 12 delivered 8.4 kilowatts.", "It delivers 7,200 watts."],
            ["At minus 15 degrees the Tern 7 delivered 7 kilowatts.", "It needs less than 2 kW."],
        ),
        (
            "Which databases can store at least 2000 dimensions?",
            ["It stores vectors of up to 2,000 dimensions.", "There may be 16,000 dimensions."],
            ["It stores up to 1,024 dimensions.", "A vector has more than 500 dimensions."],
        ),
        (
            "what countries have fewer than 5 million people",
            ["Some 4.9 million people live there."],
            ["It has 5 million people."],
        ),
        (
            "List phones that cost less than 300 euros",
            ["The phone costs €299.", "It was offered for 300 euros, and now costs 250 euros."],
            ["The phone costs 300 euros."],
        ),
    ],
)
def test_sentences_are_told_by_whether_they_keep_the_amount(question, kept, broken):
    asked = find_asked_amount(question)
    assert asked is not None
    assert [asked.is_kept_by(text) for text in kept] == [True] * len(kept)
    assert [asked.is_kept_by(text) for text in broken] == [False] * len(broken)
    assert asked.is_kept_by("The test took 3 weeks.") is None


@pytest.mark.parametrize(
    "question",
    [
        "Should passwords shorter than 8 characters be rejected?",
        "What is the limit for more than 100 users?",
        "Is 12 characters more than enough?",
        "Which pumps were tested in 2019?",
    ],
)
def test_other_questions_set_no_amount(question):
    assert find_asked_amount(question) is None


def test_amount_is_no_word_that_an_answer_must_have_and_its_unit_is():
    asked = analyse("Which heat pumps deliver more than 7 kilowatts?")
    assert asked.form is AnswerForm.LIST
    forms = {term.form for term in asked.terms}
    assert "kilowatt" in forms
    assert "7" not in forms


def test_names_keep_their_terms_among_those_of_the_question():
    asked = analyse("Which heat pumps have a coefficient of performance of at least 3.5 in Lund?")
    forms = {term.form for term in asked.terms}
    assert all(term.form in forms for name in asked.names for term in name.terms)


WELLS = [
    candidate("manual", f"The well in {place} is {depth} metres deep.")
    for place, depth in (("Arden", 25), ("Bree", 31), ("Calder", 44), ("Dunmore", 12))
]


def test_only_what_keeps_the_amount_answers(ranker):
    of = ranker("Which wells are more than 30 metres deep?")
    ranked = of.rank([*WELLS, candidate("blog", "Wells of more than one owner are deep.")], hash_vectors)
    assert {item.candidate.text for item in ranked} == {WELLS[1].text, WELLS[2].text}
    assert judge(of, ranked).is_answerable


def test_question_is_not_answered_where_nothing_keeps_the_amount(ranker):
    of = ranker("Which wells are more than 300 metres deep?")
    found = judge(of, of.rank(WELLS, hash_vectors))
    assert not found.is_answerable
    assert found.reasons[0] == "No source speaks of ‘more than 300 metres’."


def test_amount_in_one_of_several_parts_is_no_condition_of_all_answers(ranker):
    of = ranker("Which wells are more than 300 metres deep and who surveys wells each year?")
    assert of.question.amount is None
    survey = candidate("manual", "Borealis surveys 400 wells each year.")
    assert survey in [item.candidate for item in of.rank([*WELLS, survey], hash_vectors)]
