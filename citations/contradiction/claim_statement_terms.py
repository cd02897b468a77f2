"""A statement as a sequence of terms: figures, times, names and words, each with a key that is the same for all its
spellings.

A term is compared as a unit: "1.5 million" is one, so is "16 November 1959". Long statements are read up to
`MAX_TERMS`, so that a comparison never takes long.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from citations.dates.find_dates import TimeMention, find_times
from citations.entities.entities import find_entities
from citations.entities.find_place_entities import place_key
from citations.find_quantities import Quantity, find_quantities
from citations.quantities.quantity_types import QuantityKind
from citations.text.claim_polarity import negations
from citations.text.claim_words_and_stems import STOPWORDS, stem
from citations.text.quote_normalizing import normalize
from citations.text.quote_span import Span

MAX_TERMS = 160
MAX_CHARACTERS = 2_000


class TermSort(StrEnum):
    """The function of a term in its statement; it determines which terms may replace it."""

    FIGURE = "figure"
    TIME = "time"
    NAME = "name"
    NEGATION = "negation"
    LOGIC = "logic"  # and, or
    SCOPE = "scope"  # all, most, some, only
    ORDER = "order"  # an end of an order, a side of a bound: first, more, before
    MODAL = "modal"  # may, should
    WORD = "word"
    FUNCTION = "function"


@dataclass(frozen=True, slots=True)
class Term:
    """A term. `key` is equal for spellings of one thing; its quantity or time is stored beside it."""

    span: Span
    text: str
    key: str
    sort: TermSort
    quantity: Quantity | None = None
    time: TimeMention | None = None

    @property
    def is_content(self) -> bool:
        return self.sort is not TermSort.FUNCTION


_TOKEN = re.compile(
    r"\d+(?:[.,:'’/]\d+)*(?:st|nd|rd|th)?(?![^\W\d_])"  # 1,200; 17:30; 3/4; 4th
    r"|[^\W_]+(?:['’&.][^\W_]+)*"
    r"|[%€£$¥]"
)
_COMPOUND = re.compile(
    r"\d+(?:[/:]\d+)+(?:\.\d+)?|\d+(?:[-‐‑–]\d+){2,}(?:=\d+)?"
)  # 31/05/1975, 1:52.3, 6-4-2
_SYMBOLS = {"%": "percent", "€": "euro", "£": "pound", "$": "dollar", "¥": "yen"}
_SCOPE = {
    "all": "all every each entire both whole",
    "majority": "majority mostly mainly",
    "some": "some several few partly",
    "only": "only sole solely just alone exactly",
    "any": "any either",
    "none": "none nobody nothing neither",
    "except": "except excluding",
}
_ORDER = {  # words for the same end of an order have one key
    "more": "more greater larger higher bigger over above exceeding exceeds exceed exceeded beyond",
    "less": "less fewer smaller lower under below within",
    "most": "most greatest largest biggest highest maximum",
    "least": "least fewest smallest lowest minimum",
    "before": "before prior until earlier",
    "after": "after since later",
    "first": "first earliest",
    "last": "last latest final",
    "same": "same equal identical",
    "different": "different another",
}
_MORE_ORDER = """
second third next previous former latter early late longer longest shorter shortest older oldest younger youngest
newer newest better best worse worst top bottom up down
"""
_MODALS = {
    "may": "may might could possibly perhaps",
    "should": "should ought",
    "must": "must shall",
    "likely": "probably",
}


def _index_by_key(lines: dict[str, str]) -> dict[str, str]:
    return {word: key for key, some in lines.items() for word in some.split()}


_KEYS = (
    (TermSort.SCOPE, _index_by_key(_SCOPE)),
    (TermSort.ORDER, {word: word for word in _MORE_ORDER.split()} | _index_by_key(_ORDER)),
    (TermSort.MODAL, _index_by_key(_MODALS)),
    (TermSort.LOGIC, {"and": "and", "or": "or"}),
)
_ONCE = {"one": 1, "once": 1, "single": 1, "twice": 2, "thrice": 3}  # "one" alone is not a quantity
# Not content, yet not among the function words of words_and_stems.py.
_FILLERS = frozenset("well yes yeah ok okay oh hi hey really actually interestingly also indeed then".split())
_LOWER_US = re.compile(r"\bthe (?P<name>us|usa|uk|u\.s\.)(?=\W|$)")  # "us" without its article is a pronoun
_DIGITS = re.compile(r"\d")


@lru_cache(maxsize=32_768)
def terms(text: str) -> tuple[Term, ...]:
    """Return the terms of a statement in their order, at most MAX_TERMS."""
    text = text[:MAX_CHARACTERS]
    wholes = _remove_overlaps([*_times(text), *_compounds(text), *_figures(text), *_find_place_terms(text)])
    negated = negations(text)
    names = [entity.span for entity in find_entities(text)]
    found = list(wholes)
    for start, end in _between([whole.span for whole in wholes], len(text)):
        found += [_term(match, negated, names) for match in _TOKEN.finditer(text, start, end)]
    return tuple(sorted(found, key=lambda each: each.span.start)[:MAX_TERMS])


def _remove_overlaps(some: list[Term]) -> list[Term]:
    """Return the terms in order, without those that begin inside an earlier one; of ties the first given wins."""
    kept: list[Term] = []
    for term in sorted(some, key=lambda each: each.span.start):
        if not kept or kept[-1].span.end <= term.span.start:
            kept.append(term)
    return kept


def _between(spans: list[Span], end: int) -> Iterator[tuple[int, int]]:
    position = 0
    for span in spans:
        yield position, span.start
        position = span.end
    yield position, end


def _compounds(text: str) -> Iterator[Term]:
    for match in _COMPOUND.finditer(text):
        yield Term(Span(*match.span()), match.group(), normalize(match.group()), TermSort.FIGURE)


def _times(text: str) -> Iterator[Term]:
    for time in find_times(text):
        moments = (time.start, time.end or time.start)
        key = "/".join(f"{each.year or ''}-{each.month or ''}-{each.day or ''}" for each in moments)
        yield Term(time.span, time.text, f"time {key}", TermSort.TIME, time=time)


def _figures(text: str) -> Iterator[Term]:
    for each in find_quantities(text):
        sort = TermSort.ORDER if each.kind is QuantityKind.ORDINAL else TermSort.FIGURE
        # A growth rate is recognized by other words; its figure is a percentage like others.
        kind = QuantityKind.PERCENT if each.kind is QuantityKind.GROWTH else each.kind
        key = f"{kind} {each.unit} {each.low:.9g} {each.high:.9g}"
        yield Term(each.span, each.text, key, sort, quantity=each)


def _find_place_terms(text: str) -> Iterator[Term]:
    """Yield places of one or more words, each as one term, so that "the US" meets "the United States"."""
    spans = [entity.span for entity in find_entities(text)]
    spans += [Span(*match.span("name")) for match in _LOWER_US.finditer(text)]
    for span in spans:
        written = re.sub(r"['’]s?$", "", span.cut(text))
        if key := place_key(written):
            yield Term(span, written, key, TermSort.NAME)


def _term(match: re.Match[str], negated: tuple[Span, ...], names: list[Span]) -> Term:
    span, written = Span(*match.span()), match.group()
    key, sort = _classify_word(written)
    if negated and any(span.within(each) or each.within(span) for each in negated):
        sort = TermSort.NEGATION
    elif names and sort in _NAMING and any(span.within(each) for each in names):
        sort = TermSort.NAME
    return Term(span, written, key, sort)


_NAMING = frozenset({TermSort.WORD, TermSort.FIGURE})  # possible parts of a name


@lru_cache(maxsize=65_536)
def _classify_word(written: str) -> tuple[str, TermSort]:
    """Return key and sort of a word, as far as they do not depend on its position."""
    plain = normalize(written)
    if plain in _ONCE:
        return f"count  {_ONCE[plain]} {_ONCE[plain]}", TermSort.FIGURE
    for sort, keys in _KEYS:
        if plain in keys:
            return keys[plain], sort
    key = _SYMBOLS.get(written) or stem(plain)
    if plain in _FILLERS or re.split("['’]", plain, maxsplit=1)[0] in STOPWORDS:
        return key, TermSort.FUNCTION
    return key, TermSort.FIGURE if _DIGITS.search(plain) else TermSort.WORD
