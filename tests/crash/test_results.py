"""The tables of what was measured."""

import pytest

from tests.crash.results import BEGIN, END, Results, Row, format_row, record, summary


@pytest.mark.parametrize(
    ("values", "found"),
    [([], ()), ([3.0], (3.0, 3.0, 3.0)), ([float(n) for n in range(100, 0, -1)], (50.0, 95.0, 100.0))],
)
def test_percentiles_are_values_that_were_measured(values, found):
    assert summary(values) == found


def test_a_row_without_times_says_so():
    assert format_row(Row("Named point", "cancel", 10, 1)) == "| cancel | 10 | 1 | – | – | – |"


@pytest.fixture
def results():
    found = Results(seed=7)
    for name, recovery in (("reserve", 1.0), ("settle", 2.04)):
        row = found.row("Named point", name)
        row.kills += 1
        row.recoveries.append(recovery)
    return found


def test_tables_take_the_place_of_the_old_ones(results, tmp_path):
    page = tmp_path / "page.md"
    page.write_text(f"# Title\n\n{BEGIN}\nold\n{END}\n\nLast words.\n")
    record(results, page)
    record(results, page)
    text = page.read_text()
    assert "old" not in text
    assert text.count("| settle | 1 | 0 | 2.0 | 2.0 | 2.0 |") == 1
    assert "| **all** | 2 | 0 | 1.0 | 2.0 | 2.0 |" in text
    assert (text.startswith("# Title"), text.endswith("Last words.\n")) == (True, True)


def test_a_page_without_marks_is_left_alone(results, tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# Title\n")
    with pytest.raises(ValueError, match="no marks"):
        record(results, page)
    assert page.read_text() == "# Title\n"
