"""Tables as evidence: finding them in a passage, and telling whether one carries a claim."""

from citations.tables.judging import TableFinding, TableVerdict, judge
from citations.tables.parsing import find_tables, parse_table
from citations.tables.table import Table

__all__ = ["Table", "TableFinding", "TableVerdict", "find_tables", "judge", "parse_table"]
