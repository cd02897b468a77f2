"""Text cut into pieces: nothing is lost, the worst state wins, lines are not broken at each word."""

from hypothesis import given
from hypothesis import strategies as st

from exports.document.document_marked_text import WORST_FIRST, Mark, Piece, cut

MARKS = st.lists(
    st.builds(Mark, st.integers(0, 60), st.integers(0, 60), st.sampled_from(WORST_FIRST)), max_size=8
)


def test_a_text_without_marks_is_one_piece():
    assert cut("Salts are unique.", []) == (Piece("Salts are unique."),)


def test_an_empty_text_has_no_pieces():
    assert cut("", [Mark(0, 5, "matched")]) == ()


def test_marks_cut_the_text():
    found = cut("Salts are unique.", [Mark(0, 5, "matched"), Mark(10, 16, "missing")])
    assert found == (Piece("Salts", "matched"), Piece(" are "), Piece("unique", "missing"), Piece("."))


def test_neighbours_of_one_state_are_one_piece():
    found = cut("heat pumps rose", [Mark(0, 4, "matched"), Mark(5, 10, "matched"), Mark(11, 15, "missing")])
    assert found == (Piece("heat pumps", "matched"), Piece(" "), Piece("rose", "missing"))


def test_words_between_are_not_marked_with_them():
    found = cut("sales of pumps", [Mark(0, 5, "matched"), Mark(9, 14, "matched")])
    assert [piece.state for piece in found] == ["matched", "", "matched"]


def test_where_marks_overlap_the_worst_wins():
    found = cut("May 2024", [Mark(0, 8, "conflicting"), Mark(0, 3, "matched")])
    assert found == (Piece("May 2024", "conflicting"),)


def test_marks_count_in_the_text_that_this_one_was_cut_from():
    assert cut("delta", [Mark(100, 103, "matched")], offset=100) == (Piece("del", "matched"), Piece("ta"))


@given(st.text(max_size=60), MARKS, st.integers(0, 30))
def test_joined_the_pieces_are_the_text(text, marks, offset):
    assert "".join(piece.text for piece in cut(text, marks, offset)) == text


@given(st.text(max_size=60), MARKS)
def test_no_two_neighbouring_pieces_have_one_state(text, marks):
    found = cut(text, marks)
    assert all(piece.text for piece in found)
    assert all(a.state != b.state for a, b in zip(found, found[1:], strict=False))


@given(st.text(max_size=60), MARKS)
def test_the_order_of_marks_does_not_matter(text, marks):
    assert cut(text, marks) == cut(text, marks[::-1])
