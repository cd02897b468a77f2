"""The words that invert a statement, and those that express certainty or obligation.

Used to find a mismatch between a claim and the sentence it is compared with, so each list holds only words that do so
by themselves: "whereas" and "however" refute nothing and are in none of them.
"""

import re
from enum import IntEnum
from functools import lru_cache

from citations.text.claim_words_and_stems import is_adverb, lexemes, stem
from citations.text.quote_span import Span

_NEGATION = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot|lacks?|lacked|fail(?:s|ed|ing)? to|"
    r"refus(?:e[sd]?|ing|al) to|declin(?:e[sd]?|ing) (?:to|an?|any|all|offers?)|turn(?:s|ed|ing)? down|"
    r"yet to|den(?:y|ies|ied|ying)|prohibit\w*|forbid\w*|unable|far from|avoid(?:s|ed|ing)?|"
    r"hardly|barely|scarcely|rarely|seldom|few|(?:rare|uncommon) (?:for|to|that)|"
    r"little (?:or no|evidence|effect|impact|influence|difference)|"
    r"instead of|rather than|stay(?:s|ed)? away from|stop(?:s|ped) short of|"
    r"free of|exempt from)\b|\b\w+n['’]t\b|\bunlike\b",
    re.IGNORECASE,
)
# Words of negation that negate nothing: "not only", "no doubt", bounds of quantities. "no longer" is a real one.
# one.
_NO_NEGATION = re.compile(
    r"\bnot only\b|\bno doubt\b|\b(?:no|not) (?:be )?(?:less|fewer|more|shorter|longer|greater|lower) than\b"
    r"|\bnot to mention\b|\bwith or without\b|\bwhether or not\b|\bif not\b|\bnot just\b|\bno\. ?\d"
    r"|\b(?:an?|the|first|last|past|next|every|these|those|within|as|too|several) few\b"
    r"|\bfew (?:hundred|thousand|dozen)\b"
    r"|\bnot (?:rarely|seldom|a few)\b",
    re.IGNORECASE,
)

_ANTONYM_LINES = """
rise rose risen raise increase grow climb gain expand up higher / fall decrease decline drop shrink down lower reduce
more greater larger longer higher / less fewer smaller shorter lower
best / worst
first / last
before / after
above / below
allow permit / prohibit forbid disallow ban
accept / reject
include / exclude
enable / disable
win won winner / lose lost loser loss defeat
begin start / end finish stop
hot / cold
fast faster quick rapid / slow slower slowly
gain / lose lost loss
likely / unlikely
deep deeper / shallow shallower
wide wider / narrow narrower
rich richer / poor poorer
thick thicker / thin thinner
always / never
most / least
early earlier earliest / late later latest
old oldest older / new newest newer young youngest
strong stronger / weak weaker
safe secure / unsafe insecure
major majority / minor minority
male / female
north northern / south southern
east eastern / west western
success successful succeed / failure unsuccessful fail
possible / impossible
legal / illegal
public / private
maximum / minimum
highest largest biggest longest tallest greatest / lowest smallest shortest
positive / negative
support / oppose
better / worse
simple / complex
required mandatory / optional
cause / prevent
import / export
buy bought / sell sold
arrive / depart
open / close closed
alive living / dead deceased
common / rare uncommon
present / absent
temporary / permanent
urban / rural
married / divorced
ancient / modern
victory / defeat
indoor / outdoor
""".strip()


@lru_cache(maxsize=1)
def _opposites() -> dict[str, frozenset[str]]:
    opposites: dict[str, set[str]] = {}
    for line in _ANTONYM_LINES.splitlines():
        left, right = ({stem(word) for word in side.split()} for side in line.split("/"))
        for side, opposite in ((left, right), (right, left)):
            for each in side:
                opposites.setdefault(each, set()).update(opposite - side)
    return {each: frozenset(others) for each, others in opposites.items()}


_PREFIXES = ("un", "in", "im", "ir", "dis", "non", "non-")
# Words that only look negated: another word stands behind their first letters.
_UNTURNED = """
disambiguate disappoint disaster discard discharge disclose disconcert discord discount discourse discover
discriminate discuss disease dismiss dispatch display dispose disposition dissect disseminate dissolution dissolve
distract distribute
immediate immigrate impact impair impart impending imperial impersonate impinge implant import impose impound impress
imprint imprison improvise impulse
inbound incentive incite income increase incredible indebted indeed indent indian indiana indifferent indoor induct
infield inflame inflate inform informatics ingrained ingram inhabit injury inland inmate inpatient inproceedings input
inquest inroad inscribe insect insert inside insight inspect inspire install instance instead instruct insult insure
intact intake intend intense intent intern intone invaluable invent inverse invest invoice involve inward
irradiate irrigate
unanimous uncle under unfold uniform union unique unison unit universe unless unported unprecedented
"""


@lru_cache(maxsize=1)
def _build_false_opposites() -> frozenset[str]:
    return frozenset(map(stem, _UNTURNED.split()))


@lru_cache(maxsize=16_384)
def are_opposites(a: str, b: str) -> bool:
    """True for two stems of opposite meaning ("rise" and "fall", "safe" and "unsafe"); symmetric."""
    if b in _opposites().get(a, ()):
        return True
    short, long = sorted((a, b), key=len)
    if len(short) < 4 or long in _build_false_opposites():
        return False
    return any(long == prefix + short for prefix in _PREFIXES)


