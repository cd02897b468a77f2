"""compute: calculate with the tables and numbers of the run's sources. No shell, no network.

What the operations cannot express can be written in Python, which runs only in the sandbox
(research.agents.tools.computing.sandboxed_python). The code, its inputs and its output are stored with the call.
"""

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Literal

from pydantic import Field, JsonValue

from citations.find_quantities import find_quantities
from research.agents.tools.computing.compute_tool_frames import Cell, Frame, InvalidComputation, frame_of
from research.agents.tools.computing.compute_tool_language import (
    MAX_OPERATIONS,
    Name,
    Operation,
    Result,
    compute,
)
from research.agents.tools.computing.sandboxed_python import ComputationFailed, NoSandbox, run_python
from research.agents.tools.evidence.tool_source_handles import SOURCE_PATTERN, source_of
from research.agents.tools.tool_interface import Tool, ToolCode, ToolError, ToolInput, ToolOutput, Use
from research.db.tenancy import in_tenant
from research.models import Chunk, Content
from research.runtime.sandbox.sandbox_worker import ReaderStartError

LIMIT_S = 60.0  # the child process has 50, including its start
MAX_CODE_LENGTH = 8_000  # characters
MAX_SHOWN = 100  # rows of the result


class DatasetInput(ToolInput):
    """Input data: a table of a source, or the quantities in its chunks."""

    name: Result
    source: str = Field(pattern=SOURCE_PATTERN)
    table: int | None = Field(
        None, ge=0, description="Index of the source's table; empty: quantities of its chunks."
    )


class ChartRequest(ToolInput):
    kind: Literal["bar", "line", "scatter", "pie"]
    x: Name
    y: list[Name] = Field(min_length=1, max_length=5)
    title: str = Field("", max_length=200)


class ComputeInput(ToolInput):
    """Compute over tables and numbers of the run's sources."""

    data: list[DatasetInput] = Field(min_length=1, max_length=5)
    operations: list[Operation] = Field(default_factory=list, max_length=MAX_OPERATIONS)
    code: str = Field(
        "",
        max_length=MAX_CODE_LENGTH,
        description="Python with numpy (np), where the operations are not enough: each of `data` is a variable with"
        " `columns` and `rows`. No files, no network. Sets the variable that `result` names. Then no operations.",
    )
    result: Result = Field(description="The result to give back.")
    chart: ChartRequest | None = None


class Series(ToolOutput):
    name: str
    values: list[float | None]


class ChartData(ToolOutput):
    kind: str
    title: str
    labels: list[str]
    series: list[Series]


class ComputeOutput(ToolOutput):
    columns: list[str]
    rows: list[list[str | float | None]]
    total_rows: int
    chart: ChartData | None = None
    value: JsonValue = Field(None, description="What code computed.")
    printed: str = Field("", description="What code printed.")
    code: str = Field("", description="That computed `value`: its figures rest on this and on the sources.")
    sources: list[str] = Field(description="The sources that the figures come from.")


async def use_compute(given: ComputeInput, use: Use) -> ComputeOutput:
    try:
        frames = await in_tenant(use.step.tenant_id, partial(_load_frames, given, use))
        return await asyncio.to_thread(_compute_result, given, frames)
    except (InvalidComputation, ComputationFailed) as error:
        raise ToolError(ToolCode.INVALID_COMPUTATION, str(error)) from None
    except (NoSandbox, ReaderStartError) as error:
        raise ToolError(ToolCode.NOT_AVAILABLE, str(error)) from None


def _load_frames(given: ComputeInput, use: Use) -> Mapping[str, Frame]:
    return {table.name: _frame(table, use) for table in given.data}


def _frame(wanted: DatasetInput, use: Use) -> Frame:
    source = source_of(use.step.run_id, wanted.source)
    if wanted.table is not None:
        return _table(source.content, wanted.table)
    texts = Chunk.objects.filter(source=source).order_by("chunk_index").values_list("chunk_index", "text")
    return Frame(("chunk", "named", "value", "upper", "unit", "kind"), tuple(_quantities(texts)))


def _table(content: Content | None, index: int) -> Frame:
    tables = content.tables if content else []
    if index >= len(tables):
        raise InvalidComputation(f"the source has {len(tables)} tables, counted from 0")
    return frame_of(tables[index]["headers"], tables[index]["rows"])


def _quantities(texts: Iterable[tuple[int, str]]) -> Iterator[tuple[Cell, ...]]:
    for index, text in texts:
        for found in find_quantities(text):
            yield float(index), found.text, found.low, found.high, found.unit or None, found.kind.value


def _run_code(given: ComputeInput, frames: Mapping[str, Frame]) -> ComputeOutput:
    if given.operations or given.chart:
        raise InvalidComputation("give code or operations, not both; code has no chart")
    inputs = {name: {"columns": frame.columns, "rows": frame.rows} for name, frame in frames.items()}
    run_result = run_python(given.code, inputs, given.result)
    return ComputeOutput(
        columns=[],
        rows=[],
        total_rows=0,
        value=run_result.value,
        printed=run_result.printed,
        code=given.code,
        sources=list(dict.fromkeys(table.source for table in given.data)),
    )


def _compute_result(given: ComputeInput, frames: Mapping[str, Frame]) -> ComputeOutput:
    if given.code.strip():
        return _run_code(given, frames)
    results = compute(frames, given.operations)
    if given.result not in results:
        raise InvalidComputation(f"there is no result {given.result}")
    frame = results[given.result]
    return ComputeOutput(
        columns=list(frame.columns),
        rows=[list(row) for row in frame.rows[:MAX_SHOWN]],
        total_rows=len(frame.rows),
        chart=_chart(given.chart, frame) if given.chart else None,
        sources=list(dict.fromkeys(table.source for table in given.data)),
    )


def _chart(wanted: ChartRequest, frame: Frame) -> ChartData:
    shown = Frame(frame.columns, frame.rows[:MAX_SHOWN])
    return ChartData(
        kind=wanted.kind,
        title=wanted.title,
        labels=["" if cell is None else str(cell) for cell in shown.values(wanted.x)],
        series=[Series(name=name, values=list(shown.numbers(name))) for name in wanted.y],
    )


def compute_tool() -> Tool[ComputeInput, ComputeOutput]:
    return Tool(
        "compute",
        "Filter, join, aggregate, sort, derive and convert over tables and numbers of the run's sources;"
        " beyond that, Python.",
        ComputeInput,
        use_compute,
        LIMIT_S,
    )
