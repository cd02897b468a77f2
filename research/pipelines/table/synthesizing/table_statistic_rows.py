"""The rows of a table as statistics look at them."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from research.models import Item
from research.models.schemas import StoredCell


@dataclass(frozen=True, slots=True)
class StatisticRow:
    """`number` as readers count, from 1; `cells` by the names of their columns, as far as there are any."""

    number: int
    input: str
    status: str
    cells: Mapping[str, StoredCell]


def read_rows(run_id: UUID) -> list[StatisticRow]:
    """All of them, in order. Needs the tenant set."""
    found = Item.objects.filter(run_id=run_id).order_by("index")
    return [
        StatisticRow(
            index + 1,
            text,
            status,
            {name: StoredCell.model_validate(cell) for name, cell in (result or {}).items()},
        )
        for index, text, status, result in found.values_list("index", "input", "status", "result")
    ]