def opposites(stem: str) -> frozenset[str]:
    """Return stems that may be opposite to this one, to be confirmed by `are_opposites`."""
    prefixed = (prefix + stem for prefix in _PREFIXES)
    shorn = (stem.removeprefix(prefix) for prefix in _PREFIXES if stem.startswith(prefix))
    return _opposites().get(stem, frozenset()).union(prefixed, shorn)


@lru_cache(maxsize=2_048)  # a claim and its sentence, which several rules need
def negations(text: str) -> tuple[Span, ...]:
    """Return the spans of the negations in a text."""
    idle = [Span(*match.span()) for match in _NO_NEGATION.finditer(text)]
    found = (Span(*match.span()) for match in _NEGATION.finditer(text))
    return tuple(span for span in found if not any(span.within(each) for each in idle))


_SCOPE_BREAK = re.compile(
    r"[,;:()]|\b(?:but|although|though|while|whereas|however|because|since|and that)\b", re.IGNORECASE
)


def find_negated_stems(text: str) -> frozenset[str]:
    """Return stems in the scope of a negation: the five content words after it, or before a break of the clause."""
    reached: set[str] = set()
    for negation in negations(text):
        clause = _SCOPE_BREAK.split(text[negation.end :], maxsplit=1)[0]
        content = [word.stem for word in lexemes(clause) if word.is_content]
        reached.update(content[:5])
    return frozenset(reached)


_OF_A_SUBJECT = re.compile(r"(?:no|none|neither|nor|few)$", re.IGNORECASE)


def find_negated_heads(text: str, *, of_subjects: bool = True) -> frozenset[str]:
    """Return the stem that each negation denies directly: "was not sold in France" denies selling, not France.

    Without `of_subjects`, negations of a subject are left out: "no farmer", "neither of the mayors".
    """
    found = find_denied_words(text, of_subjects=of_subjects)
    return frozenset(denied[0] for denied in found)


def find_denied_words(text: str, *, of_subjects: bool = True) -> tuple[tuple[str, ...], ...]:
    """Return, for each negation, the stems in its scope; the first is the one that it denies directly."""
    found = []
    for negation in negations(text):
        if of_subjects or not _OF_A_SUBJECT.match(negation.cut(text)):
            clause = _SCOPE_BREAK.split(text[negation.end :], maxsplit=1)[0]
            content = [word.stem for word in lexemes(clause) if word.is_content and not is_adverb(word.text)]
            found += [tuple(content)] * bool(content)
    return tuple(found)


class Force(IntEnum):
    """The degree to which a sentence is binding or certain, weakest first; NONE for a plain statement."""

    NONE = 0
    MAY = 1
    SHOULD = 2
    MUST = 3


_FORCE = (
    (
        Force.MUST,
        re.compile(
            r"\b(?:shall|must|requir(?:e[sd]?|ing)|(?:has|have|needs?|needed) to|mandatory|obligatory)\b",
            re.IGNORECASE,
        ),
    ),
    (
        Force.SHOULD,
        re.compile(r"\b(?:should|ought to|(?:is|are) (?:\w+ )?recommended|recommends?)\b", re.IGNORECASE),
    ),
    (
        Force.MAY,
        re.compile(
            r"\b(?:may|might|could|possibly|perhaps|(?:is|are) (?:allowed|permitted) to|optional(?:ly)?)\b",
            re.IGNORECASE,
        ),
    ),
)
_HEDGE = re.compile(
    r"\b(?:may|might|can|could|possibly|perhaps|probably|likely|suggests?|appears? to|seems? to|potentially|"
    r"arguably|is thought to|are thought to|is believed to|are believed to|allegedly|reportedly)\b",
    re.IGNORECASE,
)
_MAY_MONTH = re.compile(r"\bMay(?=\s+\d|,)|\b(?:in|since|of|until|by|during) May\b|\d\s+May\b")


def force(text: str) -> Force:
    """Return the strongest modal of a text."""
    plain = _MAY_MONTH.sub(" ", text)
    return next((force for force, pattern in _FORCE if pattern.search(plain)), Force.NONE)


def is_hedged(text: str) -> bool:
    """True if the text says that something may be so, not that it is."""
    return bool(_HEDGE.search(_MAY_MONTH.sub(" ", text)))


_SCOPE = (
    (2, re.compile(r"\b(?:nearly|almost) (?:all|every|everyone)\b", re.IGNORECASE)),
    (
        3,
        re.compile(
            r"\b(?:all|every|everyone|always|each|entire|entirely|completely|100 ?%)\b", re.IGNORECASE
        ),
    ),
    (2, re.compile(r"\b(?:most|majority|mostly|mainly)\b", re.IGNORECASE)),
    (
        1,
        re.compile(
            r"\b(?:some|sometimes|several|many|half|often|a few|partly|certain|occasionally)\b", re.IGNORECASE
        ),
    ),
)


def breadth(text: str) -> int:
    """Return the share of a group that a text refers to: 3 for all, 2 for most, 1 for some or many, 0 if not stated."""
    return next((rank for rank, pattern in _SCOPE if pattern.search(text)), 0)


_ATTRIBUTION = re.compile(
    r"\b(?:claims?|claimed|argues?|argued|alleges?|alleged|believes?|believed|according to|critics|opponents|"
    r"proponents|some say|it is (?:often |widely )?(?:said|believed|claimed|argued)|myth|misconception)\b",
    re.IGNORECASE,
)


def is_attributed(text: str) -> bool:
    """True if a sentence describes a position of others, which is then not the source's own."""
    return bool(_ATTRIBUTION.search(text))
