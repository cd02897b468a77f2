"""Finding what a table asks of an item in texts that were read, by rules: see `cells.find_cells`."""

from research.pipelines.table.finding.find_table_item_cells import find_cells
from research.pipelines.table.finding.found_table_values import FoundCell, Other, ReadText, ValueEvidence

__all__ = ["ValueEvidence", "FoundCell", "Other", "ReadText", "find_cells"]
