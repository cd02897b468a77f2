"""The made-up library is the same every time, and has the shape that it promises."""

import numpy as np
import pytest

from research.evaluation.synthetic_evaluation_library import (
    PASSAGE_WORDS,
    PER_DOCUMENT,
    VOCABULARY,
    MadeLibrary,
    word,
)
from research.management.commands.bench_retrieval import MEASURED, OTHERS, sizes_of


@pytest.fixture(scope="module")
def library():
    return MadeLibrary()


def test_every_rank_has_a_word_of_its_own():
    assert len({word(rank) for rank in range(VOCABULARY)}) == VOCABULARY


def test_a_tenants_passages_are_the_same_every_time(library):
    first, again = list(library.passages(3, 50)), list(MadeLibrary().passages(3, 50))
    assert [one.text for one in first] == [one.text for one in again]
    assert all(np.array_equal(a.vector, b.vector) for a, b in zip(first, again, strict=True))


def test_passages_fill_documents_and_vectors_have_unit_length(library):
    found = list(library.passages(1, PER_DOCUMENT + 3))
    assert [one.index for one in found[-4:]] == [PER_DOCUMENT - 1, 0, 1, 2]
    assert {len(one.text.split()) for one in found} == {PASSAGE_WORDS}
    assert np.allclose([np.linalg.norm(one.vector) for one in found], 1, atol=1e-5)


def test_passages_of_a_document_are_nearer_to_each_other_than_to_others(library):
    vectors = np.array([passage.vector for passage in library.passages(5, 2 * PER_DOCUMENT)])
    alike = vectors @ vectors.T
    assert alike[:PER_DOCUMENT, :PER_DOCUMENT].mean() > alike[:PER_DOCUMENT, PER_DOCUMENT:].mean() + 0.2


def test_questions_have_words_and_a_meaning(library):
    for text, vector in library.questions(3):
        assert len(text.split()) == 6
        assert vector.shape == (384,)


@pytest.mark.parametrize(("chunks", "measured"), [(3_000, [1_000]), (1_000_000, list(MEASURED))])
def test_no_measured_tenant_has_most_of_the_passages(chunks, measured):
    sizes = sizes_of(chunks)
    assert sizes[: len(measured)] == measured
    assert set(sizes[len(measured) :]) == {OTHERS}
    assert chunks - OTHERS < sum(sizes) <= chunks
