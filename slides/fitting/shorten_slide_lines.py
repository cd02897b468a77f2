"""Shortens a line that is too long to a head with an ellipsis; callers put the whole text elsewhere. Pure."""

from collections.abc import Callable
from math import ceil

from slides.fitting.measure_slide_text import load, width

ELLIPSIS = "…"
_MIN_WORDS = 3
_ENDS_OF_CLAUSES = (",", ";", ":", ".", "?", "!", "–", "—", "，", "、", "。", "；", "：", "？", "！")
_BEGIN_PHRASES = frozenset(
    "and or but than that which who when where while if because for with without in on at by from to of after before "
    "und oder aber als dass wenn wo weil für mit ohne in im an auf bei von zu nach vor".split()
)
_CAPITALS = 1.15  # average width of a letter in a title in sentence case


def letters(text: str) -> int:
    return max(len(text), ceil(width(text) / _CAPITALS))


def to_letters(text: str, most: int) -> str:
    """Return the words that fit, followed by an ellipsis; the text itself if it fits."""
    return text if letters(text) <= most else _head(text, lambda head: letters(head) <= most)


def to_words(text: str, most: int) -> str:
    return text if load(text) <= most else _head(text, lambda head: load(head) <= most)


def to_width(text: str, most: int) -> str:
    """Return the text, shortened to a line of at most so many letters of average width."""
    return text if width(text) <= most else _head(text, lambda head: width(head) <= most)


def split_off_head(text: str, most: int, most_words: int) -> tuple[str, str]:
    """Split the text into a head of at most `most` letters and a rest of at most `most_words` words, adding no
    letter.

    It is split after a clause, else before a word that begins a phrase, else between any two words. The rest has
    several words if possible: a single word below a title looks like a mistake.
    """
    words = text.split()
    counts = range(max(1, len(words) - _MIN_WORDS), 0, -1)
    fitting = [count for count in counts if letters(" ".join(words[:count])) <= most]
    if not fitting:
        return to_letters(text, most), text
    seams = [
        count for count in fitting if count >= _MIN_WORDS and load(" ".join(words[count:])) <= most_words
    ]
    clauses = [count for count in seams if words[count - 1].endswith(_ENDS_OF_CLAUSES)]
    begins = [word.casefold() in _BEGIN_PHRASES for word in words]
    phrases = [count for count in seams if begins[count] and not begins[count - 1]]
    count = next(iter((*clauses, *phrases, *fitting)))
    return " ".join(words[:count]), " ".join(words[count:])


def _head(text: str, fits: Callable[[str], bool]) -> str:
    words = text.split()
    for count in range(len(words) - 1, 0, -1):
        head = " ".join(words[:count]).rstrip(",;:–—") + ELLIPSIS
        if fits(head):
            return head
    for end in range(len(text) - 1, 0, -1):
        if fits(text[:end] + ELLIPSIS):
            return text[:end] + ELLIPSIS
    return ELLIPSIS
