"""Labelled values of a text: rows of tables, lines, definitions, sections and sentences, with their places."""

import re
from dataclasses import dataclass
from enum import IntEnum

from citations.text.quote_span import Span
from research.pipelines.table.table_column_amounts import Unit


class StatementForm(IntEnum):
    """The form in which a label and its value appear together, the plainest first."""

    CELL = 0
    LINE = 1
    SECTION = 2
    SENTENCE = 3  # "The capital is Kabul."
    LOOSE = 4  # a sentence with the column's words somewhere in it


@dataclass(frozen=True, slots=True)
class LabelledValue:
    """A label, where its value stands, and the words that are quoted for it: both with their offsets in the text.

    `year` is the time that it names for itself ("Population (2020)"), `unit` what the amounts of its column or table
    are in. `comma_is_decimal`: how its table writes figures.
    """

    label: str
    value: Span
    quote: Span
    form: StatementForm
    is_former: bool = False
    year: int | None = None
    unit: Unit | None = None
    comma_is_decimal: bool | None = None


_FORMER = re.compile(
    r"\b(?:former(?:ly)?|previous(?:ly)?|older|old|outdated|obsolete|superseded|earlier|no longer|until|used to|once|"
    r"historic(?:al)?(?:ly)?|prior|ex|then[- ]current|last year['’]s|withdrawn|ehemals|früher(?:e[rns]?)?)\b",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")


def is_former(words: str) -> bool:
    """True for words that call what they tell a thing of the past: "An older edition gave ...", "former capital"."""
    return bool(_FORMER.search(words))


def year_of(label: str) -> int | None:
    """The year that a label names: "Population (2020)", "Revenue, 2019"; None for none or several."""
    found = set(_YEAR.findall(label))
    return int(found.pop()) if len(found) == 1 else None


_EDGES = " \t\n*_`\"“”„‘’'|•·"


def trim_span(text: str, start: int, end: int) -> Span:
    """A stretch without space and marks of emphasis at its ends, and without its full stop."""
    while start < end and text[start] in _EDGES:
        start += 1
    while end > start and text[end - 1] in _EDGES:
        end -= 1
    if (
        end > start
        and text[end - 1] == "."
        and not re.search(r"(?:\.[A-Za-z]|\b[A-Z]|\b(?:Inc|Ltd|Co|Corp|St|Jr|Sr))\.$", text[start:end])
    ):
        end -= 1
    return Span(start, end)


def plain_label(label: str) -> str:
    return label.strip(_EDGES + ":=–—-").strip()
