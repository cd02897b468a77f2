"""The similarity of a claim and a passage, with hashed words for meaning."""

import pytest

from research.library.retrieval.library_passage_similarity import NearestSentence
from research.parsing.vectors.embed_texts import HashEmbedder

FERRY = "The night ferry crosses the strait."
TOLLS = "Tolls on the bridge rose in spring."


class CountingEmbedder(HashEmbedder):
    def __init__(self):
        self.asked = []

    def embed(self, texts):
        self.asked.append(list(texts))
        return super().embed(texts)


@pytest.fixture
def embedder():
    return CountingEmbedder()


@pytest.fixture
def likeness(embedder):
    return NearestSentence(embedder)


def test_a_passage_is_as_like_a_claim_as_its_nearest_sentence(likeness):
    assert likeness(FERRY, f"{TOLLS} {FERRY}") == pytest.approx(1.0)
    assert likeness(FERRY, TOLLS) < 0.5


@pytest.mark.parametrize("passage", ["", " \n ", "Yes. No.", "…"])
def test_a_passage_without_a_sentence_is_like_nothing(likeness, passage):
    assert likeness(FERRY, passage) == 0.0


def test_words_of_opposite_direction_are_no_less_than_unlike(likeness):
    alike = [likeness(f"w{number}", "alpha beta gamma delta") for number in range(40)]
    assert all(0.0 <= each <= 1.0 for each in alike)


def test_what_is_prepared_is_embedded_together_and_once(likeness, embedder):
    likeness.prepare([FERRY, TOLLS, FERRY], [f"{TOLLS} {FERRY}", TOLLS])
    likeness(FERRY, TOLLS)
    likeness(TOLLS, f"{TOLLS} {FERRY}")
    assert embedder.asked == [[FERRY, TOLLS]]


def test_what_was_not_prepared_is_embedded_when_it_is_asked_for(likeness, embedder):
    likeness.prepare([FERRY], [])
    likeness(FERRY, TOLLS)
    assert embedder.asked == [[FERRY], [TOLLS]]
