"""The context of a quantity, from the words around it: its bound, what it counts, its rate, and whether it is past."""

import re
from dataclasses import dataclass

from citations.quantities.quantity_types import BoundKind
from citations.text.claim_vocabulary import vocabulary
from citations.text.claim_words_and_stems import STOPWORDS, is_plural, lexemes, stem
from citations.text.quote_span import Span

_REACH, _REACH_AFTER = 80, 60  # characters before and after that are examined


@dataclass(frozen=True, slots=True)
class Context:
    """`head` is the stem of what is counted, the first plural of `nouns`; `per` is "" if it is not a rate."""

    bound: BoundKind
    head: str
    nouns: frozenset[str]
    subject: frozenset[str]
    per: str
    is_former: bool


_LESS = r"less|fewer|shorter|lower|smaller|younger|lighter"
_MORE = r"more|longer|greater|larger|higher|older|bigger|heavier"
_BEFORE = (
    (
        BoundKind.AT_LEAST,
        rf"at (?:the very )?least|(?:no|not|never|nothing)(?: be)? (?:{_LESS}) than|not (?:below|under)"
        r"|min(?:imum(?: \w+){0,2} (?:of|is)|\.)?|≥|>=|mindestens|au moins|starting at",
    ),
    (
        BoundKind.AT_MOST,
        rf"at (?:the very )?most|(?:no|not|never|nothing)(?: be)? (?:{_MORE}) than|not (?:over|above)"
        r"|up to|as (?:many|much) as|≤|<=|max(?:imum(?: \w+){0,2} (?:of|is)|\.)?|not exceed(?:ing)?"
        r"|within|höchstens|bis zu|au plus|jusqu['’]à|capped at|limited to",
    ),
    (
        BoundKind.MORE_THAN,
        rf"(?:{_MORE}) than|(?:well |just |slightly )?over|exceed(?:s|ed|ing)?|(?:well |just )?above|>|upwards? of"
        r"|in excess of|surpass(?:es|ed|ing)?|mehr als|über|plus de",
    ),
    (
        BoundKind.LESS_THAN,
        rf"(?:{_LESS}) than|(?:well |just |slightly )?under|(?:well |just )?below|<|weniger als|unter|moins de"
        r"|short of",
    ),
    (
        BoundKind.ABOUT,
        r"about|around|approximately|approx\.?|nearly|roughly|almost|circa|ca\.?|c\.|~|≈|∼|some|close to|or so|"
        r"an? estimated|estimated(?: at| to be)?|an? average of|in the region of|etwa|rund|environ|fast|gut",
    ),
)
_BOUND_BEFORE = re.compile(
    r"[(“\"—–]?(?:"
    + "|".join(rf"(?P<{bound.name}>{pattern})" for bound, pattern in _BEFORE)
    + r")\s*(?:an? |the |some )?",
    re.IGNORECASE,
)
_WORD_START = re.compile(r"(?:^|(?<=\s))\S")
_BOUND_AFTER = (
    (
        BoundKind.AT_LEAST,
        re.compile(
            r"\s?(?:[\w%]+\s){0,2}(?:or|and) (?:more|longer|greater|higher|above|over|up|older|larger|beyond)\b"
            r"|\s?(?:\w+\s)?(?:or )?at (?:the )?(?:very )?least\b|\s?(?:\w+\s)?minimum\b|\s?plus\b(?!\s?\d)",
            re.IGNORECASE,
        ),
    ),
    (
        BoundKind.AT_MOST,
        re.compile(
            r"\s?(?:[\w%]+\s){0,2}(?:or|and) (?:less|fewer|shorter|lower|below|under|younger|smaller)\b"
            r"|\s?(?:\w+\s)?(?:or )?at (?:the )?(?:very )?most\b|\s?(?:\w+\s)?maximum\b",
            re.IGNORECASE,
        ),
    ),
    (BoundKind.ABOUT, re.compile(r"\s?(?:\w+\s)?(?:or so|or thereabouts|give or take)\b", re.IGNORECASE)),
)
_GROWTH = re.compile(r"\bCAGR\b|compound(?:ed)? annual", re.IGNORECASE)
_FORMER = re.compile(r"(?<!range )(?<!ranges )(?<!ranging )\bfrom\s+(?:\w+\s+)?\S{0,3}$", re.IGNORECASE)
_CHANGED_FROM = re.compile(
    r"\b(?:to|at|reach\w*|hit|by)\s+(?:\w+\s+)?\S*\d[^.;]{0,30}?,?\s+(?:up\s|down\s)?from\s+\S{0,3}$",
    re.IGNORECASE,
)
_CHANGED_BACK = re.compile(r"\b(?:up|down)\s+from\s+\S{0,3}$", re.IGNORECASE)
_CHANGE_TO = re.compile(r"[^.;]{0,40}?\bto\b\s+(?:\w+\s+)?\S{0,3}\d", re.IGNORECASE)


def read_context(text: str, span: Span) -> Context:
    before = text[max(0, span.start - _REACH) : span.start]
    after = text[span.end : span.end + _REACH_AFTER]
    per, taken = _per(after)
    named = _nouns(after[taken:])
    former = _is_former(before, after)
    return Context(
        bound=BoundKind.EXACT if former else _find_bound(before, after),
        head=_head(named),
        nouns=frozenset(stem(each) for each in named[:3]),
        subject=_subject(before),
        per=per,
        is_former=former,
    )


