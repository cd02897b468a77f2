"""Sentences below the name of a setting describe that setting, and no other."""

import pytest

from research.extractive.answer_document_cards import Cards
from research.extractive.candidate_sentences import Candidate
from research.extractive.question.parsed_question import analyse
from research.extractive.sentence_ranking import Ranker
from research.extractive.term_rarity import Rarity
from research.pipelines.technical.answer.technical_answer_material import term_of, under_terms
from research.pipelines.technical.choose_technical_sentences import on_the_terms


@pytest.mark.parametrize(
    ("line", "term"),
    [
        ("`max_connections` (integer)", "max_connections"),
        ("max_connections (integer)", "max_connections"),
        ("`timeout`", "timeout"),
        ("pool.close()", "pool.close"),
        ("Connections", ""),
        ("`max_connections` limits the number of connections.", ""),
    ],
)
def test_a_name_in_code_alone_in_its_line_is_a_term(line, term):
    assert term_of(line) == term


def test_a_sentence_is_of_the_term_above_it_until_the_next_heading():
    sentences = [Candidate("d", start, start + 5, "Said.") for start in (0, 30, 60, 90)]
    terms = [(20, "max_connections"), (50, "reserved_connections"), (80, "")]
    assert [found.lead_in for found in under_terms(sentences, terms)] == [
        "",
        "max_connections",
        "reserved_connections",
        "",
    ]


def test_descriptions_of_other_settings_are_left_out_if_the_one_asked_for_is_described():
    texts = {"max_connections": "It is 100.", "reserved_connections": "It is 3.", "": "Restart the server."}
    sentences = [Candidate("d", 0, 5, text, lead_in=term) for term, text in texts.items()]

    def kept(question: str) -> list[str]:
        parsed = analyse(question)
        ranker = Ranker.of(parsed, Cards([]), Rarity(1, {}))
        return [sentence.text for sentence in on_the_terms(sentences, ranker)]

    assert kept("What is the default of max_connections?") == ["It is 100.", "Restart the server."]
    assert len(kept("How many connections are there?")) == 3
