"""`manage.py evaluate table`, as a person at a terminal meets it."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "acme.md").write_text(
        "# Acme\n\nThe CEO of Acme is Ann Lee.\n\nEmployees: 1,200\n\nIt borders Globex.\n"
    )
    (pages / "globex.md").write_text("# Globex\n\nEmployees: 7\n\nIts rival Initech is older.\n")
    schema = {"properties": {"ceo": {"type": "string", "title": "CEO"}, "employees": {"type": "integer"}}}
    (tmp_path / "output-schema.json").write_text(json.dumps(schema))
    gold = [
        {"item": "Acme", "values": {"ceo": "Ann Lee", "employees": 1200}},
        {"item": "Globex", "values": {"ceo": None, "employees": 7}},
        {"item": "Initech", "values": {"ceo": None, "employees": None}},
    ]
    (tmp_path / "gold.json").write_text(json.dumps({"items": gold}))
    return tmp_path


def test_a_table_is_filled_from_pages_and_compared(account, folder, tmp_path, monkeypatch):
    outcomes = tmp_path / "outcomes.json"
    monkeypatch.setattr(
        "config.services.embedded.build_embedded_services", list
    )  # the test's own database is up
    out = StringIO()
    call_command("evaluate", "table", "--folder", str(folder), "--output", str(outcomes), stdout=out)
    found = json.loads(out.getvalue())
    assert (found["items"], found["cells"], found["right"]) == (3, 6, 6)
    assert (found["filled"], found["anchored"], found["wrong_and_high"]) == (3, 1.0, 0.0)
    cells = json.loads(outcomes.read_text())["cells"]
    assert {cell["item"] for cell in cells if cell["found"] is None} == {"Globex", "Initech"}
    assert all(cell["reason"] for cell in cells if cell["found"] is None)
