"""The figures of `manage.py evaluate table`, on cells made up for the purpose, and on a small folder."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from research.evaluation.evaluation_of_tables import (
    GoldValue,
    JudgedCell,
    NoTable,
    figures,
    interval,
    is_same,
    read_fields,
    read_gold,
)

SHARED = Path(__file__).parents[3] / "shared" / "data" / "inputs" / "wide-countries"


def judge(
    wanted: GoldValue, found: GoldValue, confidence: float | None = None, *, anchored: bool = True
) -> JudgedCell:
    return JudgedCell(
        "Acme", "ceo", wanted, found, "", is_same(wanted, found), anchored, confidence, False, ""
    )


@pytest.mark.parametrize(
    ("wanted", "found"),
    [("N’Djamena", "N'Djamena"), (1, 1.0), (["a", "b"], ["B", "a"]), (None, None), (True, True), ([], [])],
)
def test_the_same_values_are_right(wanted, found):
    assert is_same(wanted, found)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("Congo", "DR Congo"),
        (1, 1.1),
        (["a"], ["a", "a"]),
        (["a"], "a"),
        (None, []),
        (None, ""),
        (True, 1),
        (False, None),
    ],
)
def test_other_values_are_wrong(wanted, found):
    assert not is_same(wanted, found)


def test_figures_count_what_is_wrong_and_how_sure_it_was():
    cells = [
        judge("a", "a", 0.9), judge("a", "b", 0.85), judge("a", None), judge(None, "b", 0.65, anchored=False),
        judge(None, None),
    ]  # fmt: skip
    found = figures(cells, 1.23)
    assert (found["cells"], found["right"], found["accuracy"]) == (5, 2, 0.4)
    assert (found["filled"], found["anchored"]) == (3, 0.6667)
    assert (found["wrong_and_high"], found["wrong_and_medium"]) == (0.2, 0.4)
    assert (found["invented"], found["missed"], found["seconds"]) == (1, 1, 1.2)


def test_nothing_counted_has_no_share():
    assert figures([], 0)["accuracy"] is None
    assert interval(0, 0) is None
    assert interval(10, 10) == (0.7225, 1.0)


def test_a_folder_that_holds_no_gold_is_refused(tmp_path):
    with pytest.raises(NoTable, match="gold values"):
        read_gold(tmp_path)
    (tmp_path / "output-schema.json").write_text('{"type": "object"}')
    with pytest.raises(NoTable, match="describes no row"):
        read_fields(tmp_path)
    with pytest.raises(CommandError, match="gold values"):
        call_command("evaluate", "table", "--folder", str(tmp_path))


def test_where_nothing_can_be_written_nothing_is_asked(tmp_path):
    with pytest.raises(CommandError, match="There is no folder"):
        call_command(
            "evaluate", "table", "--folder", str(tmp_path), "--output", str(tmp_path / "none" / "found.json")
        )


@pytest.mark.skipif(not SHARED.is_dir(), reason="../shared/data is not here")
def test_the_shared_columns_are_read():
    fields = read_fields(SHARED)
    assert len(read_gold(SHARED).items) >= 190
    assert [field.name for field in fields if field.many] == [
        "capital",
        "land_neighbours",
        "currency_code",
        "languages",
    ]
