"""Tables as evidence: finds them in a passage, and decides if one supports a claim."""

from citations.table_claims.claim_table import PassageTable
from citations.table_claims.judge_table_claim import TableFinding, TableVerdict, judge
from citations.table_claims.parse_cited_tables import find_tables, parse_table

__all__ = ["PassageTable", "TableFinding", "TableVerdict", "find_tables", "judge", "parse_table"]
