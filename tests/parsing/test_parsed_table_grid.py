from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from research.parsing.parsed_table_grid import GridCell, GridRow, build_grid


def row(*cells: GridCell | str, is_header: bool = False, before: int = 0, group: int = 0) -> GridRow:
    return GridRow(
        [GridCell(one) if isinstance(one, str) else one for one in cells], is_header, group, before
    )


def test_a_region_stands_in_each_of_its_rows_and_columns() -> None:
    grid = build_grid(
        [
            row("Town", "Region", "2024", "2025", is_header=True),
            row("Wold", GridCell("North", rows=2), "812", "820"),
            row("Esk", GridCell("not surveyed", columns=2)),
        ]
    )
    assert grid.headers == ("Town", "Region", "2024", "2025")
    assert grid.rows == (("Wold", "North", "812", "820"), ("Esk", "North", "not surveyed", "not surveyed"))


def test_a_head_of_two_rows_names_each_column_in_full() -> None:
    grid = build_grid(
        [
            row(GridCell("Who", rows=2), GridCell("Price", columns=2), is_header=True),
            row("Weekday", "Weekend"),  # reached by the cell above
            row("Adult", "11", "14"),
        ]
    )
    assert grid.headers == ("Who", "Price Weekday", "Price Weekend")
    assert grid.rows == (("Adult", "11", "14"),)


def test_lines_across_are_the_title_above_the_head_and_labels_below() -> None:
    grid = build_grid(
        [
            row(GridCell("Table 1", columns=2)),
            row("Town", "People", is_header=True),
            row(GridCell("North", columns=2)),
            row("Esk", "413"),
        ]
    )
    assert (grid.title, grid.headers, grid.rows) == (
        "Table 1", ("Town", "People"), (("North",), ("Esk", "413")),
    )  # fmt: skip


def test_a_repeated_head_is_no_row() -> None:
    head = row("Day", "Open", is_header=True)
    assert build_grid([head, row("Mon", "9"), head, row("Tue", "10")]).rows == (("Mon", "9"), ("Tue", "10"))


def test_a_region_ends_with_its_group() -> None:
    grid = build_grid([row(GridCell("A", rows=9), "1"), row("2"), row("Total", "3", group=1)])
    assert grid.rows == (("A", "1"), ("A", "2"), ("Total", "3"))


def test_enormous_spans_cost_nothing() -> None:
    rows = [row(*(GridCell(str(n), rows=0, columns=10**9) for n in range(300)))]
    rows += [row("x") for _ in range(3_000)]
    assert len(build_grid(rows).rows) == 3_001


@st.composite
def tilings(draw: st.DrawFn) -> tuple[list[GridRow], list[list[str]]]:
    """A grid that is cut into rectangles, and the text that each of its places must have."""
    height, width = draw(st.integers(2, 5)), draw(st.integers(2, 5))
    places = [[""] * width for _ in range(height)]
    rows: list[list[GridCell]] = [[] for _ in range(height)]
    for y in range(height):
        for x in range(width):
            if places[y][x]:
                continue
            free = next((other for other in range(x, width) if places[y][other]), width)
            columns, down = draw(st.integers(1, min(2, free - x))), draw(st.integers(1, height - y))
            text = f"{y}.{x}"
            rows[y].append(GridCell(text, down, columns))
            for row_at in range(y, y + down):
                places[row_at][x : x + columns] = [text] * columns
    return [GridRow(cells) for cells in rows], places


@given(tilings())
def test_whatever_is_merged_each_place_has_its_cells_text(
    tiling: tuple[list[GridRow], list[list[str]]],
) -> None:
    rows, places = tiling
    columns = [
        index for index in range(len(places[0])) if any(line[index].endswith(f".{index}") for line in places)
    ]  # the others no cell begins in
    wanted = [tuple(line[index] for index in columns) for line in places]
    if len(set(map(len, map(set, wanted)))) == 1 and len(set(wanted[0])) == 1:
        return  # lines across, which are titles and labels
    grid = build_grid(rows)
    seen = [line for line in grid.rows if len(line) == len(columns)]
    assert [line for line in wanted if len(set(line)) > 1 or len(columns) == 1] == [
        line for line in seen if len(set(line)) > 1 or len(columns) == 1
    ]
