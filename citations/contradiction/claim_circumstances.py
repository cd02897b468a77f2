"""The circumstances in which two statements may differ: times, groups, units and places.

If these differ, both statements may hold. This is shown to the readers of a contradiction, and decides nothing.
"""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import product
from typing import Protocol, TypeVar

from citations.dates.find_dates import Period, TimeMention, find_times
from citations.entities.entities import Entity, find_entities
from citations.entities.find_place_entities import overlap
from citations.find_quantities import find_quantities
from citations.quantities.quantity_types import Quantity, QuantityKind
from citations.text.claim_words_and_stems import content_stems

MAX_NAMED = 4  # words of a side that are shown for a circumstance


class CircumstanceKind(StrEnum):
    DATE = "date"
    POPULATION = "population"
    UNIT = "unit"
    PLACE = "place"


class CircumstanceStanding(StrEnum):
    APART = "apart"
    ONE_SIDED = "one_sided"  # only one statement has it
    SHARED = "shared"
    UNNAMED = "unnamed"


@dataclass(frozen=True, slots=True)
class QuotedStatement:
    """A statement with its quotes and, if known, the publication date of its source."""

    text: str
    quotes: tuple[str, ...] = ()
    published: Period | None = None


@dataclass(frozen=True, slots=True)
class ComparedCircumstance:
    """A circumstance in the words of both sides; () for a side that does not name it."""

    circumstance: CircumstanceKind
    mine: tuple[str, ...]
    theirs: tuple[str, ...]
    standing: CircumstanceStanding


def compare_circumstances(a: QuotedStatement, b: QuotedStatement) -> tuple[ComparedCircumstance, ...]:
    """Compare all four circumstances, in the order of the enum."""
    return (
        _dates(a, b),
        _compare_circumstance(CircumstanceKind.POPULATION, a, b, _groups, _is_one_group),
        _compare_circumstance(CircumstanceKind.UNIT, a, b, _find_cardinal_quantities, _is_one_unit),
        _compare_circumstance(CircumstanceKind.PLACE, a, b, _find_places, _is_one_place),
    )


class _SupportsText(Protocol):
    @property
    def text(self) -> str: ...


Named = TypeVar("Named", bound=_SupportsText)


def _read_with_fallback(account: QuotedStatement, read: Callable[[str], Sequence[Named]]) -> Sequence[Named]:
    """Return what `read` finds in the statement, or else in the first of its quotes in which it finds anything."""
    return next((found for text in (account.text, *account.quotes) if (found := read(text))), ())


def _compare_circumstance(
    which: CircumstanceKind,
    a: QuotedStatement,
    b: QuotedStatement,
    read: Callable[[str], Sequence[Named]],
    meet: Callable[[Named, Named], bool],
) -> ComparedCircumstance:
    mine, theirs = _read_with_fallback(a, read), _read_with_fallback(b, read)
    return ComparedCircumstance(which, _words(mine), _words(theirs), _compare_side(mine, theirs, meet))


def _compare_side(
    mine: Collection[Named], theirs: Collection[Named], meet: Callable[[Named, Named], bool]
) -> CircumstanceStanding:
    if not mine and not theirs:
        return CircumstanceStanding.UNNAMED
    if not mine or not theirs:
        return CircumstanceStanding.ONE_SIDED
    is_shared = any(meet(first, second) for first, second in product(mine, theirs))
    return CircumstanceStanding.SHARED if is_shared else CircumstanceStanding.APART


@dataclass(frozen=True, slots=True)
class _CircumstanceGroup:
    text: str
    stems: frozenset[str]


def _words(named: Sequence[_SupportsText]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text.text for text in named))[:MAX_NAMED]


def _dates(a: QuotedStatement, b: QuotedStatement) -> ComparedCircumstance:
    """Compare times. A statement without a time of its own gets its publication date, without words."""
    mine, theirs = _read_with_fallback(a, find_times), _read_with_fallback(b, find_times)
    standing = _compare_side(mine, theirs, TimeMention.overlaps)
    if standing in (CircumstanceStanding.UNNAMED, CircumstanceStanding.ONE_SIDED) and _are_apart(
        _periods(a, mine), _periods(b, theirs)
    ):
        standing = CircumstanceStanding.APART
    return ComparedCircumstance(CircumstanceKind.DATE, _words(mine), _words(theirs), standing)


def _periods(account: QuotedStatement, named: Sequence[TimeMention]) -> Sequence[Period]:
    found = [mention.period for mention in named if mention.period is not None]
    return found or ([account.published] if account.published and not named else [])


def _are_apart(mine: Sequence[Period], theirs: Sequence[Period]) -> bool:
    return bool(mine and theirs) and not any(
        first.overlaps(second) for first, second in product(mine, theirs)
    )


_KINDS = (
    "new|old|young|older|younger|elderly|pregnant|healthy|adult|female|male|urban|rural|single|private|public|small|"
    "large|existing|monitored|detached|residential|commercial|low-income|high-income"
)
_GROUP = re.compile(
    rf"\b(?:(?:{_KINDS})\s+)*(?:children|adolescents|teenagers|adults|elderly|women|men|girls|boys|infants|students|"
    r"pupils|patients|participants|respondents|volunteers|veterans|smokers|workers|employees|drivers|farmers|"
    r"households|families|residents|citizens|people|consumers|customers|users|tenants|owners|companies|firms|"
    r"businesses|schools|hospitals|homes|houses|buildings|cities|countries|mice|rats)\b"
    r"(?:\s+(?:aged|under|over|above|below)\s+\d+)?",
    re.IGNORECASE,
)


def _groups(text: str) -> Sequence[_CircumstanceGroup]:
    return [
        _CircumstanceGroup(match.group(), content_stems(match.group())) for match in _GROUP.finditer(text)
    ]


def _is_one_group(first: _CircumstanceGroup, second: _CircumstanceGroup) -> bool:
    """True if one includes the other: "homes" includes "new homes", but "old homes" does not."""
    return first.stems <= second.stems or second.stems <= first.stems


def _find_cardinal_quantities(text: str) -> Sequence[Quantity]:
    return [quantity for quantity in find_quantities(text) if quantity.kind is not QuantityKind.ORDINAL]


def _is_one_unit(first: Quantity, second: Quantity) -> bool:
    """Return True if both have the same unit; for counts also the same thing counted, where both name it."""
    if (first.kind, first.unit) != (second.kind, second.unit):
        return False
    return (
        first.kind is not QuantityKind.COUNT or not first.head or not second.head or first.head == second.head
    )


def _find_places(text: str) -> Sequence[Entity]:
    return [entity for entity in find_entities(text) if entity.is_place]


def _is_one_place(first: Entity, second: Entity) -> bool:
    return overlap(first.key, second.key)
