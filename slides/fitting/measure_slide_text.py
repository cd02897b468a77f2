"""Measures the space that text takes, in words of average length. Pure.

Budgets count words. Text of long words, of capitals or of a script without blanks takes more space than its word
count suggests, so its width is counted instead: 60 words are at most 450 letters of average width. Such text fits the
box of a content slide in the widest of the themes' fonts (Poppins, 0.58 em a letter).
"""

from collections.abc import Iterable
from functools import lru_cache
from math import ceil
from unicodedata import east_asian_width

LETTERS_A_WORD = 7.5  # including the following blank
LETTERS_A_LINE = 62  # of the body's box
GAP_LINES = 0.52  # 20 px between lines that are 39 px high
_WIDE = frozenset("WMmw@%—…")


def load(text: str) -> int:
    """Return the number of words, or of average words of the same width if that is more; 0 for blank text."""
    return max(len(text.split()), ceil(width(text) / LETTERS_A_WORD))


def lines(texts: Iterable[str], letters: int = LETTERS_A_LINE, gap: float = GAP_LINES) -> float:
    """Return the height of the texts in lines of `letters` letters, in the widest font.

    `gap` is the space between two texts, in lines.
    """
    heights = [_lines(text, letters) for text in texts]
    return sum(heights) + gap * max(0, len(heights) - 1)


@lru_cache(maxsize=4096)
def _lines(text: str, letters: int) -> int:
    """Break lines like browsers: a word that does not fit starts the next line, and is broken if it is longer than a
    line.
    """
    count, used = 0, float(letters)
    for word in text.split():
        wide = width(word)
        if used + 1 + wide <= letters:
            used += 1 + wide
        else:
            count += max(1, ceil(wide / letters))
            used = wide % letters if wide > letters else wide
    return count


def find_balanced_width(text: str, letters: float) -> float:
    """Return the smallest line length, in letters, at which the text takes no more lines than with `letters`.

    The lines are then of about equal length.
    """
    whole = max(1, int(letters))
    count = _lines(text, whole)
    return next((few for few in range(1, whole) if _lines(text, few) <= count), whole)


@lru_cache(maxsize=4096)
def width(text: str) -> float:
    """Return the width in letters of average width; runs of blanks count once."""
    return sum(map(_letter, " ".join(text.split())))


def _letter(letter: str) -> float:
    if letter < "\x7f":
        return 1.6 if letter in _WIDE else 1.25 if letter.isupper() else 1.0
    return 2.0 if east_asian_width(letter) in "WF" else 1.25 if letter.isupper() else 1.0
