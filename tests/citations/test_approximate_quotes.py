import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.text.approximate_quotes import ApproximateMatch, Grams, edit_distance, likeness, nearest_window
from citations.text.quote_span import Span

FILLER = "lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor "
SENTENCE = "the quick brown fox jumps over the lazy dog at noon"


def table_distance(a: str, b: str) -> int:
    """Levenshtein distance by the textbook table, to compare with."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        diagonal, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (x != y))
    return row[-1]


@pytest.mark.parametrize(
    ("a", "b", "distance"),
    [("kitten", "sitting", 3), ("same", "same", 0), ("", "abc", 3), ("abc", "", 3), ("abc", "bc", 1)],
)
def test_edit_distance_of_examples(a, b, distance):
    assert edit_distance(a, b) == distance


@given(st.text(alphabet="abc", max_size=40), st.text(alphabet="abc", max_size=40))
def test_edit_distance_agrees_with_the_textbook(a, b):
    assert edit_distance(a, b) == table_distance(a, b)


@given(st.text(max_size=40), st.text(max_size=40))
def test_edit_distance_is_symmetric(a, b):
    assert edit_distance(a, b) == edit_distance(b, a)


@given(st.text(max_size=20), st.text(max_size=20), st.text(max_size=20))
def test_edit_distance_obeys_the_triangle_inequality(a, b, c):
    assert edit_distance(a, c) <= edit_distance(a, b) + edit_distance(b, c)


def test_a_window_with_one_changed_letter_is_found_where_it_stands():
    text = FILLER + SENTENCE.replace("brown", "brawn") + FILLER
    window = nearest_window(SENTENCE, text, 5)
    assert window is not None
    assert (window.span, window.distance) == (Span(len(FILLER), len(FILLER) + len(SENTENCE)), 1)


def test_a_window_with_a_lost_word_is_shorter_than_the_pattern():
    text = FILLER + SENTENCE.replace("lazy ", "") + " " + FILLER
    window = nearest_window(SENTENCE, text, 5)
    assert window is not None
    assert window.span.cut(text) == SENTENCE.replace("lazy ", "")


def test_too_many_edits_are_no_match():
    assert nearest_window(SENTENCE, FILLER + SENTENCE.replace("quick brown", "slow and red"), 5) is None


def test_of_two_equal_windows_the_first_is_taken_without_a_hint():
    changed = SENTENCE.replace("fox", "fax")
    text = changed + FILLER + changed
    window = nearest_window(SENTENCE, text, 5)
    assert window is not None
    assert window.span.start == 0


def test_of_two_equal_windows_the_one_near_the_hint_is_taken():
    changed = SENTENCE.replace("fox", "fax")
    text = changed + FILLER + changed
    window = nearest_window(SENTENCE, text, 5, hint=len(text))
    assert window is not None
    assert window.span.end == len(text)


def test_the_nearer_window_goes_before_the_first():
    text = SENTENCE.replace("fox", "fax").replace("dog", "dig") + FILLER + SENTENCE.replace("fox", "fax")
    window = nearest_window(SENTENCE, text, 5)
    assert window is not None
    assert window.distance == 1


@pytest.mark.parametrize(
    ("pattern", "text", "allowed", "expected"),
    [
        (SENTENCE, SENTENCE, 0, ApproximateMatch(Span(0, 51), 0)),
        (SENTENCE, SENTENCE[3:], 3, ApproximateMatch(Span(0, 48), 3)),
        (SENTENCE, SENTENCE[:-3], 3, ApproximateMatch(Span(0, 48), 3)),
        (SENTENCE, SENTENCE[:-4], 3, None),
        (SENTENCE, "xx" + SENTENCE.replace("fox", "fx"), 2, ApproximateMatch(Span(2, 52), 1)),
        (SENTENCE, FILLER + SENTENCE.replace("fox", "foox") + "yy", 2, ApproximateMatch(Span(77, 129), 1)),
        ("abcd", "xxabcdxx", 0, ApproximateMatch(Span(2, 6), 0)),
        ("abc", "xxabcxx", 0, None),
        ("abcdefgh", "abcXefgh", 1, ApproximateMatch(Span(0, 8), 1)),
        ("abcdefgh", "abcdeXgh abcdefgX", 1, ApproximateMatch(Span(0, 8), 1)),
    ],
)
def test_the_window_and_its_distance(pattern, text, allowed, expected):
    assert nearest_window(pattern, text, allowed) == expected


@pytest.mark.parametrize(("hint", "start"), [(None, 0), (0, 0), (60, 0), (69, 128), (500, 256)])
def test_of_equal_windows_the_one_nearest_to_the_hint(hint, start):
    changed = SENTENCE.replace("fox", "fax")
    window = nearest_window(SENTENCE, (changed + FILLER) * 3, 5, hint)
    assert window == ApproximateMatch(Span(start, start + 51), 1)


def test_likeness_is_exact_up_to_ten_thousand_characters():
    one, other = "ab" * 5_000, "ba" * 5_000
    assert likeness(one, other) == 1 - 2 / 10_000
    assert likeness(one + "a", other + "b") == 1.0


def test_an_empty_pattern_is_refused():
    with pytest.raises(ValueError, match="empty"):
        nearest_window("", "text", 0)


def test_an_empty_text_has_no_window():
    assert nearest_window(SENTENCE, "", 5) is None


def test_a_text_of_one_repeated_letter_is_answered():
    assert nearest_window(SENTENCE, "a" * 20_000, 5) is None


@given(
    st.text(alphabet="abcdefgh ", min_size=30, max_size=60),
    st.lists(st.tuples(st.integers(0, 59), st.sampled_from("xyz")), max_size=3),
)
def test_a_window_within_the_allowed_edits_is_always_found(pattern, edits):
    mutated = list(pattern)
    for position, letter in edits:
        mutated[position % len(mutated)] = letter
    text = "0123456789" * 5 + "".join(mutated) + "9876543210" * 5
    window = nearest_window(pattern, text, 3)
    assert window is not None
    assert window.distance <= len(edits)


@given(st.text(alphabet="abc ", min_size=24, max_size=40), st.text(alphabet="abc ", max_size=150))
def test_the_distance_of_a_window_is_that_of_its_words(pattern, text):
    window = nearest_window(pattern, text, 4)
    if window is not None:
        assert edit_distance(pattern, window.span.cut(text)) == window.distance <= 4


def test_a_pattern_of_more_than_ten_thousand_characters_is_not_searched():
    assert nearest_window("x" * 10_001, "x" * 20_000, 100) is None


def test_a_prepared_text_is_searched_like_a_plain_one():
    text = FILLER + SENTENCE.replace("brown", "brawn") + FILLER
    assert nearest_window(SENTENCE, Grams(text), 5) == nearest_window(SENTENCE, text, 5)


def test_the_best_of_many_windows_is_found_behind_worse_ones():
    worse = SENTENCE.replace("quick", "slick").replace("lazy", "hazy")
    text = (worse + ". ") * 200 + SENTENCE.replace("dog", "dig") + ". " + (worse + ". ") * 200
    window = nearest_window(SENTENCE, text, 5)
    assert window is not None
    assert window.span.cut(text) == SENTENCE.replace("dog", "dig")


def test_likeness_is_the_share_of_what_stayed():
    assert likeness("kitten", "sitting") == pytest.approx(1 - 3 / 7)
    assert likeness("", "") == 1.0


def test_long_texts_are_alike_by_their_pieces():
    one = " ".join(map(str, range(4_000)))
    assert likeness(one, one) == 1.0
    assert 0.3 < likeness(one, one[: len(one) // 2]) < 0.8
    assert likeness(one, "abc " * 5_000) == 0.0
