"""Finds places in a text, with one key for all their names, and their containment.

A key is the folded English name ("united states"), for a lesser city with its container ("paris, texas").
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from citations.entities.entity_gazetteer import City, fold, gazetteer
from citations.entities.entity_place_aliases import DOUBTFUL, DOUBTFUL_IN_LOWER_CASE
from citations.text.quote_span import Span


@dataclass(frozen=True, slots=True)
class PlaceMention:
    span: Span
    key: str


@lru_cache(maxsize=16_384)
def place_key(name: str) -> str | None:
    """Return the key of a place by its name; None for other words, and for names that more often mean something else.

    "Paris, Texas" names the city in the place after the comma.
    """
    places = gazetteer()
    if (key := places.codes.get(name.strip())) is not None:
        return key
    head, _, around = name.partition(",")
    plain = re.sub(r"'s$", "", fold(head))
    if around and (city := _city_in(plain, fold(around))):
        return city
    key = places.keys.get(plain) or places.keys.get(plain.removeprefix("the "))
    is_city_in_doubt = plain in DOUBTFUL and plain in places.cities
    return (
        key
        if key in places.known and not is_city_in_doubt and not around
        else _find_qualified_name(fold(name))
    )


def _find_qualified_name(name: str) -> str | None:
    """Return a key of this module's form as it is."""
    return name if "," in name and name in gazetteer().containers else None


def _city_in(name: str, around: str) -> str | None:
    """Return the key of the largest city of that name inside a place."""
    places = gazetteer()
    outer = places.keys.get(around) or places.states.get(around)
    if outer is None:
        return None
    if name in places.keys and name not in places.cities and contains(outer, places.keys[name]):
        return places.keys[name]
    return next((city.key for city in places.cities.get(name, ()) if _lies_in(city, outer)), None)


def _lies_in(city: City, outer: str) -> bool:
    return any(contains(outer, each) for each in city.containers)


def contains(outer: str, inner: str) -> bool:
    """True if the place `outer` is or contains `inner`; both as `place_key` returns them."""
    return outer in _around(inner)


@lru_cache(maxsize=16_384)
def _around(key: str) -> frozenset[str]:
    """Return the place and all that contain it."""
    containers = {key}
    left = [key]
    while left:
        for outer in gazetteer().containers.get(left.pop(), frozenset()) - containers:
            containers.add(outer)
            left.append(outer)
    return frozenset(containers)


def overlap(a: str, b: str) -> bool:
    """True if one is or lies in the other, or some place is known to lie in both ("asia", "middle east")."""
    return (
        contains(a, b)
        or contains(b, a)
        or b in _find_overlapping_places(a)
        or a in _find_overlapping_places(b)
    )


@lru_cache(maxsize=256)
def _find_overlapping_places(key: str) -> frozenset[str]:
    """Return the places that share a part with a place: all that contain something that lies in it.

    Empty if 80 or more places lie in it.
    """
    inside = [around for around in gazetteer().containers.values() if key in around]
    return frozenset().union(*inside) if len(inside) < 80 else frozenset()


_TOKEN = re.compile(r"(?:[A-Z]\.){2,4}|[^\W\d_]+(?:['’‐‑-][^\W\d_]+)*")
_LOCATIVE = re.compile(
    r"\b(?:in|at|near|from|to|around|outside|throughout|across|towards?|via|of|leaving|visit\w*|city|town|capital)"
    r"\s+(?:the\s+)?(?:(?:north|south|east|west|central|downtown|greater|northern|southern|eastern|western)\w*\s+)?$",
    re.IGNORECASE,
)
_MAX_WORDS = 6
_METROPOLIS = 1_000_000  # inhabitants of a city whose name is clear even in lower case


@dataclass(frozen=True, slots=True)
class _Candidate:
    first: int  # share of the tokens
    last: int
    span: Span
    name: str  # folded


def find_places(text: str) -> tuple[PlaceMention, ...]:
    """Return the places of a text, in order. Capitals are required, unless the text has none at all.

    No place is found in a longer name ("Paris Hilton", "Bank of China"), except in comma-separated lists.
    """
    tokens = list(_TOKEN.finditer(text))
    capitals = [index for index, token in enumerate(tokens) if token.group()[0].isupper()]
    return tuple(_mentions(text, tokens, capitals or range(len(tokens)), is_lower=not capitals))


def _mentions(
    text: str, tokens: Sequence[re.Match[str]], starts: Sequence[int], is_lower: bool
) -> Iterator[PlaceMention]:
    end = 0
    for index in starts:
        candidate = _candidate(text, tokens, index) if tokens[index].start() >= end else None
        if candidate is None:
            continue
        is_listed = bool(end and _LISTED.fullmatch(text[end : candidate.span.start]))
        mention = _mention(text, tokens, candidate, is_lower, is_listed)
        if mention is not None:
            yield mention
            end = mention.span.end