def tells_growth(text: str, span: Span) -> bool:
    """True if the words around call it a compound annual rate."""
    return bool(_GROWTH.search(text[max(0, span.start - _REACH) : span.end + _REACH_AFTER]))


def _is_former(before: str, after: str) -> bool:
    if not _FORMER.search(before):
        return False
    if _CHANGED_FROM.search(before) or _CHANGED_BACK.search(before):
        return True
    return bool(_CHANGE_TO.match(after))


def _find_bound(before: str, after: str) -> BoundKind:
    for bound, behind in _BOUND_AFTER:
        if behind.match(after):
            return bound
    near = before[-40:]
    for start in [match.start() for match in _WORD_START.finditer(near)][-7:]:
        ahead = _BOUND_BEFORE.fullmatch(near, start)
        if ahead is not None and ahead.lastgroup is not None:
            return BoundKind[ahead.lastgroup]
    return BoundKind.EXACT


_TIME_OF = {
    "annum": "year",
    "annually": "year",
    "yearly": "year",
    "annual": "year",
    "yr": "year",
    "p.a.": "year",
} | {
    "monthly": "month",
    "weekly": "week",
    "daily": "day",
    "hourly": "hour",
    "nightly": "night",
    **{
        each: each
        for each in ("second", "minute", "hour", "day", "night", "week", "month", "quarter", "year")
    },
    "h": "hour",
    "capita": "person",
    "head": "person",
    "people": "person",
    "persons": "person",
    "inhabitants": "person",
    "residents": "person",
    "capitum": "person",
}
_PER = re.compile(
    r"\s?(?:/\s?|per\s+|(?:an?|each|every)\s+(?=(?:second|minute|hour|day|night|week|month|quarter|year)\b))"
    r"(?P<number>\d[\d,. ]*\d\s+|\d\s+|hundred\s+|thousand\s+|million\s+)?(?P<what>[^\W\d_]+)"
    r"|\s(?P<adverb>annually|yearly|monthly|weekly|daily|hourly|nightly|p\.a\.)",
    re.IGNORECASE,
)
_BASE = re.compile(
    r"(?<=\bper\s)(?:\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)|\d+(?:[.,]\d+)*)(?:\s(?:hundred|thousand|million)\b)?",
    re.IGNORECASE,
)
_REST = re.compile(r"\s+[^\W\d_]+(?=\s?/|\s+per\s|\s+an?\s+(?:second|minute|hour|day|week|month|year)\b)")


def rate_bases(text: str) -> tuple[Span, ...]:
    """Return the spans of the bases of rates: the 100,000 of "50 per 100,000 people", which counts nothing."""
    return tuple(Span(*match.span()) for match in _BASE.finditer(text)) if "per" in vocabulary(text) else ()


def _per(after: str) -> tuple[str, int]:
    """Return the unit of a rate, "" for none, and its length in `after`: "per 100,000 people" → "100000 person"."""
    if match := _PER.match(after):
        return _rate(match), match.end()
    rest = _REST.match(after)  # "50 deaths per year": the rate follows what is counted
    if rest and (match := _PER.match(after, rest.end())):
        return _rate(match), 0
    return "", 0


def _rate(match: re.Match[str]) -> str:
    if match["adverb"]:
        return _TIME_OF[match["adverb"].lower()]
    what = match["what"].lower()
    number = re.sub(r"[\s,]|\.(?=\d{3})", "", match["number"] or "").lower()
    return f"{number} {_TIME_OF.get(what, stem(what))}".strip()


_CLAUSE = re.compile(r"[.;:!?()\[\]|\n\0]|,\s")
_SKIPPED = frozenset(
    "of the a an more different other additional or all its their his her our your these those new total per".split()
)
_BOUND_STEMS = frozenset(
    {"least", "minimum", "maximum", "approxim", "near", "rough", "estim", "total", "averag"}
)
_LONGEST = 4


def _nouns(after: str) -> tuple[str, ...]:
    """Return up to four words that follow without a break, as "characters" in "8 characters in length"."""
    clause = _CLAUSE.split(after, maxsplit=1)[0]
    nouns: list[str] = []
    for word in lexemes(clause):
        plain = word.text.lower()
        is_end = plain in STOPWORDS and plain not in _SKIPPED
        if is_end or plain[0].isdecimal() or len(nouns) == _LONGEST:
            break
        if plain not in _SKIPPED:
            nouns.append(word.text)
    return tuple(nouns)


def _head(named: tuple[str, ...]) -> str:
    """Return the stem of the first plural, or of the first word: "user" of "new active users joined"."""
    plural = next((each for each in named[:3] if is_plural(each)), None)
    return stem(plural or named[0]) if named else ""


def _subject(before: str) -> frozenset[str]:
    """Return stems of the last content words before, in the same clause: "a work factor of" → work, factor."""
    clause = re.split(r"[.;:!?|\n]\s", before)[-1]
    content = [word for word in lexemes(clause) if word.is_content and not word.text[0].isdecimal()]
    return frozenset(word.stem for word in content[-6:]) - _BOUND_STEMS
