"""Counts: the number of rows, or of different values, that meet the conditions of the claim."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from citations.table_claims.claim_bounds import find_bounds
from citations.table_claims.claim_cues import CueKind
from citations.table_claims.claim_mentions import CellMention, MentionKind
from citations.table_claims.link_claim_to_table import LinkedClaim
from citations.table_claims.table_claim_questions import (
    columns_of,
    names_of,
    positions_of,
    quote_mention,
    select_rows,
)
from citations.table_claims.table_claim_readings import TableOperation, TableReading
from citations.text.quote_span import Span

_MAX_SPANS = 8


@dataclass(frozen=True, slots=True)
class _CountConstraint:
    """A count the claim gives: exactly `value`, or at least (sign +1) or at most (-1) so many."""

    value: float
    positions: frozenset[int]
    end: int
    traits: tuple[str, ...]
    sign: int = 0
    inclusive: bool = True

    def admits(self, count: int) -> bool:
        if self.sign == 0:
            return count == self.value
        return self.sign * (count - self.value) > 0 or (self.inclusive and count == self.value)


def counts(linked: LinkedClaim) -> Iterator[TableReading]:
    for claimed in _find_claimed_counts(linked):
        conditions = [each for each in linked.mentions if not claimed.positions & frozenset(each.positions)]
        firm = [each for each in conditions if not _is_loose_number(each)]
        if len(firm) < len(conditions):
            rows = select_rows(linked, firm)
            yield _build_reading(linked, claimed, firm, rows, len(rows), "count_rows")
        rows = select_rows(linked, conditions)
        yield _build_reading(linked, claimed, conditions, rows, len(rows), "count_rows")
        yield from _count_each(linked, claimed, conditions, rows)
        for column in _find_counted_column(linked, claimed, conditions):
            values = {
                tuple(token.key for token in linked.table.rows[row][column].tokens)
                for row in rows
                if not linked.table.rows[row][column].is_empty
            }
            if len(values) != len(rows):
                yield _build_reading(linked, claimed, conditions, rows, len(values), "count_values", column)


def _count_each(
    linked: LinkedClaim, asked: _CountConstraint, conditions: Sequence[CellMention], rows: frozenset[int]
) -> Iterator[TableReading]:
    """Yield readings in which each member of a list occurs so often: "both grounds were used twice"."""
    listed = next((each for each in conditions if each.members), None)
    if listed is None:
        return
    found = [len(rows & member.rows) for member in listed.members]
    count = (
        found[0]
        if all(asked.admits(count) for count in found)
        else next(count for count in found if not asked.admits(count))
    )
    yield _build_reading(linked, asked, conditions, rows, count, "count_each")


def _is_loose_number(mention: CellMention) -> bool:
    """True for one number alone, which may be another count of the claim: "seven of the ten"."""
    return mention.kind is MentionKind.NUMBER and mention.end - mention.start == 1


def _find_claimed_counts(linked: LinkedClaim) -> Iterator[_CountConstraint]:
    bounded: set[int] = set()
    for bound in find_bounds(linked):
        if not bound.is_time and bound.value <= len(linked.table.rows):
            places = frozenset(range(bound.start, bound.end))
            bounded |= places
            yield _CountConstraint(
                bound.value, places, bound.end, ("count_bound",), bound.sign, bound.inclusive
            )
    for at, token in enumerate(linked.tokens):
        if at not in bounded and (whole := _find_whole(linked, at)):
            yield _CountConstraint(
                token.number or 0.0, frozenset({at, whole}), whole + 1, ("count_of_whole",)
            )
        elif at not in bounded and _may_count(linked, at):
            yield _CountConstraint(token.number or 0.0, frozenset({at}), at + 1, tuple(_traits(linked, at)))
    for cue in linked.cues:
        if cue.kind is CueKind.TIMES:
            yield _CountConstraint(cue.value, frozenset(cue.positions), cue.end, ("count_times",))


def _find_whole(linked: LinkedClaim, at: int) -> int | None:
    """Return the position of the whole ("ten" in "seven of the ten") if it is the number of rows, else None."""
    words = [token.word for token in linked.tokens[at + 1 : at + 3]]
    place = at + 3 if words == ["of", "the"] else at + 2 if words[:1] == ["of"] else None
    if not _may_count(linked, at) or place is None or place >= len(linked.tokens):
        return None
    return place if linked.tokens[place].number == len(linked.table.rows) else None


def _may_count(linked: LinkedClaim, at: int) -> bool:
    token = linked.tokens[at]
    if token.number is None or token.is_ordinal or token.number != int(token.number):
        return False
    return token.number <= len(linked.table.rows)


def _traits(linked: LinkedClaim, at: int) -> Iterator[str]:
    inside = next((each for each in linked.mentions if at in each.positions), None)
    if inside is None:
        yield "count_free"
    elif inside.end - inside.start > 1:
        yield "count_inside_name"
    else:
        yield "count_also_cell"
    yield "count_digits" if linked.tokens[at].is_digits else "count_word"
    after = linked.tokens[at + 1].word if at + 1 < len(linked.tokens) else ""
    if after in ("of", "times", "different", "separate"):
        yield f"count_{after}"
    elif after.endswith("s"):
        yield "count_plural"
    before = linked.tokens[at - 1].word if at else ""
    if before in ("are", "were", "is", "was", "only", "exactly", "of"):
        yield "count_introduced"


def _find_counted_column(
    linked: LinkedClaim, asked: _CountConstraint, conditions: Sequence[CellMention]
) -> Iterator[int]:
    """Yield the column whose name follows the count: "three different venues"."""
    fixed = columns_of(conditions)
    near = [name for name in linked.names if asked.end <= name.start < asked.end + 4]
    near.sort(key=lambda name: (-name.share, name.start))
    yield from (name.column for name in near[:1] if name.column not in fixed)


def _build_reading(
    linked: LinkedClaim,
    asked: _CountConstraint,
    conditions: Sequence[CellMention],
    rows: frozenset[int],
    count: int,
    trait: str,
    column: int | None = None,
) -> TableReading:
    columns = columns_of(conditions) | ({column} if column is not None else set())
    cues = _find_cue_positions(linked)
    traits = [*asked.traits, trait, "count_unconditioned" if not conditions else "count_conditioned"]
    if any(each.kind is CueKind.DISTINCT for each in linked.cues):
        traits.append(f"{trait}_distinct")
    if count == 0:
        traits.append("count_zero")
    return TableReading(
        TableOperation.COUNT,
        asked.admits(count),
        asked.positions | positions_of(conditions) | names_of(linked, columns) | cues,
        f"{count} {'rows meet' if trait == 'count_rows' else 'values under'} "
        + _describe_conditions(linked, conditions, column),
        tuple(_spans(linked, conditions, rows)),
        tuple(traits),
    )


def _find_cue_positions(linked: LinkedClaim) -> frozenset[int]:
    kinds = (CueKind.ONLY, CueKind.DISTINCT, CueKind.TOTAL, CueKind.ALL)
    return positions_of(cue for cue in linked.cues if cue.kind in kinds)


def _describe_conditions(linked: LinkedClaim, conditions: Sequence[CellMention], column: int | None) -> str:
    if column is not None:
        return f"“{linked.table.headers[column]}”"
    return ", ".join(f"“{quote_mention(linked, each)}”" for each in conditions) or "(all rows)"


def _spans(linked: LinkedClaim, conditions: Sequence[CellMention], rows: frozenset[int]) -> Iterator[Span]:
    for row in sorted(rows)[:_MAX_SPANS]:
        for each in conditions[:2]:
            link = each.link_at(row)
            if link is not None and each.kind is not MentionKind.BOUND:
                yield linked.table.rows[row][link.column].span
