"""The executor's expression language: a list of operations, each on the results of earlier ones, without any eval.

A computation is data, validated before it is run: at most 20 operations, with expressions at most eight levels deep.
It can refer only to its own results and their columns.
"""

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from research.agents.tools.computing.compute_tool_frames import (
    Cell,
    ColumnAggregate,
    Frame,
    InvalidComputation,
    aggregate_rows,
    apply_operator,
    convert_values,
    filter_rows,
    join_frames,
    number,
    select_columns,
    sort_rows,
    with_column,
)
from research.agents.tools.tool_interface import ToolInput

MAX_OPERATIONS = 20
DEEPEST = 8
Name = Annotated[str, Field(min_length=1, max_length=80)]
Result = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,30}$", description="Name of a result.")]


class ColumnOperand(ToolInput):
    kind: Literal["column"]
    column: Name


class Constant(ToolInput):
    kind: Literal["constant"]
    value: float = Field(allow_inf_nan=False)


class Binary(ToolInput):
    kind: Literal["binary"]
    operator: Literal["+", "-", "*", "/"]
    left: "Expression"
    right: "Expression"


Expression: TypeAlias = Annotated[ColumnOperand | Constant | Binary, Field(discriminator="kind")]


class Condition(ToolInput):
    """Numbers are compared as numbers, text ignoring case; an unknown cell matches only `is_empty`."""

    column: Name
    test: Literal["=", "!=", "<", "<=", ">", ">=", "contains", "is_empty", "is_known"]
    value: str | float | None = None


class Filter(ToolInput):
    do: Literal["filter"]
    name: Result
    input: Result
    conditions: list[Condition] = Field(min_length=1, max_length=10)
    match: Literal["all", "any"] = "all"


class Join(ToolInput):
    do: Literal["join"]
    name: Result
    left: Result
    right: Result
    on: list[Name] = Field(min_length=1, max_length=5)
    keep_left: bool = False


class MeasureWanted(ToolInput):
    function: Literal["sum", "mean", "median", "min", "max", "count"]
    column: Name
    name: Name


class Aggregate(ToolInput):
    do: Literal["aggregate"]
    name: Result
    input: Result
    by: list[Name] = Field(default_factory=list, max_length=5)
    measures: list[MeasureWanted] = Field(min_length=1, max_length=10)


class Sort(ToolInput):
    do: Literal["sort"]
    name: Result
    input: Result
    column: Name
    descending: bool = False
    first: int | None = Field(None, ge=1, description="Keep that many rows.")


class Select(ToolInput):
    do: Literal["select"]
    name: Result
    input: Result
    columns: list[Name] = Field(min_length=1, max_length=60)


class Derive(ToolInput):
    do: Literal["derive"]
    name: Result
    input: Result
    column: Name
    expression: Expression


class Convert(ToolInput):
    """Convert the numbers of a column to another unit. The cells hold numbers in `unit`, without the unit's name."""

    do: Literal["convert"]
    name: Result
    input: Result
    column: Name
    unit: Name
    to: Name


Operation: TypeAlias = Annotated[
    Filter | Join | Aggregate | Sort | Select | Derive | Convert, Field(discriminator="do")
]


def compute(frames: Mapping[str, Frame], operations: list[Operation]) -> dict[str, Frame]:
    """Return all results by name, without changing the input. Raises InvalidComputation."""
    if len(operations) > MAX_OPERATIONS:
        raise InvalidComputation(f"a computation has at most {MAX_OPERATIONS} operations")
    known = dict(frames)
    for operation in operations:
        if operation.name in known:
            raise InvalidComputation(f"there are two results named {operation.name}")
        known[operation.name] = _apply_operation(operation, known)
    return known


def _apply_operation(operation: Operation, known: Mapping[str, Frame]) -> Frame:
    match operation:
        case Join():
            left, right = _find_frame(operation.left, known), _find_frame(operation.right, known)
            return join_frames(left, right, operation.on, keep_left=operation.keep_left)
        case Filter():
            return _apply_filter(operation, _find_frame(operation.input, known))
        case Aggregate():
            measures = [
                ColumnAggregate(measure.function, measure.column, measure.name)
                for measure in operation.measures
            ]
            return aggregate_rows(_find_frame(operation.input, known), operation.by, measures)
        case Sort():
            frame = sort_rows(
                _find_frame(operation.input, known), operation.column, descending=operation.descending
            )
            return Frame(frame.columns, frame.rows[: operation.first])
        case Select():
            return select_columns(_find_frame(operation.input, known), operation.columns)
        case Derive():
            frame = _find_frame(operation.input, known)
            return with_column(frame, operation.column, _evaluate_expression(operation.expression, frame))
        case Convert():
            frame = _find_frame(operation.input, known)
            values = convert_values(frame.numbers(operation.column), operation.unit, operation.to)
            return with_column(frame, operation.column, values)


def _find_frame(name: str, known: Mapping[str, Frame]) -> Frame:
    if name not in known:
        raise InvalidComputation(f"there is no result {name}; there are: {', '.join(known)}")
    return known[name]


def _evaluate_expression(expression: Expression, frame: Frame, depth: int = 1) -> list[float | None]:
    """Return the expression's value for each row."""
    if depth > DEEPEST:
        raise InvalidComputation(f"an expression is at most {DEEPEST} deep")
    match expression:
        case ColumnOperand():
            return list(frame.numbers(expression.column))
        case Constant():
            return [expression.value] * len(frame.rows)
        case Binary():
            left = _evaluate_expression(expression.left, frame, depth + 1)
            right = _evaluate_expression(expression.right, frame, depth + 1)
            return [apply_operator(expression.operator, a, b) for a, b in zip(left, right, strict=True)]


def _apply_filter(operation: Filter, frame: Frame) -> Frame:
    tests = [
        [_holds(condition, cell) for cell in frame.values(condition.column)]
        for condition in operation.conditions
    ]
    whole = all if operation.match == "all" else any
    return filter_rows(frame, lambda index: whole(test[index] for test in tests))


def _holds(condition: Condition, cell: Cell) -> bool:
    if condition.test in ("is_empty", "is_known"):
        return (cell is None) == (condition.test == "is_empty")
    if cell is None or condition.value is None:
        return False
    if condition.test == "contains":
        return str(condition.value).casefold() in str(cell).casefold()
    ours, theirs = number(cell), number(condition.value)
    if ours is not None and theirs is not None:
        return _compares(condition.test, ours, theirs)
    if condition.test in ("=", "!="):
        return (str(cell).casefold() == str(condition.value).casefold()) == (condition.test == "=")
    return False


def _compares(test: str, a: float, b: float) -> bool:
    return {"=": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[test]
