"""Splits a text into pieces by the marks on it. Pure: offsets in, pieces of text out."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

# If marks overlap, the most important state wins.
WORST_FIRST = ("conflicting", "missing", "matched")


@dataclass(frozen=True, slots=True)
class Mark:
    """A span [start, end) of a text in a state of `WORST_FIRST`."""

    start: int
    end: int
    state: str


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of text in one state; the state is "" for unmarked text."""

    text: str
    state: str = ""


def cut(text: str, marks: Iterable[Mark], offset: int = 0) -> tuple[Piece, ...]:
    """Split the text into pieces, which make up the text when joined.

    Positions of marks count from `offset` before the text's beginning. Marks that reach beyond the text are clipped.
    Two pieces of one state with only blanks between them are merged.
    """
    states = [""] * len(text)
    ordered = sorted(marks, key=lambda mark: -_rank(mark.state))
    for mark in ordered:
        start = min(len(text), max(0, mark.start - offset))
        end = min(len(text), max(start, mark.end - offset))
        states[start:end] = [mark.state] * (end - start)
    return tuple(_build_pieces(text, states))


def _rank(state: str) -> int:
    return WORST_FIRST.index(state) if state in WORST_FIRST else len(WORST_FIRST)


def _build_pieces(text: str, states: Sequence[str]) -> list[Piece]:
    groups = groupby(zip(text, states, strict=True), key=itemgetter(1))
    return _merge_across_blanks(
        [Piece("".join(character for character, _ in group), state) for state, group in groups]
    )


def _merge_across_blanks(pieces: Sequence[Piece]) -> list[Piece]:
    """Merge pieces of one state that only a blank separates, so that underlining is not interrupted between words."""
    merged: list[Piece] = []
    for piece in pieces:
        is_after_blank = len(merged) > 1 and not merged[-1].state and not merged[-1].text.strip(" ")
        if is_after_blank and piece.state and merged[-2].state == piece.state:
            blank = merged.pop()
            merged[-1] = Piece(merged[-1].text + blank.text + piece.text, piece.state)
        else:
            merged.append(piece)
    return merged
