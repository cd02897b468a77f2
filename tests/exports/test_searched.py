"""Every file that tells how a report was made says where it was searched, by name and with the documents then."""

from io import BytesIO

import pytest
from openpyxl import load_workbook

from exports.building.build_document import build_document
from exports.document.document_tree import Document, FolderEntry, SearchedEntry
from exports.export_answer_json import answer
from exports.formats import to_html, to_json, to_markdown, to_xlsx
from exports.formats.export_options import ExportOptions
from exports.labels.format_document_values import describe_search_scope
from research.db.tenancy import tenant_context
from research.models import Run
from tests.exports.drafting import Draft, prose
from tests.people import join

FOLDERS = (FolderEntry("sample", 59), FolderEntry("uploads/Contracts", 2))
SEVERAL = SearchedEntry(FOLDERS, is_whole=False, has_web=False)
TOLD = "Sample library, Contracts; 61 documents"


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        (SEVERAL, TOLD),
        (SearchedEntry(FOLDERS[1:], is_whole=True, has_web=True), "Contracts; 2 documents; the web"),
        (
            SearchedEntry(FOLDERS, is_whole=True, has_web=False),
            "the whole library (Sample library, Contracts); 61 documents",
        ),
        (SearchedEntry((), is_whole=False, has_web=True), "the web"),
        (SearchedEntry((FolderEntry("/sample", 1),), is_whole=False, has_web=False), "sample; 1 document"),
    ],
)
def test_where_it_was_searched_is_told_in_words(entry, told):
    assert describe_search_scope(entry) == told


def draft_document() -> Document:
    draft = Draft("searched")
    draft.section("Deposits", prose(draft.claim("The deposit is 2,400 euros.", draft.source("Lease"))))
    return draft.document("How high is the deposit?", searched=SEVERAL)


@pytest.mark.parametrize("module", [to_html, to_markdown], ids=["html", "markdown"])
def test_a_file_says_it_where_it_tells_how_it_was_made(module):
    assert TOLD in module.write(draft_document(), ExportOptions(), lambda share: None).decode()


def test_a_workbook_says_it_on_the_sheet_of_the_run():
    book = load_workbook(BytesIO(to_xlsx.write(draft_document(), ExportOptions(), lambda share: None)))
    assert ("Searched", TOLD) in [row[:2] for row in book["Run"].iter_rows(values_only=True)]


def test_json_has_it_by_name_and_number():
    folders = [{"name": "Sample library", "documents": 59}, {"name": "Contracts", "documents": 2}]
    expected = {"folders": folders, "whole_library": False, "web": False}
    assert to_json.report_of(draft_document()).model_dump()["searched"] == expected
    assert answer(draft_document())["searched"] == expected


def test_no_path_of_the_server_is_told(db):
    person = join("ada")
    with tenant_context(person.tenant.pk):
        kept = {"folders": [{"key": "/srv/secret/papers", "documents": 3}], "is_whole": False}
        run = Run.objects.create(owner=person.user, topic="What is said?", searched=kept)
        found = build_document(run.pk).searched
    assert "secret" not in repr(found)
    assert describe_search_scope(found) == "papers; 3 documents"
