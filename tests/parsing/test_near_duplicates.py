from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from research.library.duplicate_library_documents import similarities
from research.parsing.parsed_near_duplicates import PERMUTATIONS, Signature, signature


def similarity(a: Signature, b: Signature) -> float:
    return float(similarities(a.tobytes(), [b.tobytes()])[0])


TEXT = " ".join(f"word{number * 37 % 501}" for number in range(500))


@given(st.text(max_size=300))
def test_a_text_equals_itself(text: str) -> None:
    assert similarity(signature(text), signature(text)) == 1.0


@given(st.text(max_size=100), st.text(max_size=100))
def test_similarity_is_symmetric_and_a_share(a: str, b: str) -> None:
    one, other = similarity(signature(a), signature(b)), similarity(signature(b), signature(a))
    assert one == other
    assert 0.0 <= one <= 1.0


def test_a_signature_is_128_numbers_and_the_same_everywhere() -> None:
    first = signature("Passwords must be long enough.")
    assert (first.shape, first.dtype) == ((PERMUTATIONS,), np.dtype(np.uint32))
    assert first[:3].tolist() == signature("passwords MUST be long   enough")[:3].tolist()


def test_a_copy_with_small_edits_is_near() -> None:
    assert similarity(signature(TEXT), signature(TEXT.replace("word37 ", "other "))) > 0.9


def test_half_a_text_is_about_half_alike() -> None:
    half = " ".join(TEXT.split()[:250])
    assert 0.35 < similarity(signature(TEXT), signature(half)) < 0.65


def test_other_texts_are_far() -> None:
    assert similarity(signature(TEXT), signature(TEXT.replace("word", "other"))) < 0.05


def test_an_empty_text_is_not_like_a_full_one() -> None:
    assert similarity(signature(""), signature(TEXT)) == 0.0
    assert similarity(signature(""), signature("...")) == 1.0
