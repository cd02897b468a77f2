"""Statistics and insights over the rows of a table: pure functions."""

import pytest

from research.models.schemas import StoredCell
from research.pipelines.table.synthesizing.summarize_table import summary_of
from research.pipelines.table.synthesizing.table_insights import MOST, insights_of
from research.pipelines.table.synthesizing.table_statistic_rows import StatisticRow
from research.pipelines.table.synthesizing.table_statistics import numbers_of, spread, statistics_of
from research.pipelines.table.table_columns import FieldType, TableField

AREA = TableField(name="area", type=FieldType.NUMBER)
COLOUR = TableField(name="colour")
TONGUES = TableField(name="tongues", many=True)
SINCE = TableField(name="since", type=FieldType.DATE)


def cell(value: object, *, disputed: bool = False) -> StoredCell:
    if value is None:
        return StoredCell(state="not_found", reason="There is no value.")
    return StoredCell.model_validate(
        {"state": "found", "value": value, "text": str(value), "disputed": disputed}
    )


def rows(name: str, *values: object) -> list[StatisticRow]:
    return [
        StatisticRow(number, f"item {number}", "completed", {name: cell(value)})
        for number, value in enumerate(values, 1)
    ]


def figures(field: TableField, table: list[StatisticRow]) -> dict[str, float | None]:
    return {one.name: one.value for one in statistics_of([field], table) if one.column == field.name}


def test_a_column_of_numbers_has_its_distribution() -> None:
    found = figures(AREA, rows("area", 1, 2, 3, 10, None))
    assert found == {
        "count": 4, "missing": 1, "minimum": 1, "maximum": 10, "mean": 4, "median": 2.5, "outliers": 0,
    }  # fmt: skip


def test_what_is_small_is_not_rounded_away_and_what_is_large_is_grouped() -> None:
    assert figures(AREA, rows("area", 0.000012, 0.000036))["minimum"] == 0.000012
    found = [insight.text for insight in insights_of([AREA], rows("area", 0.000012, 0.5, 2e16))]
    assert "Area: from 0.000012 (item 1) to 20,000,000,000,000,000 (item 3), over 3 rows." in found


def test_a_column_of_words_has_its_values_by_how_often() -> None:
    found = {
        one.name: one.text
        for one in statistics_of([COLOUR], rows("colour", "red", "blue", "red"))
        if one.column
    }
    assert found == {"count": "3", "missing": "0", "distinct": "2", "most_frequent": "red (2)"}


def test_the_values_of_lists_are_counted_one_by_one() -> None:
    table = rows("tongues", ["Dari", "Pashto"], ["Dari"])
    assert figures(TONGUES, table)["distinct"] == 2


def test_a_column_of_dates_has_its_first_and_last() -> None:
    found = {one.name: one.text for one in statistics_of([SINCE], rows("since", "1999-02", "1848", "2001"))}
    assert (found["earliest"], found["latest"]) == ("1848", "2001")


def test_what_lies_far_from_the_others_is_an_outlier() -> None:
    found = spread(numbers_of(rows("area", *range(10, 20), 900), AREA))
    assert found is not None
    assert found.outliers == ((11, 900.0),)


@pytest.mark.parametrize("values", [(), (None, None), (5,), (5, 5, 5, 5, 5, 5, 5, 5, 5)])
def test_too_few_or_equal_numbers_have_no_outlier(values: tuple[object, ...]) -> None:
    found = spread(numbers_of(rows("area", *values), AREA))
    assert found is None or found.outliers == ()


def test_truth_is_no_number() -> None:
    assert numbers_of(rows("area", True, 3), AREA) == [(2, 3.0)]


def test_a_table_without_rows_has_no_insight_and_a_summary() -> None:
    statistics = statistics_of([AREA], [])
    assert insights_of([AREA], []) == []
    assert summary_of(statistics, []) == ["The table has 0 rows; 0 of 0 cells have a value (0 %)."]


def test_insights_are_at_most_five_and_name_rows_that_are_there() -> None:
    table = [
        StatisticRow(number, f"item {number}", "failed" if number == 3 else "completed", cells)
        for number in range(1, 31)
        for cells in [
            {
                "area": cell(9000 if number == 7 else number),
                "colour": cell("red" if number % 3 else "blue", disputed=number == 5),
                "since": cell("1999" if number < 12 else None),
            }
        ]
    ]
    found = insights_of([AREA, COLOUR, SINCE], table)
    assert 3 <= len(found) <= MOST
    assert all(0 < row <= 30 for one in found for row in one.rows)
    assert found[0].text == "1 of 30 rows failed and can be tried again."
    assert any(
        "1 row lies far from the others, item 7 (9000)." in one.text and one.rows == [7] for one in found
    )


def test_all_rows_that_show_an_insight_are_named() -> None:
    [found, *_] = insights_of([COLOUR], rows("colour", "red", *[None] * 60))
    assert found.text == "Colour: no value was found for 60 of 61 rows."
    assert found.rows == list(range(2, 62))


def test_a_sparse_column_says_so_with_its_rows() -> None:
    found = insights_of([COLOUR], rows("colour", "red", None, None, "blue"))
    assert [(one.text, one.rows) for one in found] == [
        ("Colour: no value was found for 2 of 4 rows.", [2, 3])
    ]
