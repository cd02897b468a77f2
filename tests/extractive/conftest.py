"""A small library of wells, and words for its sentences."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from research.extractive.answer_document_cards import Cards, DocumentCard
from research.extractive.candidate_sentences import Candidate
from research.extractive.question.parsed_question import analyse
from research.extractive.sentence_ranking import Ranker, ScoredCandidate
from research.extractive.term_rarity import Rarity
from research.extractive.terms import stem, term_set, words

CARDS = (
    DocumentCard("guide-1", "ACME Well Guide 1.0", "ACME", "2015-03", path="acme-well-guide-1.0.pdf"),
    DocumentCard("guide-2", "ACME Well Guide 2.0", "ACME", "2021-06", path="acme-well-guide-2.0.pdf"),
    DocumentCard("manual", "Borealis Drilling Manual", "Borealis Institute", "2019", path="manual.html"),
    DocumentCard("blog", "Notes on pumps", "", "", path="notes.md"),
)

SENTENCES = {
    "guide-1": ["Wells shall be at least 20 metres deep.", "Pumps should be inspected every 12 months."],
    "guide-2": ["Wells shall be at least 30 metres deep.", "A casing is required in sandy soil."],
    "manual": [
        "Drillers must not use untreated water.",
        "The minimum depth of a well is 25 metres.",
        "Borealis surveys 400 wells each year.",
    ],
    "blog": [
        "I like pumps because they are simple.",
        "Is a deep well worth it?",
        "Copyright 2020 by the author.",
    ],
}


def hash_vectors(texts: Sequence[str]) -> NDArray[np.float32]:
    """Unit rows: texts that share words are close. What ranking does with closeness needs no model."""
    rows = np.zeros((len(texts), 512), dtype=np.float32)
    for row, text in zip(rows, texts, strict=True):
        for word in words(text):
            row[sum(map(ord, stem(word.lower()))) % 512] += 1.0
        row[0] += 0.001
    lengths: NDArray[np.float32] = np.linalg.norm(rows, axis=1, keepdims=True).astype(np.float32)
    return rows / lengths


def candidate(document: str, text: str, start: int = 0, **rest: str) -> Candidate:
    return Candidate(document, start, start + len(text), text, chunk_score=0.5, **rest)  # type: ignore[arg-type]


@pytest.fixture
def cards() -> Cards:
    return Cards(CARDS)


@pytest.fixture
def candidates() -> list[Candidate]:
    return [
        candidate(document, text, start=100 * place)
        for document, texts in SENTENCES.items()
        for place, text in enumerate(texts)
    ]


@pytest.fixture
def ranker(cards: Cards, candidates: list[Candidate]) -> Callable[[str], Ranker]:
    """A ranker for a question over the library of wells."""
    held = [term_set((one.text,)) for one in candidates]

    def of(text: str) -> Ranker:
        question = analyse(text)
        counts = {term.form: sum(term.form in words_ for words_ in held) for term in question.terms}
        return Ranker.of(question, cards, Rarity(len(held), counts))

    return of


@pytest.fixture
def rank_sentences(
    ranker: Callable[[str], Ranker], candidates: list[Candidate]
) -> Callable[[str], list[ScoredCandidate]]:
    return lambda text: ranker(text).rank(candidates, hash_vectors)
