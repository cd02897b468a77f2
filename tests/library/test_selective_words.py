"""The best passages by words are the same ones, whether all are looked at or only those with the heavy words."""

from hypothesis import given
from hypothesis import strategies as st

from research.library.retrieval.library_selective_words import (
    MOST,
    WeightedWords,
    count_required_words,
    first_asked,
    heaviest_first,
)

WANTED = 3
weights = st.floats(0.01, 10)
words = st.builds(WeightedWords, st.text("abc", min_size=1, max_size=3), weights, st.integers(0, 30))
asked = st.lists(words, min_size=1, max_size=6).map(heaviest_first)


@given(asked, st.integers(0, 100))
def test_first_are_asked_as_few_of_the_heaviest_as_are_held_by_enough(weighted, wanted):
    count = first_asked(weighted, wanted)
    held = [one.passages for one in weighted]
    assert 1 <= count <= len(weighted)
    assert count == len(weighted) or sum(held[:count]) >= wanted
    assert count == 1 or sum(held[: count - 1]) < wanted


@given(asked, st.data())
def test_the_best_are_those_of_all(weighted, data):
    """Passages as the ranks of the words that they hold, 0 to MOST; None where they do not."""
    rank = st.none() | st.floats(0, MOST)
    held = data.draw(st.lists(st.tuples(*[rank for _ in weighted]), max_size=12))

    def worth(passage):
        return sum(
            one.weight * (0.5 + found)
            for one, found in zip(weighted, passage, strict=True)
            if found is not None
        )

    def best(count):
        """Return the best passages that hold one of so many heavy words."""
        known = [one for one in held if any(each is not None for each in one[:count])]
        return sorted(map(worth, known), reverse=True)[:WANTED]

    asked = first_asked(weighted, WANTED)
    found = best(asked)
    enough = count_required_words(weighted, found[-1] if len(found) == WANTED else 0.0)
    assert best(max(asked, enough)) == best(len(weighted))


def test_what_is_worth_nothing_leaves_no_word_out():
    weighted = [WeightedWords("a", 2.0, 5), WeightedWords("b", 1.0, 50)]
    assert count_required_words(weighted, 0.0) == 2
    assert count_required_words(weighted, 1.6) == 2, (
        "a passage with the light word alone may be worth as much"
    )
    assert count_required_words(weighted, 1.7) == 1
