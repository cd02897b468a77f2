from __future__ import annotations

import pytest

from research.parsing.formats.parse_pdf import read_pdf
from research.parsing.formats.pdf.locate_quotes_in_pdf import quote_boxes
from research.parsing.parse_sentences import sentences
from tests.parsing.documents import Words, pdf
from tests.parsing.field_pdfs import CASES, CITIES, CITIES_AT, table


@pytest.mark.parametrize("name", CASES)
def test_a_file_says_what_its_readers_see(name: str) -> None:
    case = CASES[name]()
    document = read_pdf(case.data, f"{name}.pdf")
    assert [words for words in case.says if words not in document.text] == []
    assert [words for words in case.not_says if words in document.text] == []
    found = [document.text[span.start : span.end] for span in sentences(document.text, document.blocks)]
    assert [sentence for sentence in case.sentences if sentence not in found] == []
    tables = [[list(table.headers), *map(list, table.rows)] for table in document.tables]
    assert not case.rows or list(map(list, case.rows)) in tables
    shown = [excerpt for entry in document.dropped for excerpt in entry.excerpts]
    assert [words for words in case.left_out if words not in shown] == []
    assert not case.labels or [page.label for page in document.pages] == list(case.labels)


def test_a_cell_after_an_empty_one_has_its_place_on_the_page() -> None:
    rows = [list(row) for row in CITIES]
    rows[2][1] = rows[3][2] = ""
    data = pdf([[*table(rows, CITIES_AT), Words("The end of the list.", 72, 400)]])
    document = read_pdf(data, "a.pdf")
    assert [list(row) for row in document.tables[0].rows] == rows[1:]
    start = document.text.index("Ida Fern")
    [box] = quote_boxes(data, document.pages[0], start, start + len("Ida Fern"))
    assert abs(box.x - CITIES_AT[3]) < 2
