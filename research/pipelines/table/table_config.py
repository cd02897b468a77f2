"""Configuration of a table (spec: kinds.md, table). Unknown names and invalid values are refused with a reason."""

from collections.abc import Mapping
from typing import Literal, Self

from pydantic import ConfigDict, Field, model_validator

from research.agents.tools.evidence.sources_allowed_to_agents import SourceSettings
from research.pipelines.common.pipeline_input_lists import Formats
from research.pipelines.report.report_config import ConfigError, Reviews, validate_values
from research.pipelines.table import table_columns as columns
from research.pipelines.table.decomposing.table_request_decomposition import (
    INPUT,
    MAX_BESIDE,
    MAX_ITEM_LENGTH,
    MAX_ITEMS,
)

MAX_TEMPLATE = 2_000
PILOT_ITEMS = 5
ITEM_LIMIT_S = 240  # in which the sources of an item are found and read: a step has not much longer
ITEM_RETRIES = 2
MAX_AT_ONCE = 50
CLAIMS_A_ROW = 100  # more than a table has columns: a claim's number tells its row and its column

__all__ = [
    "INPUT",
    "MAX_ITEM_LENGTH",
    "MAX_ITEMS",
    "ConfigError",
    "TableConfig",
    "parse_config",
    "prompt_for",
]


class TableConfig(SourceSettings):
    """Configuration of a table run. The items are rows of their own."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    template: str = Field(default=INPUT, max_length=MAX_TEMPLATE)  # what is asked of each item
    fields: list[columns.TableField] = Field(default_factory=list)  # the columns, in their order
    beside: list[str] = Field(
        default_factory=list, max_length=MAX_BESIDE
    )  # headings of the items' other columns
    rows: int = Field(default=0, ge=0, le=MAX_ITEMS)  # items at its start, as its estimate counts them
    pages_per_item: int = Field(default=3, ge=1, le=10)  # sources that are read for one item
    concurrency: int = Field(default=10, ge=1, le=MAX_AT_ONCE)  # items that are worked on at once
    budget_credits: int | None = Field(default=None, ge=1, le=1_000_000)
    engine: Literal["auto", "extractive"] = "auto"  # auto: a model, where one is configured
    insights: Literal["auto", "computed"] = "auto"  # auto: a model, where one fills the rows, words them
    exports: Formats = ()  # that are made when the rows are summed up
    reviews: Reviews = "plan"  # never: no pilot waits to be released
    plan_approval: Literal["automatic", "ask"] = "automatic"  # ask: the owner sees items and columns first
    # model: it names columns, and items where there are none. list: the sources name the items.
    proposal: Literal["given", "model", "list"] = "given"

    @model_validator(mode="after")
    def _fields_are_sound(self) -> Self:
        wrong = columns.complaints(self.fields) if self.fields else []
        if wrong:
            raise ValueError(" ".join(wrong))
        return self

    def field(self, name: str) -> columns.TableField | None:
        return next((field for field in self.fields if field.name == name), None)


def prompt_for(template: str, item: str) -> str:
    """The template with the item in its place; an item is put behind one that has no such place.

    >>> prompt_for("Founding year of {{input}}", "Acme")
    'Founding year of Acme'
    """
    return template.replace(INPUT, item) if INPUT in template else f"{template} {item}".strip()


def parse_config(values: Mapping[str, object]) -> TableConfig:
    """Raises ConfigError that names each setting at fault."""
    return validate_values(TableConfig, values)


def number_cell_claim(config: TableConfig, row: int, name: str) -> int:
    """Return the number of a cell's claim: row 12, column 3 is claim 1203. Both count from 1.

    >>> number_cell_claim(TableConfig(fields=[columns.TableField(name="a"), columns.TableField(name="b")]), 12, "b")
    1202
    """
    return row * CLAIMS_A_ROW + [column.name for column in config.fields].index(name) + 1
