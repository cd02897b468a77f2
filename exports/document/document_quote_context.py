"""The words around a quote, for readers. Pure: text in, pieces of text out."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from exports.document.document_marked_text import Mark, Piece, cut

CONTEXT = 240  # characters on either side of a quote
MAX_WORD_LENGTH = 40  # characters within which a word boundary is searched
_BLANK_LINES = re.compile(r"\n\s*\n")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """A quote with the words on either side, in pieces by their alignment with the claim."""

    before: tuple[Piece, ...] = ()
    quote: tuple[Piece, ...] = ()
    after: tuple[Piece, ...] = ()


def surroundings(around: str, start: int, end: int, marks: Sequence[Mark]) -> Surroundings:
    """Split the text around a quote into pieces; `around` is text[start - CONTEXT : end + CONTEXT] of a source.

    The marks are offsets in the source's text.
    """
    begin = min(start, CONTEXT)
    first = start - begin  # the offset of `around` in the source's text
    quote = begin, begin + end - start
    before, after = around[: quote[0]], around[quote[1] :]
    goes_before, goes_on = len(before) >= CONTEXT, len(after) >= CONTEXT
    skipped, kept = first_word(before) if goes_before else 0, last_word(after) if goes_on else len(after)
    return Surroundings(
        before=(_ellipsis(goes_before) + _lines(cut(before[skipped:], marks, first + skipped))),
        quote=cut(around[quote[0] : quote[1]], marks, start),
        after=(_lines(cut(after[:kept], marks, end)) + _ellipsis(goes_on)),
    )


def first_word(cut_off: str) -> int:
    """Return the start of the first whole word in a text whose beginning was cut off.

    If there is no blank near the beginning, as in Japanese, the whole text is kept.
    """
    return cut_off.find(" ", 0, MAX_WORD_LENGTH) + 1


def last_word(cut_off: str) -> int:
    """Return the end of the last whole word in a text whose end was cut off.

    If there is no blank near the end, as in Japanese, the whole text is kept.
    """
    end = cut_off.rfind(" ", max(0, len(cut_off) - MAX_WORD_LENGTH))
    return len(cut_off) if end < 0 else end


def _ellipsis(is_cut: bool) -> tuple[Piece, ...]:
    return (Piece("…"),) if is_cut else ()


def _lines(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """Remove blank lines, so that each paragraph is one line."""
    return tuple(Piece(_BLANK_LINES.sub("\n", piece.text), piece.state) for piece in pieces)
