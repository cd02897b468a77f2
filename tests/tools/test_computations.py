"""The executor's expression language: what it computes, what it refuses, what always holds."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from research.agents.tools.computing.compute_tool_frames import (
    ColumnAggregate,
    Frame,
    InvalidComputation,
    aggregate_rows,
    apply_operator,
    convert_values,
    frame_of,
    join_frames,
    number,
    select_columns,
    sort_rows,
)
from research.agents.tools.computing.compute_tool_language import Operation, compute
from tests.often import often

PUMPS = frame_of(
    ["Country", "Year", "Pumps"],
    [
        ["Norway", "2021", "1,200"],
        ["Norway", "2022", "1,500"],
        ["Sweden", "2021", "900"],
        ["Sweden", "2022", ""],
    ],
)
PRICES = frame_of(["country", "Price"], [["norway", "12.5"], ["Denmark", "30"]])


class Computation(BaseModel):
    operations: list[Operation]


def compute_last(*operations: dict, frames: dict[str, Frame] | None = None) -> Frame:
    """Result of the last operation."""
    read = Computation.model_validate({"operations": operations}).operations
    return list(compute(frames or {"pumps": PUMPS}, read).values())[-1]


def test_a_table_is_filtered():
    wanted = {"do": "filter", "name": "many", "input": "pumps"}
    frame = compute_last({**wanted, "conditions": [{"column": "Pumps", "test": ">", "value": 1000}]})
    assert frame.values("Year") == ("2021", "2022")


@pytest.mark.parametrize(
    ("test", "value", "years"),
    [
        ("=", "NORWAY", 2),
        ("!=", "norway", 2),
        ("contains", "wed", 2),
        ("is_known", None, 4),
        ("=", "Finland", 0),
        ("<", "x", 0),
    ],
)
def test_words_are_compared_whatever_their_case(test: str, value: str | None, years: int):
    condition = {"column": "Country", "test": test, "value": value}
    assert (
        len(compute_last({"do": "filter", "name": "x", "input": "pumps", "conditions": [condition]}).rows)
        == years
    )


def test_an_unknown_cell_meets_no_comparison():
    conditions = [{"column": "Pumps", "test": "!=", "value": 7}]
    assert (
        len(compute_last({"do": "filter", "name": "x", "input": "pumps", "conditions": conditions}).rows) == 3
    )


def test_any_condition_may_be_enough():
    conditions = [
        {"column": "Pumps", "test": "is_empty"},
        {"column": "Pumps", "test": "=", "value": "900"},
    ]
    wanted = {"do": "filter", "name": "x", "input": "pumps", "match": "any", "conditions": conditions}
    assert compute_last(wanted).values("Country") == ("Sweden", "Sweden")


def test_groups_are_aggregated_and_unknown_cells_left_out():
    measures = [
        {"function": "sum", "column": "Pumps", "name": "all"},
        {"function": "count", "column": "Pumps", "name": "known"},
    ]
    frame = compute_last(
        {"do": "aggregate", "name": "x", "input": "pumps", "by": ["Country"], "measures": measures}
    )
    assert frame.rows == (("Norway", 2700.0, 2.0), ("Sweden", 900.0, 1.0))


def test_an_aggregate_of_nothing_known_is_unknown():
    frame = aggregate_rows(
        frame_of(["a"], [[""]]), [], [ColumnAggregate("mean", "a", "m"), ColumnAggregate("count", "a", "n")]
    )
    assert frame.rows == ((None, 0.0),)


def test_rows_are_sorted_with_unknown_ones_last():
    for descending, first in ((False, "900"), (True, "1,500")):
        frame = sort_rows(PUMPS, "Pumps", descending=descending)
        assert (frame.values("Pumps")[0], frame.values("Pumps")[-1]) == (first, None)


def test_tables_are_joined_whatever_the_case_of_their_keys():
    right = Frame(("Country", "Price"), PRICES.rows)
    assert join_frames(PUMPS, right, ["Country"], keep_left=False).numbers("Price") == (12.5, 12.5)
    assert join_frames(PUMPS, right, ["Country"], keep_left=True).numbers("Price") == (12.5, 12.5, None, None)


def test_a_column_is_derived():
    doubled = {
        "kind": "binary",
        "operator": "/",
        "left": {"kind": "column", "column": "Pumps"},
        "right": {"kind": "constant", "value": 100},
    }
    frame = compute_last(
        {"do": "derive", "name": "x", "input": "pumps", "column": "hundreds", "expression": doubled}
    )
    assert frame.numbers("hundreds") == (12.0, 15.0, 9.0, None)


@pytest.mark.parametrize(
    ("value", "unit", "to", "expected"),
    [
        (1.0, "mile", "km", 1.609344),
        (212.0, "°F", "°C", 100.0),
        (2.0, "kWh", "J", 7.2e6),
        (36.0, "km/h", "m/s", 10.0),
    ],
)
def test_units_are_converted(value: float, unit: str, to: str, expected: float):
    [got] = convert_values([value], unit, to)
    assert got == pytest.approx(expected)


@pytest.mark.parametrize(("unit", "to"), [("km", "kg"), ("km", "nonsense"), ("", "km"), ("km and more", "m")])
def test_units_of_other_kinds_are_refused(unit: str, to: str):
    with pytest.raises(InvalidComputation):
        list(convert_values([1.0], unit, to))


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("1,234.5", 1234.5),
        ("1234", 1234.0),
        ("2024", 2024.0),
        (" −5", -5.0),
        ("–1850", -1850.0),
        ("12 %", 12.0),
        ("n/a", None),
        ("3 of 7", None),
        ("3–7", None),
        (None, None),
    ],
)
def test_a_cell_is_a_number_where_it_names_one(cell: str | None, value: float | None):
    assert number(cell) == value


@pytest.mark.parametrize(
    "operation",
    [
        {"do": "select", "name": "x", "input": "nothing", "columns": ["Pumps"]},
        {"do": "select", "name": "x", "input": "pumps", "columns": ["Prices"]},
        {"do": "select", "name": "pumps", "input": "pumps", "columns": ["Pumps"]},
        {"do": "select", "name": "x", "input": "pumps", "columns": ["Pumps", "Pumps"]},
        {"do": "sort", "name": "x", "input": "x", "column": "Pumps"},
    ],
)
def test_what_does_not_exist_is_refused(operation: dict):
    with pytest.raises(InvalidComputation):
        compute_last(operation)


@pytest.mark.parametrize(
    "operation",
    [
        {"do": "shell", "name": "x", "input": "pumps"},
        {"do": "derive", "name": "x", "input": "pumps", "column": "y", "expression": "__import__('os')"},
        {
            "do": "derive",
            "name": "x",
            "input": "pumps",
            "column": "y",
            "expression": {"kind": "constant", "value": "inf"},
        },
        {"do": "select", "name": "../x", "input": "pumps", "columns": ["Pumps"]},
        {"do": "select", "name": "x", "input": "pumps", "columns": []},
    ],
)
def test_what_is_not_of_the_language_is_refused(operation: dict):
    with pytest.raises(ValidationError):
        compute_last(operation)


def test_an_expression_that_is_too_deep_is_refused():
    deep: dict = {"kind": "constant", "value": 1}
    for _ in range(9):
        deep = {"kind": "binary", "operator": "+", "left": deep, "right": {"kind": "constant", "value": 1}}
    with pytest.raises(InvalidComputation, match="deep"):
        compute_last({"do": "derive", "name": "x", "input": "pumps", "column": "y", "expression": deep})


def test_a_join_that_explodes_is_refused():
    same = Frame(("k",), (("a",),) * 200)
    with pytest.raises(InvalidComputation, match="more than"):
        join_frames(same, Frame(("k", "v"), (("a", 1.0),) * 200), ["k"], keep_left=False)


# --- what always holds ---

cells = st.one_of(
    st.none(), st.floats(allow_nan=False, allow_infinity=False), st.sampled_from(["a", "b", "7 km"])
)
frames = st.lists(st.tuples(cells, cells), max_size=12).map(lambda rows: Frame(("k", "v"), tuple(rows)))


@given(frames, st.booleans())
def test_sorting_keeps_every_row(frame: Frame, descending: bool):
    assert sorted(map(repr, sort_rows(frame, "v", descending=descending).rows)) == sorted(
        map(repr, frame.rows)
    )


@given(frames)
def test_groups_add_up_to_the_whole(frame: Frame):
    measures = [ColumnAggregate("count", "v", "n")]
    parts = aggregate_rows(frame, ["k"], measures).numbers("n")
    assert sum(part or 0 for part in parts) == aggregate_rows(frame, [], measures).numbers("n")[0]


@given(frames, frames)
@often(50)
def test_a_left_join_loses_no_row(left: Frame, right: Frame):
    found = join_frames(left, right, ["k"], keep_left=True)
    assert set(map(repr, select_columns(found, ["k", "v"]).rows)) == set(map(repr, left.rows))


@given(st.sampled_from("+-*/"), st.floats(), st.floats())
def test_what_is_calculated_is_finite_or_unknown(operator: str, a: float, b: float):
    value = apply_operator(operator, a, b)
    assert value is None or math.isfinite(value)


@given(
    st.floats(min_value=-1e12, max_value=1e12), st.sampled_from([("km", "mile"), ("°C", "°F"), ("kg", "g")])
)
def test_a_conversion_can_be_undone(value: float, units: tuple[str, str]):
    there = list(convert_values([value], *units))
    [back] = convert_values(there, *reversed(units))
    assert back == pytest.approx(value, abs=1e-6, rel=1e-9)
