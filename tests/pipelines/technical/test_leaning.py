"""Sentences that sound like an answer of the type come before others on the same matter."""

import pytest

from research.extractive.candidate_sentences import Candidate
from research.extractive.sentence_ranking import RankingFeatures, ScoredCandidate
from research.pipelines.technical.answer.technical_answer_style import (
    LEANING,
    prefer_answer_style,
    sounds_like,
)
from research.pipelines.technical.technical_config import QuestionType

PAPER, ERROR, NEEDS = (
    QuestionType.PAPER_SUMMARY,
    QuestionType.ERROR_RESOLUTION,
    QuestionType.DEPENDENCY,
)


def make_candidate(text: str, score: float, section: str = "") -> ScoredCandidate:
    return ScoredCandidate(Candidate("d", 0, len(text), text, section=section), RankingFeatures(), score, {})


@pytest.mark.parametrize(
    ("kind", "text", "does"),
    [
        (PAPER, "We find that most entries beat the baseline.", True),
        (PAPER, "Our experiments clearly show a loss of recall.", True),
        (PAPER, "The winner needed 40 % of the memory.", True),
        (PAPER, "Search among neighbours is a problem of importance.", False),
        (ERROR, "Fewer rows come back since the filter is applied last.", True),
        (ERROR, "To fix this, raise the size of the list.", True),
        (ERROR, "The list holds the neighbours.", False),
        (NEEDS, "Compile and install the extension (supports Postgres 13+)", True),
        (NEEDS, "It needs CMake 3.17 or later.", True),
        (NEEDS, "The package is built in a folder of its own.", False),
        (QuestionType.DOCUMENTATION, "We find that it works.", False),
    ],
)
def test_what_an_answer_of_each_type_sounds_like(kind, text, does):
    assert sounds_like(make_candidate(text, 0.5).candidate, kind) is does


@pytest.mark.parametrize(
    ("section", "does"),
    [
        ("Paper > 5. Results", True),
        ("Paper > Conclusions and outlook", True),
        ("Results of the 2021 challenge on large searches", False),
        ("Paper > Methods", False),
    ],
)
def test_a_heading_tells_where_a_paper_has_its_results_and_its_title_does_not(section, does):
    assert sounds_like(make_candidate("The index has two layers.", 0.5, section).candidate, PAPER) is does


def test_a_sentence_of_the_type_overtakes_what_is_only_as_near():
    near = make_candidate("Which rows a filter leaves is another matter.", 0.70)
    cause = make_candidate("Rows are missing because the filter comes last.", 0.65)
    far = make_candidate("It broke because of the weather.", 0.70 - LEANING[ERROR] - 0.05)
    assert [one.candidate.text for one in prefer_answer_style([near, cause, far], ERROR)] == [
        cause.candidate.text,
        near.candidate.text,
        far.candidate.text,
    ]


def test_where_no_sound_is_known_the_order_stays():
    given = [make_candidate("It broke because it was old.", 0.6), make_candidate("We find nothing.", 0.7)]
    assert prefer_answer_style(given, QuestionType.CODE_EXAMPLES) == given
