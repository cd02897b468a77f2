"""Text without the marks of its markup: emphasis, code ticks, roles, links, numbers of notes."""

import re
from dataclasses import dataclass

from citations.text.normalizing import Span

_ROLE = r":[a-z][\w.+:-]*:(?=`)"
_LINK = r"!?\[(?=[^\[\]]*\]\()|\]\((?:[^()\s]|\([^()]*\))*(?:\s+\"[^\"]*\")?\)|\s*<[^<>\s]*>(?=`)"
_REFERENCE = r"\s*\[(?:#?\d{1,3}|citation needed)\]_?"
_NOTE = r"(?<=[^\W\d_][.,;:!?)])\d{1,3}(?=\s|$)"  # 24 in "such a drive.24 If": never behind a figure
_EMPHASIS = r"[*`]+|~(?=[^\W\d_])|(?<![^\W_])_+|_+(?![^\W_])|\\(?=[^\w\s])"
_MARKS = re.compile("|".join((_ROLE, _LINK, _REFERENCE, _NOTE, _EMPHASIS)))


@dataclass(frozen=True, slots=True)
class UnmarkedText:
    """A text without its marks, and where in the marked text each of its characters stands."""

    text: str
    offsets: tuple[int, ...]

    def span_in_marked(self, span: Span) -> Span:
        """Return the range of the marked text that a range of this text stands for; it must not be empty."""
        return Span(self.offsets[span.start], self.offsets[span.end - 1] + 1)


def strip_marks(text: str) -> UnmarkedText:
    """Return the text without the marks of Markdown and reStructuredText, and without the numbers of notes.

    >>> strip_marks("- _Rationale:_ such a drive.24 **See** :class:`~hashers.Argon2` [3].").text
    '- Rationale: such a drive. See hashers.Argon2.'
    """
    offsets = list[int]()
    end = 0
    for mark in _MARKS.finditer(text):
        offsets += range(end, mark.start())
        end = mark.end()
    offsets += range(end, len(text))
    return UnmarkedText("".join(text[place] for place in offsets), tuple(offsets))
