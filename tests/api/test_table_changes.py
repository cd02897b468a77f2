"""Programs change an existing table as its page does; a refusal says why."""

import pytest

from research.db.tenancy import tenant_context
from research.models import Item, ItemStatus
from tests.web.tabled import add_waiting

pytestmark = pytest.mark.django_db


@pytest.fixture
def change(program, table):
    """Sends one act: the status, and what was answered."""

    def send(act: str, body: object = None) -> tuple[int, dict]:
        response = program.post(f"/runs/{table.run.pk}/table/{act}", body)
        return response.status_code, response.json()

    return send


def items_of(table) -> list[Item]:
    with tenant_context(table.person.tenant.pk):
        return list(Item.objects.filter(run=table.run).order_by("index"))


def test_rows_are_added_behind_the_others_and_the_table_is_opened_again(change, table):
    status, run = change("rows", {"items": ["Peru", "Norway", " Kenya "]})
    assert (status, run["phase"]) == (200, "active")
    assert [item.input for item in items_of(table)][3:] == ["Peru", "Kenya"]


def test_a_column_is_added_and_only_its_cells_are_looked_up(change, table):
    status, run = change("columns", {"field": {"name": "currency", "title": "Currency"}})
    assert (status, run["config"]["fields"][-1]["name"]) == (200, "currency")
    assert [item.wanted for item in items_of(table)] == [["currency"]] * 3


def test_a_column_is_asked_otherwise_and_its_cells_are_looked_up_again(change, table):
    status, run = change("columns/change", {"column": "capital", "field": {"name": "city", "title": "City"}})
    assert (status, run["config"]["fields"][0]["title"]) == (200, "City")
    assert [item.wanted for item in items_of(table)] == [["city"]] * 3


def test_failed_rows_are_tried_again_and_no_others(change, table):
    assert change("retry")[0] == 200
    found = [item.status for item in items_of(table)]
    assert found == [ItemStatus.COMPLETED, ItemStatus.COMPLETED, ItemStatus.RUNNING]


def test_the_rows_behind_a_pilot_are_released(change, table):
    add_waiting(table, 2, is_held=True)
    assert change("release")[0] == 200
    assert not any(item.is_held for item in items_of(table))


def test_a_cell_is_looked_up_again(change, table):
    assert change("cells", {"row": 2, "field": "capital"})[0] == 200
    assert items_of(table)[1].wanted == ["capital"]


@pytest.mark.parametrize(
    ("act", "body", "words"),
    [
        ("rows", {"items": ["Norway"]}, "The table already has these rows."),
        ("columns", {"field": {"name": "capital"}}, "Two columns are named “capital”."),
        ("release", None, "No row of this table is waiting to be released."),
        ("cells", {"row": 9, "field": "capital"}, "This table has no such row."),
        ("cells", {"row": 1, "field": "colour"}, "This table has no such column."),
    ],
)
def test_what_can_not_be_done_is_refused_in_words(change, table, act, body, words):
    status, problem = change(act, body)
    assert (status, problem["code"], problem["detail"]) == (422, "refused", words)
    assert len(items_of(table)) == 3


def test_a_run_that_is_no_table_is_not_changed(program, world):
    problem = program.post(f"/runs/{world.run.pk}/table/rows", {"items": ["Peru"]}).json()
    assert (problem["code"], problem["detail"]) == ("refused", "This run is not a table.")
