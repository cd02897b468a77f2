"""The content of a table cell: words and, if there is one, an amount or a moment that can be ordered."""

import re
from dataclasses import dataclass
from functools import lru_cache

from citations.dates.find_dates import Moment, find_times
from citations.table_claims.claim_tokens import Token, fold, tokens
from citations.text.quote_span import Span

_EMPTY = frozenset({"", "-", "--", "n/a", "na", "n / a", "none", "nil", "tba", "tbd", "?", "unknown", "."})
_SCALES = {
    "thousand": 1e3,
    "million": 1e6,
    "mio": 1e6,
    "billion": 1e9,
    "bn": 1e9,
    "mrd": 1e9,
    "trillion": 1e12,
}
_CLOCK = re.compile(r"[+\s]*(?:(\d+):)?(\d{1,3}):(\d\d(?:\.\d+)?)\s*(?:h|hrs?|min)?\.?")
_MONTH_NAMED = re.compile(r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)", re.IGNORECASE)
_ISO_DATE = re.compile(r"\s*([12]\d{3})\s?[-/.–]\s?(\d\d)\s?[-/.–]\s?(\d\d)(?:[ t].*)?", re.IGNORECASE)
NUMERIC_DATE = re.compile(r"(?<!\d)(\d{1,2})\s?[/.]\s?(\d{1,2})\s?[/.]\s?([12]\d{3})(?!\d)")
_YEAR = re.compile(r"\s*(1[0-9]\d\d|20\d\d)\s*")
_YEARS = re.compile(r"\s*(1[0-9]\d\d|20\d\d)\s?[-–/]\s?(?:\d\d|\d{4}|present)\s*", re.IGNORECASE)
_SUM = re.compile(r"=\s*([-+]?\d+(?:\.\d+)?)\s*\)?\s*$")  # "72 - 68 = 140": the total comes last
_MAX_VALUE_LENGTH = 80  # characters; a longer cell is prose
_PARENTHESES = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_NEGATIVE = re.compile(r"[-−]\s?\d")


@dataclass(frozen=True, slots=True)
class TableCell:
    """One cell; `amount` is None unless the cell is one number, apart from a unit or a note in brackets."""

    text: str
    span: Span  # its span in the table's passage
    tokens: tuple[Token, ...]
    amount: float | None
    moment: Moment | None

    @property
    def is_empty(self) -> bool:
        return is_blank(self.text)


@lru_cache(maxsize=16_384)
def is_blank(text: str) -> bool:
    """True for a cell without content: empty, a dash, "n/a"."""
    return fold(text).strip(" \t–—−") in _EMPTY


def read_cell(text: str, span: Span) -> TableCell:
    amount, moment = _values(text)
    return TableCell(text, span, tokens(text), amount, moment)


@lru_cache(maxsize=16_384)
def _values(text: str) -> tuple[float | None, Moment | None]:
    if len(text) > _MAX_VALUE_LENGTH or is_blank(text):
        return None, None
    moment = moment_of(text)
    if moment is not None and not _YEAR.fullmatch(text):
        return None, moment
    return amount_of(text), moment


def moment_of(text: str) -> Moment | None:
    """Return the date or year in a cell; of a range its beginning."""
    if year := _YEAR.fullmatch(text):
        return Moment(int(year[1]))
    if numeric := NUMERIC_DATE.fullmatch(text.strip()):
        return _numeric_moment(*(int(part) for part in numeric.groups()))
    if years := _YEARS.fullmatch(text):
        return Moment(int(years[1]))
    if iso := _ISO_DATE.fullmatch(text):
        return _numeric_moment(*(int(part) for part in reversed(iso.groups())))
    if not any(character.isdigit() for character in text):
        return None
    if not _MONTH_NAMED.search(text):
        return None
    times = find_times(close_commas(text))
    return times[0].start if times else None


def close_commas(text: str) -> str:
    """Remove the space before commas that some tables have ("march 3 , 2008"); the length stays."""
    return text.replace(" ,", ", ")


def _numeric_moment(day: int, month: int, year: int) -> Moment | None:
    """Read day before month, or month before day if only that is possible."""
    if month > 12:
        day, month = month, day
    return Moment(year, month, day) if 1 <= month <= 12 and 1 <= day <= 31 else None


def amount_of(text: str) -> float | None:
    """Return the number of a cell; a clock time counts in seconds, and "84 - 71" has none."""
    if clock := _CLOCK.fullmatch(text):
        hours, minutes, seconds = clock.groups()
        return int(hours or 0) * 3600 + int(minutes) * 60 + float(seconds)
    if total := _SUM.search(text):
        return float(total[1])
    found = tokens(_PARENTHESES.sub(" ", text))
    numbers = [token for token in found if token.number is not None]
    if len(numbers) != 1 or len(found) > 4 or not _leads(numbers[0], found):
        return None
    return _read_signed_number(text, numbers[0]) * _scale(found)


def _leads(number: Token, found: tuple[Token, ...]) -> bool:
    """True for "35 chf", "t1" and "us$ 5", but not for a name with a number ("platform 9")."""
    before = found.index(number)
    if not number.is_digits:
        return len(found) == 1
    return before == 0 or (before == 1 and len(found[0].word) <= 2)


def _read_signed_number(text: str, token: Token) -> float:
    value = token.number or 0.0
    return -value if _NEGATIVE.match(text.strip()) else value


def _scale(found: tuple[Token, ...]) -> float:
    return next((_SCALES[token.word] for token in found if token.word in _SCALES), 1.0)
