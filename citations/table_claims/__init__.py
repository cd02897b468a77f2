"""Tables as evidence: finds them in a passage, and decides if one supports a claim."""

from citations.table_claims.judging import TableFinding, TableVerdict, judge
from citations.table_claims.parsing import find_tables, parse_table
from citations.table_claims.table import PassageTable

__all__ = ["PassageTable", "TableFinding", "TableVerdict", "find_tables", "judge", "parse_table"]
