import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.table_claims.claim_misspellings import edits, is_misspelling


@pytest.mark.parametrize(
    ("a", "b"), [("attendence", "attendance"), ("sandhihte", "sandhithe"), ("raanford", "ranford")]
)
def test_a_slip_of_the_pen_is_known(a, b):
    assert is_misspelling(a, b)


@pytest.mark.parametrize(
    ("a", "b"), [("clay", "clary"), ("master", "faster"), ("hexley", "hexley"), ("a", "b")]
)
def test_short_words_and_other_words_are_none(a, b):
    assert not is_misspelling(a, b)


@given(st.text(max_size=12), st.text(max_size=12))
def test_edits_are_symmetric(a, b):
    assert edits(a, b) == edits(b, a)


@given(st.text(max_size=12))
def test_a_word_is_no_edits_from_itself(a):
    assert edits(a, a) == 0
