"""Finding what a table asks of an item in texts that were read, by rules: see `cells.find_cells`."""

from research.pipelines.table.finding.found_values import FoundCell, Other, ReadText, ValueEvidence
from research.pipelines.table.finding.item_cells import find_cells

__all__ = ["ValueEvidence", "FoundCell", "Other", "ReadText", "find_cells"]
