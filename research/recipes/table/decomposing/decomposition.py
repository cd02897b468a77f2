"""What a request for a table comes to: its items, what is asked of each, and the columns of the answers."""

from dataclasses import dataclass

from research.recipes.table.fields import Field

MOST_ITEMS = 2_000
LONGEST_ITEM = 500  # characters
MOST_PROPOSED = 100  # items that a model names
INPUT = "{{input}}"  # stands for the item in the template


@dataclass(frozen=True, slots=True)
class Decomposition:
    """A proposal, to be edited before anything is spent. `notes` are sentences for the reader: what was left out.

    `columns` are those of a pasted or uploaded table, and `column` is the one that the items came from.
    """

    items: tuple[str, ...]
    template: str
    fields: tuple[Field, ...]
    notes: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    column: int | None = None
