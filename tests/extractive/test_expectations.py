"""The kind of answer that a question asks for, and what counts as one."""

import pytest

from research.extractive.question.expected_answer_kinds import (
    AnswerKind,
    answers,
    counts_directly,
    find_counted_noun,
    find_expected_kinds,
    find_measured_thing,
)


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What share of farms use drip irrigation?", AnswerKind.PERCENTAGE),
        ("What is the monthly price of the plan?", AnswerKind.MONEY),
        ("How did the unit cost of pumps develop?", AnswerKind.MONEY),
        ("How has the price of a pump changed from 2019 to 2024?", AnswerKind.PERCENTAGE),
        ("Wie haben sich die Stückkosten entwickelt?", AnswerKind.MONEY),
        ("In which release was the flag added?", AnswerKind.VERSION),
        ("Which Python versions does the plan support?", AnswerKind.VERSION),
        ("When did the bridge open?", AnswerKind.DATE),
        ("How fast is the parser?", AnswerKind.RATE),
        ("How long does a build take?", AnswerKind.DURATION),
        ("After how long does a lease expire?", AnswerKind.DURATION),
        ("How long should the delay be?", AnswerKind.DURATION),
        ("How large is the window?", AnswerKind.DURATION),
        ("How much disk space do I need?", AnswerKind.LENGTH),
        ("Who came up with the damper?", AnswerKind.MAKER),
        ("How heavy is the pump?", AnswerKind.LENGTH),
        ("How large is the window?", AnswerKind.LENGTH),
        ("How many wells were drilled?", AnswerKind.COUNT),
        ("What temperature should the water have?", AnswerKind.TEMPERATURE),
        ("How hot does a boiler get?", AnswerKind.TEMPERATURE),
        ("How often should wells be cleaned?", AnswerKind.FREQUENCY),
        ("What is the maximum length of a title?", AnswerKind.LENGTH),
        ("Does the valve close by itself?", AnswerKind.POLARITY),
        ("Why is the sky blue?", AnswerKind.REASON),
        ("Which paint does the guide recommend?", AnswerKind.STATEMENT),
        ("Depth of wells", AnswerKind.POSITION),
        ("Rules and depth, or water only?", AnswerKind.POSITION),
        ("Which pump for deep wells?", AnswerKind.CHOICE),
        ("Which pump should a farmer choose?", AnswerKind.CHOICE),
        ("Which pump is best?", AnswerKind.CHOICE),
    ],
)
def test_the_wording_tells_the_kind_of_answer(question, kind):
    assert kind in find_expected_kinds(question)


def test_what_counts_as_something_is_no_number():
    assert AnswerKind.COUNT not in find_expected_kinds("When does a leak count as repaired?")


