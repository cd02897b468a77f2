"""What a report offers to ask next."""

import pytest

from research.extractive.question.parsed_question import analyse
from research.pipelines.report.analyzing.report_follow_up_questions import follow_up_questions


def questions(text, open_parts=(), headings=(), unanswered=()):
    return follow_up_questions(analyse(text), unanswered, open_parts, headings)


def test_an_unanswered_part_is_asked_again_as_it_stands_and_not_by_its_words():
    text = "What is bcrypt and who invented it?"
    offered = questions(text, ["invented"], unanswered=["who invented it"])
    assert offered[0] == "Who invented bcrypt?"
    assert not any("known about invented" in question for question in offered)


def test_open_parts_come_first_then_headings_then_the_subject_in_general():
    assert questions("Is bcrypt safe?", ["timing"], ["The options", "Truncation in bcrypt"]) == [
        "What is known about timing in bcrypt?",
        "What do the sources say about “Truncation in bcrypt”?",
        "What has changed about bcrypt recently?",
    ]


def test_words_that_follow_each_other_are_asked_about_together():
    offered = questions("Does bcrypt need a commercial licence?", ["commercial", "licence"])
    assert offered[0] == "What is known about commercial licence?"


def test_a_short_word_is_no_subject_of_its_own():
    assert not any("rid" in question for question in questions("How do I get rid of bcrypt?", ["rid"]))


def test_without_a_thing_any_telling_heading_is_offered():
    assert "What do the sources say about “Password reuse”?" in questions(
        "how often should people change them", headings=["Password reuse", "Overview"]
    )


def test_a_question_on_one_release_leads_on_to_the_thing_itself():
    assert "What has changed about pytest-xdist recently?" in questions(
        "When was pytest-xdist 3.6.0 released?"
    )


@pytest.mark.parametrize(
    ("question", "asked_already"),
    [
        ("How has Django changed password hashing?", "What has changed about Django recently?"),
        ("What are the pros and cons of Argon2?", "What are the limits and criticisms of Argon2?"),
    ],
)
def test_what_was_asked_is_not_offered_again(question, asked_already):
    offered = questions(question)
    assert offered
    assert asked_already not in offered
