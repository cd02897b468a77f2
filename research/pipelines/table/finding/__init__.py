"""Finding what a table asks of an item in texts that were read, by rules: see `cells.find_cells`."""

from research.pipelines.table.finding.cells import find_cells
from research.pipelines.table.finding.found import FoundCell, Other, ReadText, ValueEvidence

__all__ = ["ValueEvidence", "FoundCell", "Other", "ReadText", "find_cells"]
