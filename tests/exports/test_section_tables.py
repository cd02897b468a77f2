"""Tables that stand in sections: heads and directions in the reader's language, columns as wide as they say."""

from io import BytesIO

import pytest
from openpyxl import load_workbook

from exports.building.build_document_tables import TableLayout
from exports.document.document_tree import BlockEntry, CellEntry, ColumnEntry, Document, RowEntry, TableEntry
from exports.formats.export_formats import WRITERS, Format
from exports.formats.export_options import ExportOptions
from exports.paper.build_exported_paper import build_paper
from exports.paper.exported_paper_nodes import Grid
from slides.outline import OutlineOptions, outline_deck
from tests.exports.answered import row, table
from tests.exports.drafting import Draft

COLUMNS = (
    ColumnEntry("sample_size", "Sample size", "number"),
    ColumnEntry("finding", "Finding", "string"),
    ColumnEntry("direction", "Direction", "string"),
    ColumnEntry("aspect_1", "Security", "string"),  # of a comparison
)
SIZES = (186, 2957, 37740)


def of_studies(finding: str = "It helps.") -> Document:
    draft = Draft("studies")
    rows = tuple(
        RowEntry(number, f"Lind, 200{number}: A title", "completed", "", _cells(size, finding))
        for number, size in enumerate(SIZES, start=1)
    )
    draft.section("Evidence table", BlockEntry("table", table=TableEntry(COLUMNS, rows)))
    return draft.document("What do they find?", kind="synthesis")


def _cells(size: int, finding: str) -> tuple[CellEntry, ...]:
    said = ((str(size), float(size)), (finding, finding), ("null", "null"), ("none", "none"))
    return tuple(CellEntry("found", text, value) for text, value in said)


@pytest.mark.parametrize("format_", [Format.MARKDOWN, Format.HTML])
def test_heads_and_directions_are_in_the_language_of_the_file(format_):
    data = WRITERS[format_].write(of_studies(), ExportOptions(language="de"), lambda _share: None).decode()
    for word in ("Stichprobe", "Ergebnis", "Richtung", "keine Wirkung", "Sicherheit"):
        assert word in data
    body = data.partition("<body")[2] or data
    for word in ("Sample size", "Finding", "Direction", "null", "Security"):
        assert word not in body


def test_slides_of_such_a_table_are_titled_in_the_decks_language():
    titles = [slide.title for slide in outline_deck(of_studies(), OutlineOptions(language="de")).slides]
    assert "Stichprobe" in titles


def test_a_table_that_was_asked_for_keeps_its_owners_words():
    asked = TableEntry((ColumnEntry("security", "Security", "string"),), ())
    document = Draft("asked").document("What?", kind="table", table=asked)
    data = WRITERS[Format.HTML].write(document, ExportOptions(language="de"), lambda _share: None).decode()
    assert ">Security<" in data


def test_a_column_is_as_wide_as_what_it_says():
    grid = next(
        node
        for node in build_paper(of_studies("It helps. " * 12), ExportOptions()).nodes
        if isinstance(node, Grid)
    )
    number, _item, size, finding, direction, _security = grid.weights
    assert number < size < direction < finding


def test_an_endless_word_does_not_take_the_width_of_the_others():
    grid = next(
        node for node in build_paper(of_studies("x" * 200), ExportOptions()).nodes if isinstance(node, Grid)
    )
    assert max(grid.weights) < 40


def test_a_workbook_has_the_table_of_studies_on_a_sheet_before_the_claims():
    data = WRITERS[Format.XLSX].write(of_studies(), ExportOptions(language="de"), lambda _share: None)
    book = load_workbook(BytesIO(data))
    assert book.sheetnames[:2] == ["Tabelle", "Aussagen"]
    heads, first = ([cell.value for cell in row] for row in book["Tabelle"].iter_rows(max_row=2))
    said = dict(zip(heads, first, strict=True))
    assert (said["Stichprobe"], said["Ergebnis"], said["Richtung"]) == (186, "It helps.", "keine Wirkung")
    assert not [head for head in heads if head.endswith("Aussage")]  # none of its cells is a claim


def test_a_release_that_changed_several_things_has_one_row_of_a_timeline():
    draft = Draft("releases")
    count, salt, later = (draft.claim(text, draft.source()) for text in ("More.", "Longer.", "Still more."))
    layout: TableLayout = {
        "head": "Release or date",
        "columns": ["What changed"],
        "rows": [row("3.2", count), row("3.2", salt), row("4.2", later)],
    }
    shown = table(layout, count, salt, later).table
    assert shown is not None
    assert [(entry.number, entry.input, entry.cells[0].text) for entry in shown.rows] == [
        (1, "3.2", "More. Longer."),
        (2, "4.2", "Still more."),
    ]


def test_neighbouring_rows_of_a_comparison_stay_apart():
    draft = Draft("aspects")
    claims = [draft.claim(text, draft.source()) for text in ("Long.", "Short.", "Old.", "New.")]
    rows = [row("Length", *claims[:2]), row("Length", *claims[2:])]
    layout: TableLayout = {"head": "Aspect", "columns": ["One", "Other"], "rows": rows}
    shown = table(layout, *claims).table
    assert shown is not None
    assert len(shown.rows) == 2


def test_a_workbook_names_the_source_that_a_column_of_a_comparison_speaks_of():
    draft = Draft("editions")
    old, new = (draft.source(f"Guide {edition}", published=f"20{edition}") for edition in (19, 25))
    shared, added = draft.claim("At least 8.", old, new, origins=1), draft.claim("At least 15.", new)
    layout: TableLayout = {
        "head": "Aspect",
        "columns": ["Guide 19", "Guide 25"],
        "rows": [row("Length", shared, added)],
    }
    draft.section("Side by side", table(layout, shared, added))
    sheet = open_workbook(draft.document("?"))["Table"]
    named = {cell.value: sheet.cell(2, cell.column).value for cell in sheet[1]}
    assert named["Guide 19: source"].endswith("Guide 19, 2019")
    assert named["Guide 25: source"].endswith("Guide 25, 2025")


@pytest.mark.parametrize("is_missing", [True, False])
def test_a_workbook_says_what_was_not_found_only_if_something_was_not(is_missing):
    draft = Draft("missing")
    claim = draft.claim("At least 8.", draft.source())
    layout: TableLayout = {
        "head": "Aspect",
        "columns": ["Old", "New"],
        "rows": [row("Length", claim, None if is_missing else claim)],
    }
    draft.section("Side by side", table(layout, claim))
    heads = [cell.value for cell in open_workbook(draft.document("?"))["Table"][1]]
    assert ("Not found" in heads) is is_missing


def open_workbook(document: Document):
    return load_workbook(BytesIO(WRITERS[Format.XLSX].write(document, ExportOptions(), lambda _share: None)))