def _candidate(text: str, tokens: Sequence[re.Match[str]], index: int) -> _Candidate | None:
    """Return the longest name of a place that begins with a token."""
    places = gazetteer()
    first = tokens[index]
    written = fold(first.group())
    for length in range(min(places.longest.get(written.split(" ")[0], 0), _MAX_WORDS), 0, -1):
        last = min(index + length, len(tokens)) - 1
        name = fold(text[first.start() : tokens[last].end()])
        if name in places.keys or name in places.cities:
            return _Candidate(index, last, Span(first.start(), tokens[last].end()), name)
    if first.group() in places.codes:
        return _Candidate(index, index, Span(*first.span()), places.codes[first.group()])
    return None


_CODES = frozenset({"us", "uk", "eu", "uae", "drc", "prc", "nyc", "usa"})  # names in capitals only
_COMMA = re.compile(r",\s?")
_LISTED = re.compile(r",?\s(?:and\s|or\s|to\s|&\s)?")  # after a place: "Greece and Georgia"
_OPENING = re.compile(r"(?:^|[.!?:;]\s+|\n\s*)$")


def _mention(
    text: str, tokens: Sequence[re.Match[str]], candidate: _Candidate, is_lower: bool, is_listed: bool
) -> PlaceMention | None:
    places = gazetteer()
    if candidate.name in _CODES and not candidate.span.cut(text).isupper():
        is_named = is_lower and text[max(0, candidate.span.start - 4) : candidate.span.start] == "the "
        return PlaceMention(candidate.span, places.keys[candidate.name]) if is_named else None
    qualified = _read_with_container(text, tokens, candidate)
    if qualified is not None:
        return qualified
    if _is_part_of_name(text, candidate.span) and not is_lower:
        return None
    key = places.keys.get(candidate.name) or places.codes.get(candidate.span.cut(text))
    if key is None or not (is_listed or _is_meant(text, candidate, key, is_lower)):
        return None
    return PlaceMention(candidate.span, key)


def _is_meant(text: str, candidate: _Candidate, key: str, is_lower: bool) -> bool:
    """Return True if a bare name means the place: a known one, or one after "in" and the like."""
    has_cue = bool(_LOCATIVE.search(text[max(0, candidate.span.start - 40) : candidate.span.start]))
    if candidate.name in DOUBTFUL:
        return has_cue
    is_known = key in gazetteer().known
    if is_lower:
        return is_known and (has_cue or _is_plain_in_lower_case(candidate.name))
    return is_known or has_cue and not _OPENING.search(text[: candidate.span.start][-4:])


def _is_plain_in_lower_case(name: str) -> bool:
    cities = gazetteer().cities.get(name)
    is_large = not cities or " " in name or cities[0].population >= _METROPOLIS
    return len(name) > 4 and name not in DOUBTFUL_IN_LOWER_CASE and is_large


def _read_with_container(
    text: str, tokens: Sequence[re.Match[str]], candidate: _Candidate
) -> PlaceMention | None:
    """Return "Paris, Texas" or "Zurich, Switzerland" as one place."""
    if candidate.last + 1 >= len(tokens) or not _COMMA.fullmatch(
        text[candidate.span.end : tokens[candidate.last + 1].start()]
    ):
        return None
    for last in range(min(candidate.last + 3, len(tokens) - 1), candidate.last, -1):
        around = text[tokens[candidate.last + 1].start() : tokens[last].end()]
        is_name = around[0].isupper() or len(around) > 3
        key = _city_in(candidate.name, fold(around)) if is_name else None
        if key is not None:
            return PlaceMention(Span(candidate.span.start, tokens[last].end()), key)
    return None


_NAME_BEFORE = re.compile(
    r"(?P<word>[A-Z][\w’'-]*\.?|[A-Z]\.)\s(?:(?P<link>of|de|and|for|the)\s(?:the\s)?)?$"
)
_NAME_AFTER = re.compile(r"[ -](?:of\s|&\s)?[A-Z][\w’'-]*")
_NO_NAMES = frozenset(
    "in at near from to around the and or but since while when where as for by with of on if after before although "
    "however northern southern eastern western central north south east west greater downtown modern both is are "
    "was were it its he she they we this that these those there then like unlike only even many most some all between "
    "across throughout within outside inside january february march april may june july august september october "
    "november december president minister chancellor king queen prime mainland republic city county state kingdom "
    "municipality province region canton district town village island islands federal united against visiting".split()
)


def _is_part_of_name(text: str, span: Span) -> bool:
    """True in "Paris Hilton", "George Washington" and "Bank of China"; not in "In Paris" or "City of London"."""
    after = _NAME_AFTER.match(text, span.end)
    if after and after.group().strip(" -").lower() not in _NO_NAMES:
        return True
    before = _NAME_BEFORE.search(text[max(0, span.start - 30) : span.start])
    if before is None:
        return False
    word = before["word"].lower().rstrip(".")
    if before["link"] == "and":
        return False
    return word not in _NO_NAMES and place_key(before["word"]) is None
