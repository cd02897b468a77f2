"""`evaluate table`: fill a table from known pages and compare its cells with gold values."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isclose, sqrt
from pathlib import Path
from uuid import UUID

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from citations.claim_confidence import HIGH, MEDIUM
from citations.models import Citation
from citations.text.quote_normalizing import normalize
from research.accounts.people import PersonalAccount
from research.db.tenancy import tenant_context
from research.models import Item
from research.models.schemas import StoredCell
from research.pipelines.pipeline_in_foreground import ask_table, open_library
from research.pipelines.table.convert_table_cell_values import Scalar
from research.pipelines.table.start_table import AskedTable
from research.pipelines.table.table_columns import TableField
from research.pipelines.table.table_columns_from_json_schema import SchemaRefused, fields_of

Holds = Callable[["JudgedCell"], bool]
GoldValue = Scalar | list[Scalar] | None
PROMPT = "What is told of each item?"
_SURE = 1.96  # standard deviations: a 95 % interval


class NoTable(Exception):
    """The folder lacks items, schema, pages or gold values; str() says what is missing."""


class GoldItem(BaseModel):
    model_config = ConfigDict(extra="ignore")

    item: str
    values: dict[str, GoldValue]
    trap: str = ""


class GoldTable(BaseModel):
    model_config = ConfigDict(extra="ignore")

    items: list[GoldItem]


@dataclass(frozen=True, slots=True)
class JudgedCell:
    """One cell. `is_anchored`: it has citations, and every quote matches its source's text at its offsets."""

    item: str
    field: str
    wanted: GoldValue
    found: GoldValue
    reason: str
    is_right: bool
    is_anchored: bool
    confidence: float | None
    is_disputed: bool
    trap: str


@dataclass(frozen=True, slots=True)
class TableTask:
    """A table to fill: the pages, its fields, and the correct entries."""

    pages: Path
    entries: tuple[GoldItem, ...]
    fields: tuple[TableField, ...]


def read_task(folder: Path, most: int | None = None) -> TableTask:
    """Read the first `most` items of a folder, or all. Raises NoTable."""
    return TableTask(folder / "pages", tuple(read_gold(folder).items[:most]), read_fields(folder))


def evaluate(task: TableTask, account: PersonalAccount) -> tuple[list[JudgedCell], float]:
    """Run the table over the task's pages; return the judged cells and the seconds.

    The run sees only items, columns and pages. Raises NoSuchLibrary.
    """
    library = open_library(account, str(task.pages))
    asked = AskedTable(tuple(entry.item for entry in task.entries), task.fields)
    began = time.monotonic()
    document = ask_table(account, PROMPT, asked, {"folders": [library], "engine": "extractive"})
    seconds = time.monotonic() - began
    with tenant_context(account.tenant_id):
        return list(_judge_cells(document.run_id, task.entries, task.fields)), seconds


def read_gold(folder: Path) -> GoldTable:
    try:
        return GoldTable.model_validate_json((folder / "gold.json").read_bytes())
    except (OSError, ValidationError) as error:
        raise NoTable(f"{folder / 'gold.json'} cannot be read as gold values: {error}") from error


def read_fields(folder: Path) -> tuple[TableField, ...]:
    try:
        return fields_of(TypeAdapter(dict).validate_json((folder / "output-schema.json").read_bytes()))
    except (OSError, ValidationError, SchemaRefused) as error:
        raise NoTable(f"{folder / 'output-schema.json'} cannot be read as columns: {error}") from error


def _judge_cells(
    run_id: UUID, entries: Sequence[GoldItem], fields: Sequence[TableField]
) -> Iterator[JudgedCell]:
    rows = {row.input: row for row in Item.objects.filter(run=run_id)}
    anchored = _load_anchored_claims(run_id)
    for entry in entries:
        result: Mapping[str, object] = rows[entry.item].result or {}
        for field in fields:
            cell = StoredCell.model_validate(result.get(field.name, {"state": "failed"}))
            yield _judge(entry, field, cell, anchored)


def _load_anchored_claims(run_id: UUID) -> Mapping[object, bool]:
    """Return for each claim whether all its quotes match their sources."""
    found: dict[object, bool] = {}
    for row in Citation.objects.filter(claim__run=run_id).select_related("source__content"):
        is_there = row.source.text[row.start_offset : row.end_offset] == row.quote
        found[row.claim_id] = found.get(row.claim_id, True) and is_there
    return found


