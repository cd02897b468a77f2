"""The names of a table's other rows are loaded once for all of its rows."""

from collections.abc import Callable

import pytest
from django.db.backends.utils import CursorWrapper

from research.accounts.people import PersonalAccount
from research.db.tenancy import tenant_context
from research.pipelines.table.filling.fill_table_cells_by_rules import ITEMS
from research.pipelines.table.table_changes import add_rows
from tests.tables.rows import begin, fill_table, values

LANDS = ("Arden", "Brightsea", "Calder")


@pytest.fixture
def count_loads(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """Return how often the names of a table's rows were loaded."""
    loaded: list[str] = []
    execute = CursorWrapper.execute

    def counting(cursor: CursorWrapper, sql: str, params: object = None) -> object:
        loaded.extend([sql] if sql == ITEMS else [])
        return execute(cursor, sql, params)

    monkeypatch.setattr(CursorWrapper, "execute", counting)
    return lambda: len(loaded)


def test_names_of_other_rows_are_loaded_once_for_all_rows(
    account: PersonalAccount, library: str, count_loads: Callable[[], int]
) -> None:
    run = fill_table(account, begin(account, library, *LANDS, concurrency=1))
    assert [row["capital"] for row in values(run).values()] == ["Port Arden", "Lanthorn", "Weir"]
    assert count_loads() == 1
    with tenant_context(account.tenant_id):
        add_rows(run.pk, account.user, ["Nowhere", "Elsewhere"])
    fill_table(account, run)
    assert count_loads() == 1  # no source names these rows, so that nothing is looked for in it
