"""Whether a table carries a claim: all readings of the claim are tried, weighed, and the best one explains."""

from dataclasses import dataclass
from enum import StrEnum

from citations.normalizing import Span
from citations.tables.linking import link
from citations.tables.lookups import lookups
from citations.tables.table import Table


class TableVerdict(StrEnum):
    TRUE = "true"
    FALSE = "false"
    UNKNOWN = "unknown"  # the table says nothing about it


@dataclass(frozen=True, slots=True)
class TableFinding:
    """What a table says about a claim.

    `probability`, 0 to 1, is that of the table carrying the claim. `spans` are the cells that decide, as offsets
    into the passage the table was found in.
    """

    verdict: TableVerdict
    probability: float
    reason: str
    spans: tuple[Span, ...] = ()


_UNKNOWN = TableFinding(TableVerdict.UNKNOWN, 0.0, "The table names nothing that the claim does.")


def judge(claim: str, table: Table) -> TableFinding:
    linked = link(claim, table)
    readings = tuple(lookups(linked))
    if not readings:
        return _UNKNOWN
    best = readings[0]
    verdict = TableVerdict.TRUE if best.holds else TableVerdict.FALSE
    return TableFinding(verdict, 0.6 if best.holds else 0.3, best.reason, best.spans)
