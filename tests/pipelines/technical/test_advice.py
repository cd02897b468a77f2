"""The purpose of a statement for its reader, its place in the answer, and the diagram of it."""

from uuid import UUID

import numpy as np
import pytest
from django.utils.translation import override

from research.pipelines.report.reading.report_note_vectors import remember_vectors
from research.pipelines.technical.answer.technical_answer import StoredLink
from research.pipelines.technical.answer.technical_overview_diagram import in_words, render_flowchart
from research.pipelines.technical.technical_advice_kinds import Advice, advice_of, classify_advice
from research.pipelines.technical.technical_config import QuestionType

SOURCE = UUID(int=7)
LINKS = [
    StoredLink(advice="finding", source=SOURCE, claims=2),
    StoredLink(advice="warning", source=SOURCE, claims=1),
]


@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        ("Vectors with up to 2,000 dimensions can be indexed.", Advice.FINDING),
        ("A higher value gives better recall at the cost of speed.", Advice.FINDING),
        (
            "Choose a number of lists - a good place to start is rows / 1000 for up to 1M rows",
            Advice.RECOMMENDATION,
        ),
        ("The index cannot be built on columns of more dimensions.", Advice.WARNING),
        ("Use binary quantization for faster build times.", Advice.PRACTICE),
        ("Reading never blocks writing in this database.", Advice.FINDING),
        ("If you don't want to type sudo, make a group for the users.", Advice.FINDING),
        ("The client is careful to enforce timeouts everywhere.", Advice.FINDING),
        ("Warning: The group grants the rights of the administrator.", Advice.WARNING),
        ("Auf keinen Fall sollte man den Socket für alle öffnen.", Advice.WARNING),
        ("Bewährt hat sich, jede Woche eine Datei wiederherzustellen.", Advice.RECOMMENDATION),
        ("Das Passwort sollte getrennt davon liegen.", Advice.PRACTICE),
    ],
)
def test_limits_and_trade_offs_are_no_warnings(statement, kind):
    assert advice_of(statement) is kind


def test_what_answers_best_is_a_finding_unless_advice_was_asked_for():
    said = ["Use the index.", "It cannot grow.", "It is small.", "Never share it."]
    plain = classify_advice(said, QuestionType.DOCUMENTATION)
    assert plain == [Advice.FINDING, Advice.FINDING, Advice.FINDING, Advice.WARNING]
    assert classify_advice(said, QuestionType.BEST_PRACTICES)[:2] == [Advice.PRACTICE, Advice.WARNING]


def test_a_caution_among_the_answers_is_a_warning_unless_it_leads():
    said = ["Never use it.", "Mount it.", "Never copy the token into the image."]
    kinds = classify_advice(said, QuestionType.DOCUMENTATION)
    assert kinds == [Advice.FINDING, Advice.FINDING, Advice.WARNING]


def test_a_diagram_of_the_answer_is_drawn_and_told_in_the_language_of_its_reader():
    with override("de"):
        code, words = (
            render_flowchart("How?", LINKS, {SOURCE: 'The "manual"'}),
            in_words(LINKS, {SOURCE: "The manual"}),
        )
    assert 'finding("Wichtigste Ergebnisse")' in code
    assert 's1["The manual"]' in code
    assert 'finding -- "2" --> s1' in code
    assert words[0] == "Wichtigste Ergebnisse: 2 Aussagen aus „The manual“"


def test_no_text_is_looked_at_twice_for_its_meaning():
    seen: list[str] = []

    def embed(texts):
        seen.extend(texts)
        return np.array([[float(len(text))] for text in texts], dtype=np.float32)

    act = remember_vectors(embed)
    assert act(["a", "bb", "a"]).tolist() == [[1.0], [2.0], [1.0]]
    assert act(["bb", "ccc"]).tolist() == [[2.0], [3.0]]
    assert seen == ["a", "bb", "ccc"]
