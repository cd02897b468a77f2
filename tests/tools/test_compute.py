"""compute: over tables and quantities of the run's sources, and nothing else."""

import pytest

from research.agents.tools import compute_tool
from research.agents.tools.computing.sandboxed_python import NoSandbox
from research.agents.tools.tool_interface import ToolCode
from tests.tools.conftest import add_source, handle_of

TABLE = {
    "caption": "",
    "headers": ["Year", "Pumps"],
    "rows": [["2021", "1,200"], ["2022", "1,500"]],
    "start": 0,
    "end": 1,
}


def test_a_sources_table_is_computed_over(hand):
    source = add_source(hand, "t", "Table.", tables=[TABLE])
    measures = [{"function": "sum", "column": "Pumps", "name": "all"}]
    made = hand.use(
        "compute",
        data=[{"name": "pumps", "source": source, "table": 0}],
        operations=[{"do": "aggregate", "name": "total", "input": "pumps", "measures": measures}],
        result="total",
    )
    assert (made.columns, made.rows, made.sources) == (["all"], [[2700.0]], [source])


def test_a_chart_gets_its_numbers(hand):
    source = add_source(hand, "t", "Table.", tables=[TABLE])
    data = [{"name": "pumps", "source": source, "table": 0}]
    chart = {"kind": "bar", "x": "Year", "y": ["Pumps"]}
    made = hand.use("compute", data=data, result="pumps", chart=chart).chart
    assert (made.labels, made.series[0].values) == (["2021", "2022"], [1200.0, 1500.0])


def test_quantities_of_a_sources_passages_are_data(hand, handles):
    data = [{"name": "named", "source": handle_of(hand, "Nordhaus")}]
    made = hand.use("compute", data=data, result="named")
    assert ("EUR", 14200.0) in {(row[4], row[2]) for row in made.rows}


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (
            {"data": [{"name": "x", "source": "src-0123456789ab", "table": 0}], "result": "x"},
            ToolCode.UNKNOWN_ID,
        ),
        ({"data": [], "result": "x"}, ToolCode.INVALID_ARGUMENTS),
    ],
)
def test_only_the_runs_data_can_be_computed_over(hand, given: dict, code: ToolCode):
    assert hand.error("compute", **given) is code


def test_a_table_that_does_not_exist_is_refused(hand):
    data = [{"name": "x", "source": add_source(hand, "t", "No table."), "table": 0}]
    assert hand.error("compute", data=data, result="x") is ToolCode.INVALID_COMPUTATION


def test_two_sources_tables_are_joined_and_both_are_named(hand):
    other = {**TABLE, "headers": ["Year", "Boilers"], "rows": [["2021", "30"], ["2023", "40"]]}
    first, second = add_source(hand, "a", "A.", tables=[TABLE]), add_source(hand, "b", "B.", tables=[other])
    made = hand.use(
        "compute",
        data=[
            {"name": "pumps", "source": first, "table": 0},
            {"name": "boilers", "source": second, "table": 0},
        ],
        operations=[{"do": "join", "name": "both", "left": "pumps", "right": "boilers", "on": ["Year"]}],
        result="both",
    )
    assert (made.rows, made.sources) == ([["2021", "1,200", "30"]], [first, second])


def test_of_a_long_table_a_part_is_shown_and_its_length_told(hand):
    rows = [[str(number)] for number in range(150)]
    source = add_source(hand, "t", "T.", tables=[{**TABLE, "headers": ["n"], "rows": rows}])
    made = hand.use("compute", data=[{"name": "t", "source": source, "table": 0}], result="t")
    assert (len(made.rows), made.total_rows) == (100, 150)


@pytest.mark.parametrize(
    "given",
    [
        {"result": "other"},
        {"result": "t", "chart": {"kind": "bar", "x": "Town", "y": ["Pumps"]}},
        {"result": "t", "chart": {"kind": "bar", "x": "Year", "y": ["Boilers"]}},
        {"result": "t", "operations": [{"do": "select", "name": "t", "input": "t", "columns": ["Year"]}]},
        {"result": "t", "operations": [{"do": "sort", "name": "u", "input": "v", "column": "Year"}]},
    ],
)
def test_what_is_not_there_cannot_be_computed(hand, given: dict):
    data = [{"name": "t", "source": add_source(hand, "t", "T.", tables=[TABLE]), "table": 0}]
    assert hand.error("compute", data=data, **given) is ToolCode.INVALID_COMPUTATION


@pytest.mark.parametrize(
    "operation",
    [
        {"do": "eval", "name": "u", "input": "t", "code": "__import__('os')"},
        {"do": "derive", "name": "u", "input": "t", "column": "x", "expression": "Pumps * 2"},
        {
            "do": "derive",
            "name": "u",
            "input": "t",
            "column": "x",
            "expression": {"kind": "call", "name": "open"},
        },
        {"do": "sort", "name": "../u", "input": "t", "column": "Year"},
    ],
)
def test_what_is_no_operation_is_refused(hand, operation: dict):
    data = [{"name": "t", "source": add_source(hand, "t", "T.", tables=[TABLE]), "table": 0}]
    error = hand.error("compute", data=data, operations=[operation], result="t")
    assert error is ToolCode.INVALID_ARGUMENTS


def test_a_nest_of_expressions_is_refused(hand):
    nest: dict = {"kind": "constant", "value": 1}
    for _ in range(9):
        nest = {"kind": "binary", "operator": "+", "left": nest, "right": {"kind": "constant", "value": 1}}
    data = [{"name": "t", "source": add_source(hand, "t", "T.", tables=[TABLE]), "table": 0}]
    operation = {"do": "derive", "name": "u", "input": "t", "column": "x", "expression": nest}
    assert (
        hand.error("compute", data=data, operations=[operation], result="u") is ToolCode.INVALID_COMPUTATION
    )


def test_a_source_without_quantities_gives_an_empty_table(hand):
    source = add_source(hand, "t", "No figures here.")
    made = hand.use("compute", data=[{"name": "t", "source": source}], result="t")
    assert (made.rows, made.total_rows) == ([], 0)


CODE = "pumps = [float(row[1].replace(',', '')) for row in t['rows']]\nr = round(float(np.std(pumps)), 2)"


def test_python_computes_what_operations_cannot_say_and_is_kept(hand):
    source = add_source(hand, "t", "Table.", tables=[TABLE])
    made = hand.use("compute", data=[{"name": "t", "source": source, "table": 0}], code=CODE, result="r")
    assert (made.value, made.code, made.sources) == (150.0, CODE, [source])


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"code": "r = open('/etc/passwd')"}, ToolCode.INVALID_COMPUTATION),
        (
            {"code": "r = 1", "chart": {"kind": "bar", "x": "Year", "y": ["Pumps"]}},
            ToolCode.INVALID_COMPUTATION,
        ),
        ({"code": "r = 1 # " + "x" * 8_000}, ToolCode.INVALID_ARGUMENTS),
    ],
)
def test_code_that_is_not_possible_is_refused(hand, given, code):
    data = [{"name": "t", "source": add_source(hand, "t", "Table.", tables=[TABLE]), "table": 0}]
    assert hand.error("compute", data=data, result="r", **given) is code


def test_without_the_sandbox_code_is_refused(hand, monkeypatch):
    def refuse(*_args):
        raise NoSandbox("Not here.")

    monkeypatch.setattr(compute_tool, "run_python", refuse)
    data = [{"name": "t", "source": add_source(hand, "t", "Table.", tables=[TABLE]), "table": 0}]
    assert hand.error("compute", data=data, code="r = 1", result="r") is ToolCode.NOT_AVAILABLE
