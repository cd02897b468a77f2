"""Columns that can be ordered, and those of them that a comparison or extreme may refer to."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from citations.dates.find_dates import Moment
from citations.table_claims.claim_cues import Cue
from citations.table_claims.claim_table import ColumnKind, PassageTable
from citations.table_claims.claim_tokens import word_key
from citations.table_claims.link_claim_to_table import LinkedClaim
from citations.table_claims.table_claim_column_names import ColumnName

_AFTER, _BEFORE = 7, 9  # tokens from a cue within which its column is looked for
_RANKS = frozenset(word_key(word) for word in "rank place position pos finish seed ranking standing".split())
_OF_RANKS = frozenset("highest best top greatest lowest worst higher better lower worse".split())
_MIN_INDEX = 3  # rows
_MAX_MEASURES = 2
DAYS_OF_YEAR = 372.0  # twelve months of 31 days: enough for ordering


class Ground(StrEnum):
    """The way in which the column of a measure was found."""

    AFTER = "column_after"
    BEFORE = "column_before"
    HINT = "column_hinted"
    ALONE = "column_alone"  # the only one that can be ordered
    GUESS = "column_guessed"


@dataclass(frozen=True, slots=True)
class ColumnMeasure:
    column: int
    ground: Ground
    positions: frozenset[int] = frozenset()


def sort_value(table: PassageTable, row: int, column: int) -> float | None:
    """Return the sort key of a cell: in a column of dates its `day_number`, else its amount; None if it has none."""
    cell = table.rows[row][column]
    if table.kinds[column] is not ColumnKind.DATE:
        return cell.amount
    return None if cell.moment is None else day_number(cell.moment)


def day_number(moment: Moment, *, last: bool = False) -> float:
    """Return a number for ordering dates; an unknown month or day counts as the first, or as the `last`."""
    month = moment.month or (12 if last else 1)
    return (moment.year or 0) * DAYS_OF_YEAR + (month - 1) * 31.0 + (moment.day or (31 if last else 1))


def is_ordered(table: PassageTable, column: int) -> bool:
    return table.kinds[column] in (ColumnKind.NUMBER, ColumnKind.DATE)


def sign_of(table: PassageTable, cue: Cue, word: str, column: int) -> int:
    """Return +1 if the cue means the greater value: the best rank is the least, and the oldest has the greatest age."""
    keys = {token.key for token in table.header_tokens[column]}
    is_turned = (is_rank(table, column) and word in _OF_RANKS) or (
        "age" in keys and word_key("year") in cue.hints
    )
    return -cue.sign if is_turned else cue.sign


def is_rank(table: PassageTable, column: int) -> bool:
    """True for a column in which 1 is the best."""
    return any(token.key in _RANKS for token in table.header_tokens[column])


def measures(linked: LinkedClaim, cue: Cue) -> tuple[ColumnMeasure, ...]:
    """Return the columns a cue may refer to, likeliest first."""
    found: dict[int, ColumnMeasure] = {}
    for measure in _candidates(linked, cue):
        found.setdefault(measure.column, measure)
    return tuple(found.values())[:_MAX_MEASURES]


def _candidates(linked: LinkedClaim, cue: Cue) -> Iterator[ColumnMeasure]:
    table = linked.table
    ordered = [
        each for each in range(len(table.headers)) if is_ordered(table, each) and not _is_index(table, each)
    ]
    names = [name for name in linked.names if name.column in ordered]
    yield from _build_named_measures(_find_names_after(names, cue), Ground.AFTER)
    if cue.hints:
        yield from _find_hinted_measures(linked, cue, ordered)
    yield from _build_named_measures(_find_names_before(names, cue), Ground.BEFORE)
    if not names:
        counted = [each for each in ordered if not is_rank(table, each)]
        ground = Ground.ALONE if len(counted) == 1 else Ground.GUESS
        yield from (ColumnMeasure(column, ground) for column in counted[-1:])


def _find_names_after(names: list[ColumnName], cue: Cue) -> list[ColumnName]:
    near = [name for name in names if cue.end <= name.start < cue.end + _AFTER]
    return sorted(near, key=lambda name: (-name.share, name.start))


def _find_names_before(names: list[ColumnName], cue: Cue) -> list[ColumnName]:
    near = [name for name in names if cue.start - _BEFORE <= name.start < cue.start]
    return sorted(near, key=lambda name: (-name.share, -name.start))


def _build_named_measures(names: list[ColumnName], ground: Ground) -> Iterator[ColumnMeasure]:
    for name in names:
        yield ColumnMeasure(name.column, ground, frozenset(range(name.start, name.end)))


def _find_hinted_measures(linked: LinkedClaim, cue: Cue, ordered: list[int]) -> Iterator[ColumnMeasure]:
    for column in ordered:
        keys = {token.key for token in linked.table.header_tokens[column]}
        if keys & cue.hints or (
            linked.table.kinds[column] is ColumnKind.DATE and word_key("year") in cue.hints
        ):
            yield ColumnMeasure(column, Ground.HINT)


def _is_index(table: PassageTable, column: int) -> bool:
    """True for a column that only numbers the rows and does not rank them: 1, 2, 3 ..."""
    if is_rank(table, column) or column or len(table.rows) < _MIN_INDEX:
        return False
    values = [cell.amount for cell in table.column(column)]
    first = values[0] if values else None
    return first is not None and all(
        value is None or abs(value - first - row) <= 1 for row, value in enumerate(values)
    )
