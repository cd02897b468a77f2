"""A table filled from one long file: the file is read and prepared once, and not for each item."""

import csv
import io
from pathlib import Path

import pytest

from research.accounts.people import PersonalAccount
from research.db.tenancy import tenant_context
from research.library.import_library_folder import import_folder
from research.models import LibraryDocument, Source
from research.pipelines.table.filling import load_table_item_texts
from research.pipelines.table.finding import lay_out_tables_for_items
from tests.tables.rows import begin, fill_table, values

ISLETS = [
    {
        "No": f"{number}",
        "Islet": f"Islet-{number:05d}",
        "Capital": f"Port {number}",
        "Area (km²)": f"{3 * number}",
    }
    for number in range(1, 1_001)
]
WANTED = (1, 312, 640, 641, 999, 1_000)


@pytest.fixture(scope="module")
def long_file(account: PersonalAccount, tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("long")
    out = io.StringIO()
    writer = csv.DictWriter(out, ISLETS[0].keys())
    writer.writeheader()
    writer.writerows(ISLETS)
    Path(folder / "islets.csv").write_text(out.getvalue(), encoding="utf-8")
    return import_folder(account.tenant_id, folder).folder


def test_a_long_file_is_prepared_once_for_all_items(
    account: PersonalAccount, long_file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[str] = []
    laid_out: list[int] = []
    load, lay_out = load_table_item_texts.tables_of, lay_out_tables_for_items.rows_of_table
    monkeypatch.setattr(
        load_table_item_texts, "tables_of", lambda content: loaded.append(content.sha256) or load(content)
    )
    monkeypatch.setattr(
        lay_out_tables_for_items,
        "rows_of_table",
        lambda *given: laid_out.append(len(given[2].rows)) or lay_out(*given),
    )
    run = begin(account, long_file, *(f"Islet-{number:05d}" for number in WANTED), sources="library")
    assert values(fill_table(account, run)) == {
        f"Islet-{number:05d}": {"capital": f"Port {number}", "area": 3 * number} for number in WANTED
    }
    assert len(loaded) == 1
    assert laid_out == [len(ISLETS)]
    with tenant_context(account.tenant_id):
        document = LibraryDocument.objects.get(path="islets.csv")
        assert Source.objects.filter(run=run, library_document=document).count() == 1
