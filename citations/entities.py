"""Names in a text: persons, organizations, products, standards, versions and places, by their form.

Light on purpose: capitals, digits and known place names. A text in lower case throughout has no names by
form; callers compare content words then.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from citations.normalizing import Span, normalize
from citations.places import PLACES, place_key
from citations.times import find_times
from citations.wording import STOPWORDS, sentence_spans


@dataclass(frozen=True, slots=True)
class Entity:
    """A name as written, and the `key` under which spellings of one name meet."""

    span: Span
    text: str
    key: str


_SHOUTED = "SHALL|SHOULD|MUST|MAY|NOT|REQUIRED|RECOMMENDED|OPTIONAL|RESTRICTED|OR|AND"  # RFC 2119 and kin
_NAME = rf"(?!(?:{_SHOUTED})\b)[A-Z][\w’'&]*(?:-\w+)*"
_STANDARD = re.compile(
    r"\b(?:RFC|ISO(?:/IEC)?|IEC|SP|FIPS|CVE|CWE|EN|DIN|IEEE|NIST SP|PCI[- ]DSS)[ -]?\d[\w.-]*"
    r"(?:\s+Rev\.?\s*\d+)?"
)
_CODED = re.compile(
    r"\b(?=[\w-]*[A-Za-z])(?=[\w-]*\d)[A-Za-z][\w]*(?:-[\w]+)*\b"
)  # PBKDF2, SHA-256, Argon2id
_VERSIONED = re.compile(rf"\b({_NAME})\s+v?(\d+(?:\.\d+)+)\b")
_PROPER = re.compile(rf"\b{_NAME}(?:\s+(?:(?:of|the|de|van|von|der|for|and)\s+){{0,2}}{_NAME}|\s+[A-Z]\.)*")
_ACRONYM = re.compile(r"\b[A-Z][A-Z0-9]{1,9}s?\b")
_CALENDAR = frozenset(
    (
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
    )
    + ("december", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
)
_ARTICLE = re.compile(r"^(?:The|A|An|In|On|At|By|For|This|These|Its|His|Her|Their|If|When|While|As)\s+")


def entity_key(name: str) -> str:
    """The normal form of a name: "the W3C's" and "W3C", "NIST SP 800-63B" and "SP 800-63B" meet."""
    plain = re.sub(r"['’]s$", "", _ARTICLE.sub("", name.strip()))
    key = re.sub(r"[^\w.]+", " ", normalize(plain)).strip()
    return place_key(key) or re.sub(r"^nist sp\b", "sp", key)


@lru_cache(maxsize=4_096)
def find_entities(text: str) -> tuple[Entity, ...]:
    """All names in a text, in order, none inside another."""
    starts = {span.start for span in sentence_spans(text)}
    taken = [mention.span for mention in find_times(text)]
    found: list[Entity] = []
    for span in (*_coded(text), *_proper(text, starts), *_places(text)):
        if not any(span.start < each.end and each.start < span.end for each in taken):
            name = span.cut(text)
            found.append(Entity(span, name, entity_key(name)))
            taken.append(span)
    return tuple(sorted(found, key=lambda entity: entity.span.start))


def entity_keys(text: str) -> frozenset[str]:
    return frozenset(entity.key for entity in find_entities(text))


def _coded(text: str) -> Iterator[Span]:
    for pattern in (_STANDARD, _VERSIONED, _CODED):
        for match in pattern.finditer(text):
            yield Span(*match.span())


_PLACE_NAMES = "|".join(sorted(map(re.escape, PLACES), key=len, reverse=True))
_PLACE = re.compile(rf"\b(?:{_PLACE_NAMES})\b", re.IGNORECASE)


def _places(text: str) -> Iterator[Span]:
    for match in _PLACE.finditer(text):
        # "us" and "turkey" are names only when written so; longer names in any case.
        if len(match.group()) > 6 or match.group()[0].isupper():
            yield Span(*match.span())


def _proper(text: str, sentence_starts: set[int]) -> Iterator[Span]:
    for match in _PROPER.finditer(text):
        start, end = match.span()
        opening = _ARTICLE.match(match.group())
        if opening:
            start += opening.end()
        name = text[start:end]
        if name and not _is_common(name, start in sentence_starts):
            yield Span(start, end)


def _is_common(name: str, opens_sentence: bool) -> bool:
    """True for a word that has its capital from the start of a sentence or from the calendar."""
    if name.casefold() in _CALENDAR or name.casefold() in STOPWORDS or len(name) < 2:
        return True
    is_single = " " not in name
    return is_single and opens_sentence and not _ACRONYM.fullmatch(name)