def _judge(
    entry: GoldItem, field: TableField, cell: StoredCell, anchored: Mapping[object, bool]
) -> JudgedCell:
    wanted = entry.values.get(field.name)
    found = cell.value if cell.state == "found" else None
    return JudgedCell(
        entry.item, field.name, wanted, found, cell.reason, is_same(wanted, found), anchored.get(cell.claim, False),
        cell.confidence, cell.disputed, entry.trap,
    )  # fmt: skip


def is_same(wanted: GoldValue, found: GoldValue) -> bool:
    """Compare strictly: equal words apart from case and typography, equal numbers, equal members of a list."""
    if isinstance(wanted, list) and isinstance(found, list):
        mine, theirs = ([_plain(member) for member in side] for side in (wanted, found))
        return len(mine) == len(theirs) and sorted(mine, key=str) == sorted(theirs, key=str)
    if isinstance(wanted, list) or isinstance(found, list) or wanted is None or found is None:
        return wanted is None and found is None
    a, b = _plain(wanted), _plain(found)
    if isinstance(a, float) and isinstance(b, float):
        return isclose(a, b, rel_tol=1e-9)
    return type(a) is type(b) and a == b


def _plain(value: Scalar) -> str | bool | float:
    if isinstance(value, bool):
        return value
    return normalize(value) if isinstance(value, str) else float(value)


def figures(judged: Sequence[JudgedCell], seconds: float) -> dict[str, object]:
    """Return the figures. Shares are 0–1; `accuracy_95` is Wilson's interval of the share of correct cells (1927)."""
    filled = [cell for cell in judged if cell.found is not None]
    right = sum(cell.is_right for cell in judged)
    return {
        "items": len({cell.item for cell in judged}),
        "cells": len(judged),
        "right": right,
        "accuracy": _share(judged, lambda judged_cell: judged_cell.is_right),
        "accuracy_95": interval(right, len(judged)),
        "filled": len(filled),
        "anchored": _share(filled, lambda judged_cell: judged_cell.is_anchored),
        "wrong": len(judged) - right,
        "wrong_and_high": _share(judged, lambda judged_cell: _is_wrong_from(judged_cell, HIGH)),
        "wrong_and_medium": _share(judged, lambda judged_cell: _is_wrong_from(judged_cell, MEDIUM)),
        "invented": sum(cell.wanted is None and cell.found is not None for cell in judged),
        "missed": sum(cell.wanted is not None and cell.found is None for cell in judged),
        "disputed": sum(cell.is_disputed for cell in judged),
        "mean_confidence": _mean(
            [judged_cell.confidence for judged_cell in filled if judged_cell.confidence is not None]
        ),
        "by_field": by_field(judged),
        "seconds": round(seconds, 1),
    }


def _is_wrong_from(cell: JudgedCell, confidence: float) -> bool:
    return not cell.is_right and cell.found is not None and (cell.confidence or 0) >= confidence


def _share(judged: Sequence[JudgedCell], holds: Holds) -> float | None:
    return round(sum(map(holds, judged)) / len(judged), 4) if judged else None


def _mean(values: Sequence[float]) -> float | None:
    return round(sum(values) / len(values), 4) if values else None


def by_field(judged: Iterable[JudgedCell]) -> dict[str, float]:
    groups: dict[str, list[bool]] = {}
    for cell in judged:
        groups.setdefault(cell.field, []).append(cell.is_right)
    return {name: round(sum(each) / len(each), 4) for name, each in groups.items()}


def interval(hits: int, count: int) -> tuple[float, float] | None:
    """Return the 95% confidence interval of the share `hits` / `count` (Wilson 1927); None for nothing counted.

    >>> interval(90, 100)
    (0.8256, 0.9448)
    """
    if not count:
        return None
    share, square = hits / count, _SURE**2
    middle = (share + square / (2 * count)) / (1 + square / count)
    reach = _SURE / (1 + square / count) * sqrt(share * (1 - share) / count + square / (4 * count**2))
    return round(max(0.0, middle - reach), 4), round(min(1.0, middle + reach), 4)
