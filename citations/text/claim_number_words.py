"""Parses English number words: "two hundred and fifty thousand", "twenty-first", "two thirds"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from citations.text.claim_vocabulary import digit_runs, vocabulary
from citations.text.quote_span import Span

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
UNITS_AND_TENS: dict[str, int] = {word: number for number, word in enumerate(_ONES)}
UNITS_AND_TENS |= {word: 10 * number for number, word in enumerate(_TENS, 2)}
MULTIPLIERS: dict[str, float] = {
    "dozen": 12,
    "hundred": 100,
    "thousand": 1e3,
    "lakh": 1e5,
    "million": 1e6,
    "crore": 1e7,
    "billion": 1e9,
    "trillion": 1e12,
}

_LOW_ORDINALS = (
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
    "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
).split()
_ORDINALS: dict[str, int] = {word: number for number, word in enumerate(_LOW_ORDINALS)}
_ORDINALS |= {word.removesuffix("y") + "ieth": 10 * number for number, word in enumerate(_TENS, 2)}
_ORDINALS |= {"hundredth": 100}
# Fractions, by the word that names them; "second" and "first" name none.
DENOMINATORS: dict[str, int] = {"half": 2, "halves": 2, "quarter": 4, "quarters": 4}
DENOMINATORS |= {word: number for word, number in _ORDINALS.items() if number > 2}
DENOMINATORS |= {word + "s": number for word, number in _ORDINALS.items() if number > 2}


def _either(words: dict[str, int] | dict[str, float]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_SMALL = _either(UNITS_AND_TENS)
_LARGE = _either(MULTIPLIERS)
_CARDINAL = re.compile(
    rf"""\b(?:(?:an?\s+)(?=(?:{_LARGE})\b)|(?={_SMALL}))
        (?:{_SMALL}|{_LARGE})
        (?:(?:\s+and\s+|\s*[-‐‑\s]\s*)(?:{_SMALL}|{_LARGE})(?=[\s\W]|$))*\b""",
    re.VERBOSE | re.IGNORECASE,
)
_PIECE = re.compile(rf"\b(?:{_SMALL}|{_LARGE}|an?|and)\b", re.IGNORECASE)
ORDINAL_PATTERN = rf"(?:(?:{'|'.join(_TENS)})[-‐‑\s])?(?:{_either(_ORDINALS)})"
_ORDINAL = re.compile(rf"\b{ORDINAL_PATTERN}\b", re.IGNORECASE)
_ORDINAL_DIGITS = re.compile(r"(?<![\w.,])(\d{1,3})(?:st|nd|rd|th)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class WordNumber:
    """A number in words, at `span`."""

    span: Span
    value: float


@dataclass(slots=True)
class _Sum:
    """A number as its words are read: thousands and more so far, and the part below the next of them."""

    total: float = 0.0
    below: float = 0.0
    ceiling: float = float("inf")  # the next multiplier must be smaller: no "thousand million"
    last: float = 0.0  # of the words so far; 0 for none
    start: int = -1
    end: int = -1

    @property
    def value(self) -> float:
        return self.total + self.below

    def takes(self, value: float, is_multiplier: bool) -> bool:
        if self.start < 0:
            return True
        if is_multiplier:
            return self._takes_multiplier(value)
        if self.last >= 100:  # "two hundred" five, "a thousand" twenty
            return self.below % 100 == 0 and self.last != 12
        return self.last in range(20, 100, 10) and 0 < value < 10

    def _takes_multiplier(self, value: float) -> bool:
        if value == 100:
            return 0 < self.below < 100
        return self.below > 0 and value < self.ceiling or self.last == 1e3 and value == 1e9

    def add(self, value: float, is_multiplier: bool, start: int, end: int) -> None:
        if not is_multiplier:
            self.below += value
        elif value in (12, 100):
            self.below = max(self.below, 1.0) * value
        elif self.last == 1e3 and not self.below:  # "a thousand billion"
            self.total *= value
        else:
            self.total += max(self.below, 1.0) * value
            self.below, self.ceiling = 0.0, value
        self.last, self.end = value, end
        self.start = start if self.start < 0 else self.start


def cardinals(text: str) -> Iterator[WordNumber]:
    """Yield the numbers in words, in order: "twenty-five", "a hundred and one thousand", "a dozen"."""
    words = vocabulary(text)
    if words.isdisjoint(UNITS_AND_TENS) and words.isdisjoint(MULTIPLIERS):
        return
    for match in _CARDINAL.finditer(text):
        yield from _split(match.group(), match.start())


def _split(run: str, offset: int) -> Iterator[WordNumber]:
    """Yield the numbers of a run of number words, which may hold several: "two and three", "nine ten"."""
    current = _Sum()
    article = -1  # position of an "a" that may count as one
    joins = True  # "and" joins only after a hundred or more
    for piece in _PIECE.finditer(run):
        word = piece.group().lower()
        if word in ("a", "an"):
            article = piece.start()
        elif word == "and":
            joins = current.last >= 100
        else:
            value, is_multiplier = _value(word)
            if not (joins and current.takes(value, is_multiplier)):
                yield _build_word_number(current, offset)
                current = _Sum()
            current.add(value, is_multiplier, piece.start() if article < 0 else article, piece.end())
            article, joins = -1, True
    if current.start >= 0:
        yield _build_word_number(current, offset)


def _build_word_number(found: _Sum, offset: int) -> WordNumber:
    return WordNumber(Span(offset + found.start, offset + found.end), found.value)


def _value(word: str) -> tuple[float, bool]:
    if word in MULTIPLIERS:
        return MULTIPLIERS[word], True
    return float(UNITS_AND_TENS[word]), False


def ordinals(text: str) -> Iterator[WordNumber]:
    """Yield ranks in words and digits: "first", "twenty-third", "41st"."""
    if not vocabulary(text).isdisjoint(_ORDINALS):
        for match in _ORDINAL.finditer(text):
            yield WordNumber(Span(*match.span()), float(ordinal_value(match.group())))
    for start in digit_runs(text):
        if digits := _ORDINAL_DIGITS.match(text, start):
            yield WordNumber(Span(*digits.span()), float(digits[1]))


def ordinal_value(written: str) -> int:
    """Return the rank of an ordinal in words: 21 for "twenty-first"."""
    *tens, last = re.split(r"[-‐‑\s]", written.lower())
    return _ORDINALS[last] + sum(UNITS_AND_TENS[word] for word in tens)
