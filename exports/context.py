"""The words around a quote, as a reader is shown them. Pure: text in, pieces of text out."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from exports.pieces import Mark, Piece, cut

CONTEXT = 240  # characters of the source shown on either side of a quote
_BLANK_LINES = re.compile(r"\n\s*\n")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """A quote with the words on either side, in pieces by what a claim finds there."""

    before: tuple[Piece, ...] = ()
    quote: tuple[Piece, ...] = ()
    after: tuple[Piece, ...] = ()


def surroundings(around: str, start: int, end: int, marks: Sequence[Mark]) -> Surroundings:
    """`around` is text[start - CONTEXT : end + CONTEXT] of a source whose text[start:end] is quoted.

    The marks count in the source's text.
    """
    begin = min(start, CONTEXT)
    first = start - begin  # of `around`, in the source's text
    quote = begin, begin + end - start
    before, after = around[: quote[0]], around[quote[1] :]
    skipped, kept = _skipped(before), _kept(after)
    return Surroundings(
        before=(_ellipsis(skipped) + _lines(cut(before[skipped:], marks, first + skipped))),
        quote=cut(around[quote[0] : quote[1]], marks, start),
        after=(_lines(cut(after[:kept], marks, end)) + _ellipsis(len(after) - kept)),
    )


def _skipped(before: str) -> int:
    """How many characters are left out in front: up to the first whole word, where more was cut off."""
    return 0 if len(before) < CONTEXT else len(before) - len(before.partition(" ")[2])


def _kept(after: str) -> int:
    """How many characters are kept: up to the last whole word, where more was cut off."""
    return len(after) if len(after) < CONTEXT else len(after.rpartition(" ")[0])


def _ellipsis(left_out: int) -> tuple[Piece, ...]:
    return (Piece("…"),) if left_out else ()


def _lines(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """One line a paragraph."""
    return tuple(Piece(_BLANK_LINES.sub("\n", piece.text), piece.state) for piece in pieces)
