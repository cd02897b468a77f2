"""Follow-ups are questions that a person would ask: on one thing, in whole words."""

import pytest

from research.extractive.candidate_sentences import Candidate
from research.extractive.question.parsed_question import analyse
from research.pipelines.technical.answer.technical_follow_ups import follow_ups
from research.pipelines.technical.compare_technical_alternatives import (
    ComparisonAspect,
    ComparisonCell,
    ComparisonGrid,
)
from research.pipelines.technical.technical_config import QuestionType

CELL = ComparisonCell(0, 0, Candidate("d", 0, 4, "Text"), 1.0)
TABLE = ComparisonGrid(("Zustand", "Redux"), (ComparisonAspect("Performance", ""),), (CELL,))


def list_follow_ups(question, kind, technologies=(), table=None, headings=()):
    return [one.question for one in follow_ups(analyse(question), kind, technologies, table, headings)]


def test_what_a_comparison_leaves_open_is_asked_first():
    found = list_follow_ups("Zustand vs Redux", QuestionType.COMPARISON, table=TABLE)
    assert found[:2] == ["How fast is Redux?", "How do I migrate from Redux to Zustand?"]
    assert not any("Zustand Redux" in question for question in found)


def test_a_heading_that_is_a_question_is_asked_as_it_stands():
    headings = ["Is the Session thread-safe?", "Our Kubernetes platform", "Why?"]
    found = list_follow_ups(
        "How do I use sessions?", QuestionType.DOCUMENTATION, ["SQLAlchemy"], headings=headings
    )
    assert found[0] == "Is the Session thread-safe?"
    assert not any("platform" in question for question in found)


@pytest.mark.parametrize("kind", QuestionType)
def test_each_is_a_question_on_one_thing(kind):
    found = list_follow_ups("Which Python versions does Django 5.2 support?", kind, ["Django"])
    assert 0 < len(found) <= 5
    assert all(question.endswith("?") and "Django 5.2" in question for question in found)


def test_follow_ups_are_in_the_language_of_the_question_not_of_the_message_it_quotes():
    asked = "Docker meldet „permission denied while trying to connect to the Docker daemon socket“ – was tun?"
    found = list_follow_ups(asked, QuestionType.ERROR_RESOLUTION, ["docker"])
    assert found[:2] == [
        "Wie sieht ein Codebeispiel für Docker aus?",
        "Was sind bewährte Verfahren für Docker?",
    ]


def test_the_topic_of_a_question_about_good_practice_is_asked_on():
    asked = "What are best practices for database migrations with zero downtime?"
    found = list_follow_ups(asked, QuestionType.BEST_PRACTICES)
    assert found[0] == "What does a code example for database migrations with zero downtime look like?"
    assert not any("Which versions" in question for question in found)


def test_code_that_is_shown_is_not_asked_for():
    found = follow_ups(
        analyse("How do I use Kit?"), QuestionType.DOCUMENTATION, ["Kit"], None, [], has_code=True
    )
    assert QuestionType.CODE_EXAMPLES.value not in {one.type for one in found}
