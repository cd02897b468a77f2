"""The weight of a word."""

from hypothesis import given
from hypothesis import strategies as st

from research.extractive.term_rarity import Rarity


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_rarity_stays_between_none_and_one(total, count):
    assert 0 <= Rarity(total, {"word": count}).of("word") <= 1


@given(st.integers(1, 10**6), st.data())
def test_a_rarer_word_says_more(total, data):
    count = data.draw(st.integers(1, total))
    rarity = Rarity(total, {"rare": count - 1, "common": count})
    assert rarity.of("rare") > rarity.of("common")


def test_a_word_that_no_chunk_has_says_most():
    assert Rarity(100, {}).of("word") == 1.0
