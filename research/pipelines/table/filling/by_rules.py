"""An item's cells by rules: values are found in the sources' own words."""

from research.lifecycle.failures import StepError
from research.lifecycle.recipe import StepResult, StepWork
from research.recipes.table.filling.storing import Filled, filled_result
from research.recipes.table.filling.texts import ReadSources, read_sources
from research.recipes.table.finding import find_cells
from research.recipes.table.items.items import read_item
from research.tenancy import tenant_context


def find_values(work: StepWork) -> StepResult:
    """Raises StepError where sources were found, but none of them could be read."""
    with tenant_context(work.tenant_id):
        item = read_item(work)
        read = read_sources(item)
    check_readable(read)
    cells = find_cells(item.input, item.fields, read.texts)
    return filled_result(work, Filled(item, tuple(cells), read, lessened=bool(work.input.get("instead"))))


def check_readable(read: ReadSources) -> None:
    """Raises StepError: the item has failed, which is not the same as an empty row."""
    if read.could_not_be_read:
        first, count = read.failed[0], len(read.failed)
        said = "Its only source could" if count == 1 else f"None of its {count} sources could"
        message = f"{said} {'not ' if count == 1 else ''}be read. {first.error_message}".strip()
        raise StepError("EXTRACTION_FAILED", message, retryable=False)
