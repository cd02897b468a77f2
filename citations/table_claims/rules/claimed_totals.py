"""Sums and means of a column over the rows that meet the claim's conditions."""

from collections.abc import Iterator

from citations.table_claims.claim_cues import Cue, CueKind
from citations.table_claims.claim_table import ColumnKind
from citations.table_claims.link_claim_to_table import LinkedClaim
from citations.table_claims.orderable_claim_columns import ColumnMeasure, measures
from citations.table_claims.table_claim_questions import columns_of, names_of, positions_of, select_rows
from citations.table_claims.table_claim_readings import TableOperation, TableReading

_ROUNDING = 0.005  # a mean may be given to two or three digits


def totals(linked: LinkedClaim) -> Iterator[TableReading]:
    for cue in linked.cues:
        if cue.kind in (CueKind.TOTAL, CueKind.MEAN):
            for measure in measures(linked, cue):
                if linked.table.kinds[measure.column] is ColumnKind.NUMBER:
                    yield from _totals(linked, cue, measure)


def _totals(linked: LinkedClaim, cue: Cue, measure: ColumnMeasure) -> Iterator[TableReading]:
    for at, token in enumerate(linked.tokens):
        if token.number is None or token.is_ordinal:
            continue
        conditions = [each for each in linked.mentions if at not in each.positions]
        rows = sorted(select_rows(linked, conditions))
        cells = [linked.table.rows[row][measure.column] for row in rows]
        values = [cell.amount for cell in cells if cell.amount is not None]
        if len(values) < 2:
            continue
        result = sum(values) / (len(values) if cue.kind is CueKind.MEAN else 1)
        slack = _ROUNDING * abs(result) if cue.kind is CueKind.MEAN else 1e-6 * max(1.0, abs(result))
        used = columns_of(conditions) | {measure.column}
        yield TableReading(
            TableOperation.TOTAL,
            abs(result - token.number) <= slack,
            positions_of(conditions) | names_of(linked, used) | {at} | frozenset(cue.positions),
            f"{cue.kind.value} of “{linked.table.headers[measure.column]}” over {len(values)} rows: {result:g}",
            tuple(cell.span for cell in cells[:8]),
            (
                measure.ground.value,
                f"total_{cue.kind.value}",
                "total_all" if not conditions else "total_some",
            ),
        )
