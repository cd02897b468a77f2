"""The decomposition of a request for a table: its items, the prompt for each, and the columns of the answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from research.pipelines.table.table_columns import TableField

MAX_ITEMS = 2_000
MAX_ITEM_LENGTH = 500  # characters
MAX_PROPOSED = 100  # items that a model names
MAX_BESIDE = 30  # columns of somebody's own table that come back beside the answers
INPUT = "{{input}}"  # stands for the item in the template


@dataclass(frozen=True, slots=True)
class Decomposition:
    """A proposal, to be edited before anything is spent. `notes` are sentences for the reader: what was left out.

    `columns` are those of a pasted or uploaded table, and `column` is the one that the items came from.
    """

    items: tuple[str, ...]
    template: str
    fields: tuple[TableField, ...]
    notes: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    column: int | None = None


@dataclass(frozen=True, slots=True)
class Beside:
    """The other columns of the table that the items came from: not asked for, and in the files again."""

    headers: tuple[str, ...] = ()
    rows: Mapping[str, tuple[str, ...]] = field(
        default_factory=dict
    )  # by item; of one that stands twice the first

    def of(self, item: str) -> list[str] | None:
        values = self.rows.get(item)
        return list(values) if values and any(values) else None


NOTHING_BESIDE = Beside()
