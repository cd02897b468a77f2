"""Finds names in a text by their form: persons, organizations, products, standards, versions and places.

Lightweight: capitals, digits and the places of the gazetteer. A text in lower case has no names by form but its places;
`find_known` finds the names of another text in it.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache

from citations.dates.find_dates import find_times
from citations.entities.entity_names import entity_key
from citations.entities.entity_number_labels import blank_out, find_numbered_name_ends
from citations.entities.find_place_entities import find_places
from citations.text.claim_vocabulary import digit_runs
from citations.text.claim_words_and_stems import STOPWORDS, sentence_spans
from citations.text.quote_span import Span

__all__ = ["Entity", "entity_key", "entity_keys", "find_entities", "find_known"]


@dataclass(frozen=True, slots=True)
class Entity:
    """A name as written, and the `key` that all its spellings share.

    `is_place` is true if the text means a place; its key is one of `citations.entities.find_place_entities`.
    """

    span: Span
    text: str
    key: str
    is_place: bool = False


_SHOUTED = "SHALL|SHOULD|MUST|MAY|NOT|REQUIRED|RECOMMENDED|OPTIONAL|RESTRICTED|OR|AND"  # RFC 2119 and kin
_CAPITAL = "A-Z\u00c0-\u00d6\u00d8-\u00de\u0141\u015a\u0160\u017b\u017d\u010c\u0106\u0391-\u03a9\u0410-\u042f"
_NAME = rf"(?!(?:{_SHOUTED})\b)[{_CAPITAL}][\w’'&]*+(?:-\w++)*+"
_STANDARD = re.compile(
    r"\b(?:RFC|ISO(?:/IEC)?|IEC|SP|FIPS|CVE|CWE|EN|DIN|IEEE|NIST SP|PCI[- ]DSS)[ -]?\d[\w.-]*"
    r"(?:\s+Rev\.?\s*\d+)?"
)
# PBKDF2, SHA-256, Argon2id: with a digit somewhere
_CODED = re.compile(r"\b[A-Za-z](?=[^\W\d]*+(?:-[^\W\d]++)*+-?\d)\w*+(?:-\w++)*+")
_VERSIONED = re.compile(rf"\b({_NAME})\s+v?(\d+(?:\.\d+)+)\b")
_NUMBERED = re.compile(rf"\b{_NAME}(?:[^\S\n]+{_NAME})*[ \u00a0]\d{{1,4}}\b")  # Apollo 11, if a label
_CAMEL = re.compile(r"\b[a-z]{1,3}[A-Z]\w+")  # iPhone, eBay
_PROPER = re.compile(
    rf"\b{_NAME}(?:[^\S\n]+(?:(?:of|the|de|van|von|der|for|and|al|bin|del|di|da|du)\s+){{0,2}}{_NAME}|\s+[A-Z]\.)*"
)
_ACRONYM = re.compile(r"\b[A-Z][A-Z0-9]{1,9}s?\b")
_CALENDAR = frozenset(
    "january february march april may june july august september october november december monday tuesday wednesday "
    "thursday friday saturday sunday".split()
)
_OFFICES = frozenset(
    "president minister chancellor king queen prime republic city state government county".split()
)
_INTRODUCING = STOPWORDS | {
    "dear",
    "according",
    "like",
    "today",
    "yesterday",
    "despite",
    "let",
    "see",
    "use",
    "two",
}


@lru_cache(maxsize=4_096)
def find_entities(text: str) -> tuple[Entity, ...]:
    """Return all names in a text, in order, none inside another."""
    starts = {span.start for span in sentence_spans(text)}
    covered = bytearray(len(text))
    for mention in find_times(text):
        _take(covered, mention.span)
    entities: list[Entity] = []
    for place in find_places(text):
        if _take(covered, place.span):
            entities.append(Entity(place.span, place.span.cut(text), place.key, is_place=True))
    open_text = blank_out(text, tuple(entity.span for entity in entities))
    for span in (*_find_coded_names(open_text), *_proper(open_text, starts)):
        if _take(covered, span):
            name = span.cut(text)
            entities.append(Entity(span, name, entity_key(name)))
    return tuple(sorted(entities, key=lambda entity: entity.span.start))


def _take(taken: bytearray, span: Span) -> bool:
    """Mark a span; return False without a change if a part of it is marked already."""
    if any(taken[span.start : span.end]):
        return False
    taken[span.start : span.end] = b"\1" * len(span)
    return True


def entity_keys(text: str) -> frozenset[str]:
    return frozenset(entity.key for entity in find_entities(text))


def _find_coded_names(text: str) -> Iterator[Span]:
    if digit_runs(text):
        for pattern in (_STANDARD, _VERSIONED):
            yield from (Span(*match.span()) for match in pattern.finditer(text))
        yield from _find_numbered_names(text)
        yield from (Span(*match.span()) for match in _CODED.finditer(text))
    yield from (Span(*match.span()) for match in _CAMEL.finditer(text))


def _find_numbered_names(text: str) -> Iterator[Span]:
    ends = find_numbered_name_ends(text)
    for match in _NUMBERED.finditer(text) if ends else ():
        if match.end() in ends:
            name, start = _strip_opening(match.group(), match.start())
            yield Span(start, start + len(name))


def _proper(text: str, sentence_starts: set[int]) -> Iterator[Span]:
    entities = [
        _strip_opening(name, start)
        for match in _PROPER.finditer(text)
        for name, start in _one_by_one(match.group(), match.start())
    ]
    sentence_starts = sentence_starts | {match.end() for match in _OPENED.finditer(text)}
    sure = {
        name.split()[0] for name, start in entities if name and not _is_common(name, start in sentence_starts)
    }
    for name, start in entities:
        is_repeated = name in sure and name.casefold() not in _CALENDAR | STOPWORDS
        if name and (is_repeated or not _is_common(name, start in sentence_starts)):
            yield Span(start, start + len(name))


_OPENED = re.compile(r"[:•–—\"“|]\s+|\n\s*")  # the next word is capitalized like the start of a sentence


def _one_by_one(name: str, start: int) -> Iterator[tuple[str, int]]:
    """Split "Ann Lee and Bob Ray" into two names; "Health and Human Services" and "Food and Drug Act" stay one."""
    first, _, second = name.partition(" and ")
    if second and " " in first and " of " not in first and " for " not in first:
        yield first, start
        yield from _one_by_one(second, start + len(first) + len(" and "))
    else:
        yield name, start


def _strip_opening(name: str, start: int) -> tuple[str, int]:
    """Return the name without the capitalized function words before it: "When Peter", "The Acme"."""
    while name:
        first = name.split(None, 1)[0]
        if first.casefold() not in _INTRODUCING:
            break
        rest = name[len(first) :].lstrip()
        start, name = start + len(name) - len(rest), rest
    return name, start


def _is_common(name: str, opens_sentence: bool) -> bool:
    """True for a word that is capitalized at the start of a sentence, or belongs to the calendar."""
    if name.casefold() in _CALENDAR or name.casefold() in STOPWORDS or len(name) < 2 or name[0].islower():
        return True
    is_single = " " not in name.removesuffix(" I")  # "Yeah I", not "World War I"
    if is_single and name.casefold() in _OFFICES:
        return True
    return is_single and opens_sentence and not _ACRONYM.fullmatch(name)


_TOKEN = re.compile(r"[^\W_]+(?:[-'’.][^\W_]+)*")


def find_known(text: str, keys: Collection[str]) -> tuple[Entity, ...]:
    """Find names with one of the `keys` in a text of any case, where another text shows that they are names.

    For chats and tables without capitals. Of nested names the longest is found.
    """
    longest = max((key.count(" ") + 1 for key in keys), default=0)
    tokens = list(_TOKEN.finditer(text))
    entities: list[Entity] = []
    end = 0
    for index, token in enumerate(tokens):
        if token.start() >= end and (
            entity := _find_known_entity(text, tokens[index : index + longest], keys)
        ):
            entities.append(entity)
            end = entity.span.end
    return tuple(entities)


def _find_known_entity(text: str, tokens: list[re.Match[str]], keys: Collection[str]) -> Entity | None:
    for last in reversed(tokens):
        name = text[tokens[0].start() : last.end()]
        key = entity_key(name)
        if key in keys and name.casefold() not in STOPWORDS:
            return Entity(Span(tokens[0].start(), last.end()), name, key)
    return None
