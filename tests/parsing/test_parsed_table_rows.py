"""A quote from a table is named by its row and column, whatever format the table comes in."""

import io

import pytest
from openpyxl import Workbook

from research.parsing.parse_document import read
from research.parsing.parsed_document import ReadDocument
from research.parsing.parsed_table_rows import ParsedCellNames, TableNames
from tests.parsing.documents import page, pdf
from tests.parsing.field_pdfs import CITIES_AT, table
from tests.parsing.word_parts import cell, paragraph, row, word_file
from tests.parsing.word_parts import table as word_table

ROWS = [
    ["City", "Country", "People 2023", "People 2024"],
    ["Esk", "Norland", "412", "431"],
    ["Wold", "Norland", "198", "204"],
    ["Tarn", "Sudland", "77", "75"],
]


def csv() -> tuple[str, bytes]:
    return "cities.csv", "\n".join(map(",".join, ROWS)).encode()


def xlsx() -> tuple[str, bytes]:
    book, data = Workbook(), io.BytesIO()
    for line in ROWS:
        book.worksheets[0].append(line)
    book.save(data)
    return "cities.xlsx", data.getvalue()


def html() -> tuple[str, bytes]:
    tags = ["th", *["td"] * (len(ROWS) - 1)]
    lines = ["".join(f"<{tag}>{text}</{tag}>" for text in line) for tag, line in zip(tags, ROWS, strict=True)]
    rows = "".join(f"<tr>{line}</tr>" for line in lines)
    lead = "<p>The register of the coast lists the cities with their people, year by year.</p>"
    return "cities.html", page(f"<main><h1>Cities</h1>{lead}<table>{rows}</table></main>")


def docx() -> tuple[str, bytes]:
    rows = [row(*(cell(paragraph(text)) for text in line), is_header=at == 0) for at, line in enumerate(ROWS)]
    return "cities.docx", word_file(paragraph("Cities of the coast") + word_table(*rows))


def page_table() -> tuple[str, bytes]:
    return "cities.pdf", pdf([[*table(ROWS, CITIES_AT)]])


def names(document: ReadDocument, quote: str) -> ParsedCellNames | None:
    start = document.text.index(quote)
    return TableNames(document.text, document.blocks, document.tables).at(start, start + len(quote))


@pytest.mark.parametrize("make", [csv, xlsx, html, docx, page_table])
def test_at_names_a_cell_in_each_format(make):
    name, data = make()
    document = read(data, name)
    assert names(document, "204") == ParsedCellNames("Wold", ("People 2024",))
    assert names(document, "Wold | Norland | 198 | 204") == ParsedCellNames(
        "Wold", ("Country", "People 2023", "People 2024")
    )
    assert names(document, "City | Country") is None


@pytest.mark.parametrize(
    ("text", "quote", "expected"),
    [
        ("region,town,otters\nNorth,Esk,7\nNorth,Wold,9\n", "9", ParsedCellNames("Wold", ("otters",))),
        ("year,town,otters\n2023,Esk,70\n2024,Esk,71\n2023,Wold,72\n", "72",
            ParsedCellNames("2023, Wold", ("otters",))),
        ("year,otters,note\n2019,300,provisional\n2020,310,provisional\n", "310", ParsedCellNames("2020", ("otters",))),
        ("town,otters\nEsk,7\nWold,\nTarn,9\n", "Esk", ParsedCellNames("Esk", ("town",))),
        ("12,13,14\n15,16,17\n18,19,20\n", "16", ParsedCellNames("15")),
        # A letter or a code in the first column names its row.
        ("class,colour,star\nO,blue,Naos\nB,bluish,Rigel\nM,red,Antares\n", "Naos", ParsedCellNames("O", ("star",))),
        ("object,kind\nM31,galaxy\nM42,nebula\n", "nebula", ParsedCellNames("M42", ("kind",))),
        # A column of names does so better.
        ("class,name,otters\nA,Esk,7\nB,Wold,9\n", "9", ParsedCellNames("Wold", ("otters",))),
        # Ranks and numbers only count the rows.
        ("rank,town,otters\n1,Esk,70\n2,Wold,71\n", "71", ParsedCellNames("Wold", ("otters",))),
        ("rank,town,otters\n1st,Esk,70\n2nd,Wold,71\n", "71", ParsedCellNames("Wold", ("otters",))),
        ("no.,town,otters\na,Esk,70\nb,Wold,71\n", "71", ParsedCellNames("Wold", ("otters",))),
        # A date or version names what is described beside it, but not a thing that has a name.
        ("version,changes\n2.0.1,bug fixes in the pump\n2.0.2,new valves for the well\n", "new",
            ParsedCellNames("2.0.2", ("changes",))),
        ("date,depth,remark\n2026-01-02,3,rain\n2026-02-02,4,frost\n", "4", ParsedCellNames("2026-02-02", ("depth",))),
        ("date,mission\n1969-07-20,Apollo 11\n1972-12-11,Apollo 17\n", "1972", ParsedCellNames("Apollo 17", ("date",))),
        # The first cell is empty in a row of totals, and where the cell above it goes on.
        ("town,year,otters\n" + "".join(f"T{n}w,2023,{n}\n" for n in range(11, 31)) + ",Total,99\n", "99",
            ParsedCellNames("Total", ("otters",))),
        ("region,town,otters\nNorth,Esk,7\n,Wold,9\n", "9", ParsedCellNames("Wold", ("otters",))),
    ],
)  # fmt: skip
def test_at_names_a_row_by_what_tells_it_apart(text, quote, expected):
    assert names(read(text.encode(), "otters.csv"), quote) == expected


def test_at_names_nothing_outside_of_tables_or_over_several_rows():
    document = read(
        b"# Otters\n\nMany otters live here.\n\n| town | otters |\n|---|---|\n| Esk | 7 |\n| Wold | 9 |\n",
        "o.md",
    )
    assert names(document, "Many otters") is None
    assert names(document, "Esk | 7\nWold | 9") is None
    assert names(document, "9") == ParsedCellNames("Wold", ("otters",))


GROUPED = (
    "<table><tr><th>Who</th><th>Share</th></tr><tr><th colspan=2>North</th></tr><tr><td>Women</td><td>41 %</td></tr>"
    "<tr><td>Men</td><td>43 %</td></tr><tr><th colspan=2>South</th></tr><tr><td>Women</td><td>51 %</td></tr>"
    "<tr><td>Men</td><td>53 %</td></tr><tr><td>All people</td><td>47 %</td></tr></table>"
)


def test_rows_that_several_groups_have_are_named_with_their_group():
    document = read(page(GROUPED), "a.html")
    assert names(document, "41 %") == ParsedCellNames("North, Women", ("Share",))
    assert names(document, "53 %") == ParsedCellNames("South, Men", ("Share",))
    assert names(document, "47 %") == ParsedCellNames("All people", ("Share",))


def test_a_single_row_without_values_names_no_group():
    document = read(b"Who,Share\nNorth,\nWomen,41 %\nMen,42 %\nWomen,43 %\n", "a.csv")
    assert names(document, "43 %") == ParsedCellNames("Women", ("Share",))


def test_groups_of_a_sheet_are_rows_with_empty_cells():
    lines = ["Who,Share", "North,", "Women,41 %", "Men,43 %", "South,", "Women,51 %", "Men,53 %"]
    document = read("\n".join(lines).encode(), "a.csv")
    assert names(document, "51 %") == ParsedCellNames("South, Women", ("Share",))
