"""A quote in its surroundings: whole words, ellipses, and marks that stay on their words."""

from hypothesis import given
from hypothesis import strategies as st

from exports.document.document_marked_text import Mark, Piece
from exports.document.document_quote_context import CONTEXT, surroundings

TEXT = "Alpha beta. Gamma delta. Epsilon zeta."


def around(text: str, start: int, end: int) -> str:
    return text[max(0, start - CONTEXT) : end + CONTEXT]


def join_pieces(pieces: tuple[Piece, ...]) -> str:
    return "".join(piece.text for piece in pieces)


def test_a_short_text_is_shown_whole():
    found = surroundings(TEXT, 12, 24, [])
    assert (join_pieces(found.before), join_pieces(found.quote), join_pieces(found.after)) == (
        "Alpha beta. ",
        "Gamma delta.",
        " Epsilon zeta.",
    )


def test_context_is_cut_at_words_and_says_so():
    text = "word " * 200
    found = surroundings(around(text, 500, 504), 500, 504, [])
    assert join_pieces(found.before).startswith("…word")
    assert join_pieces(found.after).endswith("word…")


def test_a_text_without_blanks_keeps_its_context():
    text = "測定値は二を上回った。" * 100
    found = surroundings(around(text, 500, 510), 500, 510, [])
    assert join_pieces(found.before) == f"…{text[500 - CONTEXT : 500]}"
    assert join_pieces(found.after) == f"{text[510 : 510 + CONTEXT]}…"


def test_paragraphs_of_the_context_stand_one_below_the_other():
    assert join_pieces(surroundings("One.\n\n \nTwo.", 0, 4, []).after) == "\nTwo."


def test_marks_lie_on_the_same_words_wherever_they_stand():
    marks = [Mark(6, 10, "matched"), Mark(12, 17, "matched"), Mark(25, 32, "conflicting")]
    found = surroundings(TEXT, 12, 24, marks)
    assert [piece.text for piece in found.before if piece.state] == ["beta"]
    assert [piece.text for piece in found.quote if piece.state] == ["Gamma"]
    assert [piece.text for piece in found.after if piece.state] == ["Epsilon"]


def test_marks_stay_on_their_words_after_a_cut():
    text = "filler " * 100 + "wanted here"
    start = text.index("here")
    mark = Mark(text.index("wanted"), text.index("wanted") + 6, "matched")
    found = surroundings(around(text, start, start + 4), start, start + 4, [mark])
    assert [piece.text for piece in found.before if piece.state] == ["wanted"]


@given(st.text(min_size=1, max_size=700), st.data())
def test_the_quote_is_the_texts_own_words(text, data):
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    found = surroundings(around(text, start, end), start, end, [Mark(0, len(text), "matched")])
    assert join_pieces(found.quote) == text[start:end]
