"""`manage.py recheck_sources`: a report whose files were edited after it was written."""

import json
from io import StringIO
from pathlib import Path
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

from exports.document.document_tree import Document
from research.db.tenancy import tenant_context
from research.library.import_library_folder import import_folder
from research.models import Kind, LibraryDocument
from research.pipelines.pipeline_in_foreground import ask
from tests.pipelines.conftest import QUESTION

ANSWER = "A heat pump shall reach a seasonal performance factor of at least 3.0 to receive the subsidy."
GUIDE = f"""# Building Policy Guide 2.0

Owners must replace oil boilers within 20 years. {ANSWER} The subsidy covers 30 percent of the cost.
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("edited")
    (folder / "guide.md").write_text(GUIDE, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def answer_report(account, folder: Path) -> Document:
    key = import_folder(account.tenant_id, folder).folder
    document = ask(account, Kind.REPORT, QUESTION, {"folders": [key]})
    assert ANSWER in [claim.text for claim in document.claims]
    return document


@pytest.fixture
def guide(folder: Path) -> Path:
    """The cited file, as it was when it was read."""
    file = folder / "guide.md"
    file.write_text(GUIDE, encoding="utf-8")
    return file


@pytest.fixture(autouse=True)
def at_work(account, monkeypatch) -> None:
    monkeypatch.setattr("config.services.embedded.build_embedded_services", list)


def run_recheck(*arguments: str) -> str:
    out = StringIO()
    call_command("recheck_sources", *arguments, stdout=out)
    return out.getvalue()


def answer_now(document: Document) -> dict[str, object]:
    rows = json.loads(run_recheck(str(document.run_id), "--json"))["citations"]
    return next(row for row in rows if row["quote"] == ANSWER)


def test_in_an_untouched_file_every_quote_is_still_there(answer_report, guide):
    counts = json.loads(run_recheck(str(answer_report.run_id), "--json"))["counts"]
    assert counts["still there"] == sum(len(claim.citations) for claim in answer_report.claims)
    assert (counts["changed"], counts["gone"], counts["unreadable"]) == (0, 0, 0)


def test_a_quote_that_moved_is_still_there(answer_report, guide):
    guide.write_text("# Building Policy Guide 2.1\n\nA new preface was added.\n\n" + GUIDE, encoding="utf-8")
    assert answer_now(answer_report)["outcome"] == "still there"


def test_an_edited_figure_is_shown_with_what_stands_there_now(answer_report, guide):
    guide.write_text(GUIDE.replace("3.0", "3.5"), encoding="utf-8")
    now = answer_now(answer_report)
    assert (now["outcome"], now["now"]) == ("changed", ANSWER.replace("3.0", "3.5"))
    assert 0.9 < now["similarity"] < 1


def test_a_deleted_passage_is_gone(answer_report, guide):
    guide.write_text("Another document altogether, about gardens and their soil.", encoding="utf-8")
    assert answer_now(answer_report)["outcome"] == "gone"


def test_a_missing_file_says_why_nothing_can_be_said(answer_report, guide):
    guide.unlink()
    now = answer_now(answer_report)
    assert now["outcome"] == "unreadable"
    assert now["reason"]


def test_the_table_counts_the_outcomes(answer_report, guide):
    guide.write_text(GUIDE.replace("3.0", "3.5"), encoding="utf-8")
    lines = run_recheck(str(answer_report.run_id)).splitlines()
    assert any("changed" in line and "98 %" in line for line in lines)
    assert "now: “A heat pump shall reach" in "\n".join(lines)
    assert lines[-1].startswith("still there: ")


def test_nothing_is_written(answer_report, guide, account):
    guide.write_text(GUIDE.replace("3.0", "3.5"), encoding="utf-8")
    with tenant_context(account.tenant_id):
        before = list(LibraryDocument.objects.values_list("pk", "updated_at"))
    run_recheck(str(answer_report.run_id))
    with tenant_context(account.tenant_id):
        assert list(LibraryDocument.objects.values_list("pk", "updated_at")) == before


def test_a_run_that_is_not_there_is_named():
    with pytest.raises(CommandError, match="no run"):
        run_recheck(str(uuid4()))
