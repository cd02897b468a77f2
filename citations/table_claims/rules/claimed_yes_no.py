"""Yes-and-no columns: "the flow battery has no moving parts" against a column headed "moving parts"."""

from collections.abc import Iterator

from citations.table_claims.claim_cues import CueKind
from citations.table_claims.claim_table import PassageTable
from citations.table_claims.link_claim_to_table import LinkedClaim
from citations.table_claims.table_claim_cells import TableCell
from citations.table_claims.table_claim_column_names import ColumnName
from citations.table_claims.table_claim_questions import (
    columns_of,
    names_of,
    positions_of,
    row_name,
    select_rows,
)
from citations.table_claims.table_claim_readings import TableOperation, TableReading

_YES = frozenset({"yes", "y", "true", "✓", "✔", "✅", "☑", "x", "supported", "included", "available"})
_NO = frozenset({"no", "n", "false", "✗", "✘", "❌", "none", "unsupported", "-", "–", "—", ""})
_SHARE = 0.8  # share of the cells that must say yes or no
_MAX_ROWS = 3  # columns that the claim may refer to


def affirmations(linked: LinkedClaim) -> Iterator[TableReading]:
    for name in linked.names:
        if name.share == 1.0 and _is_boolean(linked.table, name.column):
            yield from _find_affirmation(linked, name)


def _answer(cell: TableCell) -> bool | None:
    said = cell.text.strip().casefold()
    if said in _YES:
        return True
    return False if said in _NO else None


def _is_boolean(table: PassageTable, column: int) -> bool:
    answers = [_answer(cell) for cell in table.column(column)]
    known = sum(answer is not None for answer in answers)
    return any(answers) and known >= _SHARE * len(answers)


def _find_affirmation(linked: LinkedClaim, name: ColumnName) -> Iterator[TableReading]:
    conditions = [each for each in linked.mentions if name.column not in each.columns]
    rows = sorted(select_rows(linked, conditions))
    if not conditions or not 0 < len(rows) <= _MAX_ROWS:
        return
    cells = [linked.table.rows[row][name.column] for row in rows]
    answers = [_answer(cell) is True for cell in cells]
    denials = [each for each in linked.cues if each.kind in (CueKind.NOT, CueKind.NONE)]
    is_denied = len(denials) % 2 == 1
    yield TableReading(
        TableOperation.AFFIRMATION,
        all(answer is not is_denied for answer in answers),
        positions_of([*conditions, *denials]) | names_of(linked, columns_of(conditions) | {name.column}),
        f"row “{row_name(linked, rows[0])}”: {linked.table.headers[name.column]} “{cells[0].text}”",
        tuple(cell.span for cell in cells),
    )
