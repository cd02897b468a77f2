"""Years and words of time filter, or ask for the newest; they are no names to be found."""

import pytest

from research.extractive.question.parsed_question import analyse
from research.extractive.question.question_time_words import find_time_words


@pytest.mark.parametrize(
    ("question", "first", "last", "newest"),
    [
        ("Which pump should I buy in 2026?", None, None, True),
        ("Is it still allowed?", None, None, True),
        ("What changed since 2022?", 2022, None, False),
        ("What changed in the last three years?", 2023, None, False),
        ("How did prices move between 2015 and 2019?", 2015, 2019, False),
        ("What held before 2018?", None, 2018, False),
        ("What did the 2019 report find?", None, None, False),
    ],
)
def test_spans_and_wishes_are_told_apart(question, first, last, newest):
    found = find_time_words(question, this_year=2026)
    assert (found.first, found.last, found.wants_newest) == (first, last, newest)


def test_a_year_to_come_is_no_word_to_be_found():
    question = analyse("Which pump should I buy in 2026?", this_year=2026)
    assert "2026" not in {term.form for term in question.terms}
    assert question.time.wants_newest


def test_a_past_year_is_looked_for():
    assert "2019" in {term.form for term in analyse("What did the 2019 report find?", 2026).terms}


@pytest.mark.parametrize(
    ("question", "span"),
    [
        ("What is new in pumps in 2026?", (2026, 2026)),
        ("What changed in the code in 2019?", (2019, 2019)),
        ("How deep were wells in 2019?", (None, None)),
    ],
)
def test_a_question_about_changes_asks_for_those_of_its_year(question, span):
    time = analyse(question, 2026).time
    assert (time.first, time.last) == span
