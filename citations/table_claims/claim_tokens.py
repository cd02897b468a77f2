"""Normalized words and numbers of a claim or a cell.

Tables are written tersely ("28 - 28 - 11", "1,080 (x2)", "31 / 05 / 1975") and claims are not, so punctuation is
dropped, accents and case folded, number words read, and words stemmed. Folding keeps lengths: every token knows its
place in the original text.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from citations.text.claim_number_words import UNITS_AND_TENS
from citations.text.claim_words_and_stems import STOPWORDS, stem

MAX_TOKENS = 200  # of one text; the rest of a claim or a cell is not read

_TOKEN = re.compile(
    r"""(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d,])|\d+(?:\.\d+)?)(?P<ordinal>(?:st|nd|rd|th)(?![^\W_]))?
      | (?P<word>[^\W\d_](?:[^\W\d_]|[\u0300-\u036f])*)""",
    re.VERBOSE,
)
_AGENT = re.compile(r"(?<=\w{5})[eo]r$")  # "visitors" are counted where people "visited"
_MARKS = re.compile(r"[\u0300-\u036f]")
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
_WORD_ORDINALS = {word: float(number) for number, word in enumerate(_ORDINALS, 1)}
# Forms that a stemmer cannot unite, with their stem.
_IRREGULAR = {
    form: forms.split()[0]
    for forms in (
        "win won winner winning victory victorious",
        "lose lost loss loser losing defeat",
        "draw drew drawn tie tied",
        "write wrote written writer",
        "direct director",
        "produc producer",
        "sing sang sung singer",
        "build built builder",
        "drive drove driven driver",
        "ride rode ridden rider",
        "beat beaten",
        "score scorer",
        "attend attendance attendee attendees crowd",
        "found founded founder",
        "locat location located",
        "die died death",
        "speak spoke spoken speaker",
        "hold held holder",
        "lead led leader leading",
        "run ran runner",
        "january jan",
        "february feb",
        "march mar",
        "april apr",
        "june jun",
        "july jul",
        "august aug",
        "september sep sept",
        "october oct",
        "november nov",
        "december dec",
    )
    for form in forms.split()
}


@dataclass(frozen=True, slots=True)
class Token:
    """A word or number; `key` is compared, `number` is its value, [start, end) its place in the text."""

    key: str
    start: int
    end: int
    word: str  # folded, not stemmed; digits as written
    number: float | None = None
    is_ordinal: bool = False

    @property
    def is_digits(self) -> bool:
        return self.word[0].isdecimal()

    @property
    def is_content(self) -> bool:
        return self.number is not None or (len(self.word) > 1 and self.word not in STOPWORDS)


@lru_cache(maxsize=4_096)
def _fold_character(character: str) -> str:
    """Return the base letter in lower case; always one character, so that offsets stay."""
    base = unicodedata.normalize("NFKD", character)[:1].lower()
    return base if len(base) == 1 else character


def fold(text: str) -> str:
    """Return lower case without accents, of the same length."""
    lowered = text.lower()
    if lowered.isascii():
        return lowered
    return "".join(map(_fold_character, text))


@lru_cache(maxsize=65_536)
def word_key(word: str) -> str:
    """Return the comparison key of a folded word: its stem, or that of the word it is an irregular form of."""
    plain = _MARKS.sub("", word)
    return _IRREGULAR.get(plain) or _AGENT.sub("", stem(plain))


def _number_key(value: float) -> str:
    return f"#{int(value)}" if value == int(value) else f"#{value!r}"


@lru_cache(maxsize=65_536)
def tokens(text: str) -> tuple[Token, ...]:
    """Return the tokens of a text, in order; at most MAX_TOKENS."""
    found = []
    for match in _TOKEN.finditer(fold(text)):
        found.append(_token(match))
        if len(found) == MAX_TOKENS:
            break
    return tuple(found)


def _token(match: re.Match[str]) -> Token:
    start, end = match.span()
    written = match.group()
    if digits := match["number"]:
        value = float(digits.replace(",", "")[:300])
        return Token(_number_key(value), start, end, written, value, match["ordinal"] is not None)
    if written in UNITS_AND_TENS:
        value = float(UNITS_AND_TENS[written])
        return Token(_number_key(value), start, end, written, value)
    if written in _WORD_ORDINALS:
        value = _WORD_ORDINALS[written]
        return Token(_number_key(value), start, end, written, value, is_ordinal=True)
    return Token(word_key(written), start, end, written)