def test_a_condition_is_no_date():
    assert AnswerKind.DATE not in find_expected_kinds("When is a well dry?")


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (AnswerKind.PERCENTAGE, "It stopped 99.9% of attacks."),
        (AnswerKind.PERCENTAGE, "Three in four farmers agree."),
        (AnswerKind.MONEY, "It costs $0.10 per hour."),
        (AnswerKind.MONEY, "It costs 3 million euros."),
        (AnswerKind.DURATION, "The default is 15 minutes."),
        (AnswerKind.DURATION, "Such data is useful for a couple of weeks."),
        (AnswerKind.DURATION, "lockout_duration = 1800"),
        (AnswerKind.DATE, "Published in 2017."),
        (AnswerKind.VERSION, "Added in version 3.2."),
        (AnswerKind.VERSION, "Install the pump (supports Python 3+)"),
        (AnswerKind.COUNT, "There were 200 participants."),
        (AnswerKind.COUNT, "It permits a maximum of four attempts."),
        (AnswerKind.LENGTH, "at least 8 characters"),
        (AnswerKind.TEMPERATURE, "Heat the water to 80 °C."),
        (AnswerKind.TEMPERATURE, "Keep it at room temperature."),
        (AnswerKind.FREQUENCY, "Clean the well every spring."),
        (AnswerKind.FREQUENCY, "Wells are inspected twice a year."),
        (AnswerKind.POLARITY, "Voice SHALL NOT be used."),
        (AnswerKind.REASON, "It was raised to follow the recommendation."),
        (AnswerKind.CHOICE, "If you do not know the difference, choose a hand pump."),
        (AnswerKind.CHOICE, "The default is a hand pump."),
        (AnswerKind.STATEMENT, "Any words at all."),
    ],
)
def test_a_sentence_with_something_of_the_kind_answers(kind, text):
    assert answers(kind, text)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (AnswerKind.PERCENTAGE, "Most of them stopped 99 attacks."),
        (AnswerKind.MONEY, "It costs a lot."),
        (AnswerKind.DURATION, "Sessions expire."),
        (AnswerKind.COUNT, "As SP 800-63B says, see Section 5.2.10 and SHA256 [19]."),
        (AnswerKind.COUNT, "5.1.1 Memorized secrets"),
        (AnswerKind.COUNT, "Since 2021 no one knows."),
        (AnswerKind.LENGTH, "Lengths differ."),
        (AnswerKind.TEMPERATURE, "The well is 80 metres deep."),
        (AnswerKind.FREQUENCY, "The well is deep and cold."),
        (AnswerKind.FREQUENCY, "Users often choose poor valves."),
        (AnswerKind.FREQUENCY, "Once the pump runs, each valve is open."),
        (AnswerKind.CHOICE, "Hand pumps have a handle."),
    ],
)
def test_labels_and_names_are_no_answer(kind, text):
    assert not answers(kind, text)


def test_the_questions_own_number_is_no_answer():
    asked = "What happens to a title longer than 72 bytes?"
    assert not answers(AnswerKind.COUNT, "It is longer than 72 bytes.", asked)
    assert answers(AnswerKind.COUNT, "It is cut at 60 bytes.", asked)


@pytest.mark.parametrize(
    ("question", "noun"),
    [
        ("How many failed attempts does the gate allow?", "failed attempts"),
        ("How many users are there?", "users"),
        ("How much memory does an index need?", "memory"),
        ("How much water do I need per day?", "water"),
        ("How much faster is it?", ""),
        ("How much faster does it run?", ""),
        ("How long is it?", ""),
    ],
)
def test_what_is_counted_stands_before_the_verb(question, noun):
    assert find_counted_noun(question) == noun


@pytest.mark.parametrize(
    ("question", "thing"),
    [
        ("How long should a mounting bolt be?", "mounting bolt"),
        ("How large can a field be at most?", "field"),
        ("How long does a permit stay valid?", "permit"),
        ("What is the minimum title length?", "title"),
        ("What is the size of a page?", "page"),
        ("How many wells are there?", ""),
    ],
)
def test_what_is_measured_is_named(question, thing):
    assert find_measured_thing(question) == thing


def test_how_long_something_takes_asks_for_no_length():
    assert find_expected_kinds("How long does a build take?") == (AnswerKind.DURATION,)


@pytest.mark.parametrize(
    ("text", "is_length"),
    [
        ("A title has 80 characters.", True),
        ("Titles change after 30 days.", False),
        ("Half of 20% fit.", False),
        ("Titles are checked twice.", False),
        ("A title has sixteen bytes.", True),
        ("The minimum length of a title is 12.", True),
        ("Titles were introduced in the late 70's.", False),
        ("The plank is 2.5 m long.", True),
    ],
)
def test_a_length_is_a_figure_of_a_size(text, is_length):
    assert answers(AnswerKind.LENGTH, text) is is_length


@pytest.mark.parametrize(
    ("text", "is_direct"),
    [
        ("A lock has four digits.", True),
        ("LOCK_DIGITS (default: 4): The number of digits of a lock.", True),
        ("The number of digits is up to you.", False),
        ("Guideline 63 Digital locks is for all.", False),
    ],
)
def test_things_are_counted_by_their_whole_noun(text, is_direct):
    assert counts_directly(text, "digits") is is_direct
