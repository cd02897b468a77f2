"""Text without the marks of its markup: emphasis, code ticks, roles, links, and the numbers of its notes."""

import re
from dataclasses import dataclass

from citations.text.quote_span import Span

_ROLE = r":[a-z][\w.+:-]*:(?=`)"
_LINK = r"!?\[(?=[^\[\]]*\]\()|\]\((?:[^()\s]|\([^()]*\))*(?:\s+\"[^\"]*\")?\)|\s*<[^<>\s]*>(?=`)"
# Between two letters or digits they are no marks: "2**16", "snake_case".
_EMPHASIS = r"(?<![\w*`])[*`_]++|(?<![*`_])[*`_]++(?![^\W_])|~(?=[^\W\d_])|\\(?=[^\w\s])"
_REFERENCE = r"(?<=[^\W\d_]|[.!?`*)])\s?\[(?:#?\d{1,3}|citation needed)\]_?(?=[\s.,;:!?)]|$)"
_NOTE = r"(?<=[^\W\d_][.!?])\d{1,3}(?=\s+[\"“(*_`]*[A-Z]|\s*$)"  # 24 in "such a drive.24 If"
_MARKS = re.compile("|".join((_ROLE, _LINK, _EMPHASIS)))
_MARKS_AND_NOTES = re.compile("|".join((_ROLE, _LINK, _REFERENCE, _NOTE, _EMPHASIS)))


@dataclass(frozen=True, slots=True)
class UnmarkedText:
    """A text without its marks, and where in the marked text each of its characters stands."""

    text: str
    offsets: tuple[int, ...]

    def span_in_marked(self, span: Span) -> Span:
        """Return the range of the marked text that a range of this text stands for; it must not be empty."""
        return Span(self.offsets[span.start], self.offsets[span.end - 1] + 1)


def strip_marks(text: str, *, and_notes: bool = False) -> UnmarkedText:
    """Return the text without the marks of Markdown and reStructuredText; `and_notes`: nor the numbers of its notes.

    What looks like the number of a note may be a figure: take notes off a source alone, never off what is said of it.

    >>> strip_marks("- _Rationale:_ such a drive.24 **See** :class:`~hashers.Argon2` [3].", and_notes=True).text
    '- Rationale: such a drive. See hashers.Argon2.'
    """
    offsets = list[int]()
    end = 0
    for mark in (_MARKS_AND_NOTES if and_notes else _MARKS).finditer(text):
        offsets += range(end, mark.start())
        end = mark.end()
    offsets += range(end, len(text))
    return UnmarkedText("".join(text[place] for place in offsets), tuple(offsets))
