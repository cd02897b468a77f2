"""Comparisons of two rows or groups of rows, in a column or in number, also with the difference."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from citations.table_claims.claim_cues import Cue, CueKind
from citations.table_claims.claim_mentions import CellMention, MentionKind
from citations.table_claims.claim_table import ColumnKind, PassageTable
from citations.table_claims.link_claim_to_table import LinkedClaim
from citations.table_claims.orderable_claim_columns import (
    DAYS_OF_YEAR,
    ColumnMeasure,
    Ground,
    measures,
    sign_of,
    sort_value,
)
from citations.table_claims.rules.claimed_cells import best_rows
from citations.table_claims.table_claim_cells import TableCell
from citations.table_claims.table_claim_questions import (
    columns_of,
    names_of,
    positions_of,
    row_name,
    select_rows,
)
from citations.table_claims.table_claim_readings import TableOperation, TableReading

_FACTORS = {"half": 0.5, "twice": 2.0, "double": 2.0, "triple": 3.0}
_MAX_SPANS = 6
_TURNING = frozenset({"than", "as", "to", "compared"})
_REACH = 4  # tokens before the comparative that may hold the difference


@dataclass(frozen=True, slots=True)
class _Sides:
    left: list[CellMention]
    right: list[CellMention]

    @property
    def all(self) -> list[CellMention]:
        return [*self.left, *self.right]


@dataclass(frozen=True, slots=True)
class _Values:
    """The values on both sides of a comparison, how they were found, and a text of them for the reader."""

    left: float
    right: float
    trait: str
    told: str
    cells: tuple[TableCell, ...] = ()


def comparisons(linked: LinkedClaim) -> Iterator[TableReading]:
    for cue in linked.cues:
        if cue.kind in (CueKind.COMPARATIVE, CueKind.EQUAL):
            sides = _sides(linked, cue)
            if sides is not None:
                yield from _compare_sides(linked, cue, sides)


def _sides(linked: LinkedClaim, cue: Cue) -> _Sides | None:
    """Return the mentions before the comparative, and those after its "than" (or after it, for "before X")."""
    turn = next(
        (at for at in range(cue.end, len(linked.tokens)) if linked.tokens[at].word in _TURNING), cue.end - 1
    )
    usable = [each for each in linked.mentions if each.kind is not MentionKind.BOUND]
    amount = _amount(linked, cue)
    left = [each for each in usable if each.end <= turn and not (amount and amount[0] in each.positions)]
    right = [each for each in usable if each.start > turn]
    if not right and len(left) == 1 and len(left[0].members) == 2:  # "A and B have the same"
        left, right = [left[0].members[0]], [left[0].members[1]]
    return _Sides(left, right) if left and right else None


def _compare_sides(linked: LinkedClaim, cue: Cue, sides: _Sides) -> Iterator[TableReading]:
    found = measures(linked, cue)
    for measure in found:
        values = _measure_sides(linked, sides, measure)
        if values is not None:
            yield from _readings(linked, cue, sides, values, measure)
    if not any(each.ground is Ground.AFTER for each in found):
        counted = _count_side_rows(linked, sides)
        yield from _readings(linked, cue, sides, counted, None)


def _measure_sides(linked: LinkedClaim, sides: _Sides, measure: ColumnMeasure) -> _Values | None:
    left = _side_value(linked, sides.left, measure.column)
    right = _side_value(linked, sides.right, measure.column)
    if left is None or right is None:
        return None
    description = f"{left[2]} against {right[2]} in “{linked.table.headers[measure.column]}”"
    trait = "by_sum" if max(len(left[1]), len(right[1])) > 1 else "by_cell"
    return _Values(left[0], right[0], trait, description, (*left[1], *right[1]))


def _side_value(
    linked: LinkedClaim, side: Sequence[CellMention], column: int
) -> tuple[float, tuple[TableCell, ...], str] | None:
    """Return the cell, or the sum of the cells, of one side of a comparison."""
    rows = best_rows(side)
    cells = tuple(linked.table.rows[row][column] for row in rows)
    values = [value for row in rows if (value := _comparable(linked.table, row, column)) is not None]
    if not values:
        return None
    description = (
        f"“{row_name(linked, rows[0])}” {cells[0].text}" if len(cells) == 1 else f"a sum of {sum(values):g}"
    )
    return sum(values), cells, description


def _comparable(table: PassageTable, row: int, column: int) -> float | None:
    """Return a comparable value; dates in years, so that differences are in years."""
    value = sort_value(table, row, column)
    if value is None or table.kinds[column] is not ColumnKind.DATE:
        return value
    return value / DAYS_OF_YEAR


def _count_side_rows(linked: LinkedClaim, sides: _Sides) -> _Values:
    left, right = len(select_rows(linked, sides.left)), len(select_rows(linked, sides.right))
    return _Values(left, right, "by_count", f"{left} rows against {right}")


def _readings(
    linked: LinkedClaim, cue: Cue, sides: _Sides, values: _Values, measure: ColumnMeasure | None
) -> Iterator[TableReading]:
    operation, holds, trait, at = _answer(linked, cue, values, measure)
    traits = [values.trait, measure.ground.value if measure else "no_column"]
    traits += ["comparative_hinted"] if cue.hints else []
    yield TableReading(
        operation,
        holds,
        _find_covered_positions(linked, cue, sides, measure) | at,
        values.told,
        tuple(cell.span for cell in values.cells[:_MAX_SPANS]),
        (*traits, *trait),
    )


def _answer(
    linked: LinkedClaim, cue: Cue, values: _Values, measure: ColumnMeasure | None
) -> tuple[TableOperation, bool, tuple[str, ...], frozenset[int]]:
    """Return the operation, whether it holds, its traits, and the position of the difference in the claim."""
    sign = _sign(linked, cue, measure)
    if amount := _amount(linked, cue):
        holds = _near(sign * (values.left - values.right), amount[1])
        return TableOperation.DIFFERENCE, holds, ("difference_stated",), frozenset({amount[0]})
    if factor := _factor(linked, cue):
        holds = _near(values.left, factor[1] * values.right)
        return TableOperation.DIFFERENCE, holds, ("factor_stated",), frozenset({factor[0]})
    if cue.kind is CueKind.EQUAL:
        return TableOperation.SAME, values.left == values.right, (), frozenset()
    return TableOperation.COMPARISON, sign * (values.left - values.right) > 0, (), frozenset()


def _find_covered_positions(
    linked: LinkedClaim, cue: Cue, sides: _Sides, measure: ColumnMeasure | None
) -> frozenset[int]:
    found = positions_of([*sides.all, cue]) | names_of(linked, columns_of(sides.all))
    return found | measure.positions | names_of(linked, [measure.column]) if measure else found


def _near(a: float, b: float) -> bool:
    return abs(a - b) <= 1e-6 * max(1.0, abs(a), abs(b))


def _sign(linked: LinkedClaim, cue: Cue, measure: ColumnMeasure | None) -> int:
    if measure is None:
        return cue.sign
    return sign_of(linked.table, cue, linked.tokens[cue.start].word, measure.column)


def _amount(linked: LinkedClaim, cue: Cue) -> tuple[int, float] | None:
    """Return the difference with its position: the number just before the comparative ("20 more", "12 years
    earlier").
    """
    inside_names = {at for each in linked.mentions if each.end - each.start > 1 for at in each.positions}
    for at in range(cue.start - 1, max(-1, cue.start - _REACH), -1):
        token = linked.tokens[at]
        if token.number is not None and not token.is_ordinal and at not in inside_names:
            return at, token.number
    return None


def _factor(linked: LinkedClaim, cue: Cue) -> tuple[int, float] | None:
    for at in range(max(0, cue.start - 3), min(len(linked.tokens), cue.end + 3)):
        if linked.tokens[at].word in _FACTORS:
            return at, _FACTORS[linked.tokens[at].word]
    return None
