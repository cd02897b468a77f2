"""A request for a table taken apart by a model: it names the things and the columns, and no value of them.

What it names is a proposal that a person looks through before a row is filled (spec: kinds.md, table). Types and
limits are ours: what the model says of a column counts only where it makes one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import Field as Limited
from pydantic import ValidationError

from research.agents.agent_prompt_data_blocks import SourceText
from research.models import AgentRole
from research.pipelines.common.ask_model_in_pipeline_step import ModelQuestion
from research.pipelines.common.report_model_answers import ModelAnswer
from research.pipelines.table.decomposing.guess_table_column_types import field_of
from research.pipelines.table.decomposing.table_request_decomposition import (
    INPUT,
    MAX_ITEM_LENGTH,
    MAX_PROPOSED,
    Decomposition,
)
from research.pipelines.table.table_columns import (
    MAX_DESCRIPTION_LENGTH,
    MAX_FIELDS,
    MAX_FORMAT,
    FieldType,
    TableField,
)

SHOWN = 20  # of a list that was given
MAX_TEMPLATE, MAX_NOTE = 2_000, 400  # characters
MAX_TOKENS = 3_000


class ColumnAnswer(ModelAnswer):
    title: str
    description: str = ""
    type: Literal["string", "number", "boolean", "date", "url"] = "string"
    format: str = ""
    many: bool = False


class TableAnswer(ModelAnswer):
    items: list[str] = Limited(default_factory=list)
    columns: list[ColumnAnswer]
    template: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class DecompositionPromptInput:
    """The input of the decomposition prompt: the request, and the list of items where one was given."""

    request: str
    items: tuple[str, ...] = ()

    def question(self) -> ModelQuestion[TableAnswer]:
        shown = [
            {"number": number, "text": SourceText(item)} for number, item in enumerate(self.items[:SHOWN], 1)
        ]
        values = {
            "request": self.request,
            "has_items": bool(self.items),
            "items": shown,
            "most_items": MAX_PROPOSED,
            "most_columns": MAX_FIELDS,
            "place": INPUT,
        }
        return ModelQuestion(AgentRole.PLANNER, "planner/table", values, TableAnswer, MAX_TOKENS)


def sound(answer: TableAnswer, told: DecompositionPromptInput) -> Decomposition:
    """Return the proposal within a table's limits. A list of items that was given is kept as it is."""
    proposed = told.items or tuple(_items(answer.items))
    note = _line(answer.note, MAX_NOTE)
    return Decomposition(
        proposed, _template(answer.template), tuple(_fields(answer.columns)), (note,) if note else ()
    )


def _items(names: Sequence[str]) -> Iterator[str]:
    """Yield each item once, ignoring case and white space."""
    seen: set[str] = set()
    for name in names:
        item = _line(name, MAX_ITEM_LENGTH)
        if item and item.casefold() not in seen and len(seen) < MAX_PROPOSED:
            seen.add(item.casefold())
            yield item


def _fields(columns: Sequence[ColumnAnswer]) -> Iterator[TableField]:
    seen: set[str] = set()
    for column in columns:
        field = _field(column)
        if field and field.name not in seen and len(seen) < MAX_FIELDS:
            seen.add(field.name)
            yield field


def _field(column: ColumnAnswer) -> TableField | None:
    """Return a field named by the column's title, with the type that the model gave it; None without a usable title."""
    field = field_of(_line(column.title, 100), _line(column.description, MAX_DESCRIPTION_LENGTH))
    if field is None:
        return None
    typed = {
        "type": FieldType(column.type),
        "format": _line(column.format, MAX_FORMAT),
        "many": column.many,
    }
    try:
        return TableField.model_validate(field.model_dump() | typed)
    except ValidationError:
        return field


def _template(text: str) -> str:
    line = _line(text, MAX_TEMPLATE)
    return line if INPUT in line else ""


def _line(text: str, longest: int) -> str:
    return " ".join(text.replace("\0", " ").split())[:longest].strip()
