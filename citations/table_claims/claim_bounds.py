"""Finds bounds in a claim: "more than 500", "at least 3", "after May 1990", "between 10 and 20"."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from citations.dates.find_dates import Moment, find_times
from citations.table_claims.claim_cues import Cue, CueKind
from citations.table_claims.claim_mentions import CellMention, ColumnLink, MentionKind
from citations.table_claims.claim_table import ColumnKind
from citations.table_claims.link_claim_to_table import LinkedClaim
from citations.table_claims.orderable_claim_columns import (
    Ground,
    day_number,
    is_ordered,
    measures,
    sort_value,
)
from citations.table_claims.table_claim_cells import close_commas

_BRIDGES = frozenset("than the a an of to or at only just".split())
_MAX_BRIDGE = 3  # words between "more" and its number


@dataclass(frozen=True, slots=True)
class ValueBound:
    """Values above (sign +1) or below (-1) `value`, including the value if `inclusive`."""

    start: int
    end: int
    sign: int
    value: float
    inclusive: bool
    cue: Cue
    is_time: bool = False

    def admits(self, value: float) -> bool:
        return self.sign * (value - self.value) > 0 or (self.inclusive and value == self.value)


def find_bounds(linked: LinkedClaim) -> tuple[ValueBound, ...]:
    return tuple(bound for cue in linked.cues for bound in _bounds(linked, cue))


def _bounds(linked: LinkedClaim, cue: Cue) -> Iterator[ValueBound]:
    if cue.kind is CueKind.COMPARATIVE:
        yield from _read_after_comparative(linked, cue)
        yield from _read_before_comparative(linked, cue)
    elif cue.kind is CueKind.EXTREME and _word(linked, cue.start - 1) == "at":
        yield from _read_at_least(linked, cue)


def _word(linked: LinkedClaim, at: int) -> str:
    return linked.tokens[at].word if 0 <= at < len(linked.tokens) else ""


def _read_after_comparative(linked: LinkedClaim, cue: Cue) -> Iterator[ValueBound]:
    """ "more than 500", "no later than 1990" """
    at = cue.end
    while at < min(len(linked.tokens), cue.end + _MAX_BRIDGE) and _word(linked, at) in _BRIDGES:
        at += 1
    denied = any(each.end == cue.start and each.kind in (CueKind.NONE, CueKind.NOT) for each in linked.cues)
    start = cue.start - denied
    sign = -cue.sign if denied else cue.sign
    if (moment := _read_moment_at(linked, at)) is not None:
        inclusive = denied or _word(linked, cue.start) in ("since", "until")
        value = day_number(moment[0], last=(sign > 0) is not inclusive)
        yield ValueBound(start, moment[1], sign, value, inclusive, cue, is_time=True)
    if (number := _number_at(linked, at)) is not None:
        yield ValueBound(start, at + 1, sign, number, denied, cue)


def _read_before_comparative(linked: LinkedClaim, cue: Cue) -> Iterator[ValueBound]:
    """ "500 or more" """
    number = _number_at(linked, cue.start - 2)
    if number is not None and _word(linked, cue.start - 1) == "or":
        yield ValueBound(cue.start - 2, cue.end, cue.sign, number, True, cue)


def _read_at_least(linked: LinkedClaim, cue: Cue) -> Iterator[ValueBound]:
    """Yield "at least 3" and "at most 10": superlatives of what is possible, so the sign is inverted."""
    number = _number_at(linked, cue.end)
    if number is not None:
        yield ValueBound(cue.start - 1, cue.end + 1, -cue.sign, number, True, replace(cue, hints=frozenset()))


def _number_at(linked: LinkedClaim, at: int) -> float | None:
    if not 0 <= at < len(linked.tokens) or linked.tokens[at].is_ordinal:
        return None
    return linked.tokens[at].number


def _read_moment_at(linked: LinkedClaim, at: int) -> tuple[Moment, int] | None:
    """Return the date that a token begins or is part of, with the position after it."""
    if not 0 <= at < len(linked.tokens):
        return None
    start = linked.tokens[at].start
    for time in find_times(close_commas(linked.claim)):
        if time.span.start <= start < time.span.end and time.start.year is not None:
            after = (i for i, each in enumerate(linked.tokens) if each.start >= time.span.end)
            return time.start, next(after, len(linked.tokens))
    return None


def find_bound_mentions(linked: LinkedClaim) -> Iterator[CellMention]:
    """Yield the bounds of a claim as mentions of the cells that satisfy them."""
    for bound in find_bounds(linked):
        links = tuple(_links(linked, bound))
        if links:
            yield CellMention(bound.start, bound.end, links, MentionKind.BOUND)


def _links(linked: LinkedClaim, bound: ValueBound) -> Iterator[ColumnLink]:
    for measure in measures(linked, bound.cue):
        if measure.ground in (Ground.ALONE, Ground.GUESS):
            continue
        if not is_ordered(linked.table, measure.column):
            continue
        if bound.is_time is not (linked.table.kinds[measure.column] is ColumnKind.DATE):
            continue
        rows = frozenset(
            row
            for row in range(len(linked.table.rows))
            if (value := sort_value(linked.table, row, measure.column)) is not None and bound.admits(value)
        )
        yield ColumnLink(measure.column, rows, 1.0)
        return
