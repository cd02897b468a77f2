# ruff: noqa: E501 - files stand here as programs write them
"""Files as people keep them, from import to answer: what is quoted of them, and which row and column it stands in."""

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from openpyxl import Workbook

from exports.document.document_tree import CitationEntry, Document
from exports.formats import to_bibtex, to_csl_json, to_ris
from exports.formats.export_options import ExportOptions
from research.accounts.people import PersonalAccount
from research.library.import_library_folder import import_folder
from research.models import Kind
from research.pipelines.pipeline_in_foreground import ask
from tests.often import one_in
from tests.parsing.documents import Words, page, pdf, prose
from tests.parsing.field_pdfs import CASES as PDFS
from tests.parsing.field_pdfs import label_pages
from tests.parsing.word_parts import (
    math,
    math_run,
    note,
    note_mark,
    paragraph,
    raise_text,
    text_box,
    word_file,
)


def workbook(*rows: list[object], merged: tuple[str, ...] = (), percent: str = "") -> bytes:
    book, data = Workbook(), io.BytesIO()
    sheet = book.worksheets[0]
    for line in rows:
        sheet.append(line)
    for cells in merged:
        sheet.merge_cells(cells)
    for column in percent:
        for cell in sheet[column]:
            if isinstance(cell.value, float):
                cell.number_format = "0.0%"
    book.save(data)
    return data.getvalue()


CHAPTER = (
    ("Preface of a book on the canals of the county, with thanks to all who opened their archives.", "iii"),
    ("Contents of the book, which has nine chapters and an index of places at its end.", "iv"),
    ("The county has nine canals, and most of them were dug in the nineteenth century by hand.", "245"),
    ("The Selda canal is 38 kilometres long and 2.4 metres deep. It was dug between 1871 and 1884.", "246"),
)
FILES: dict[str, bytes] = {
    "harrow.docx": word_file(
        paragraph("Harrow valley water survey 2025", style="Heading1")
        + paragraph("The Harrow valley water survey was carried out by the district between April and October.")
        + paragraph("Nitrate stayed below the detection limit at six stations.", note_mark(1))
        + paragraph("Eight of the nine stations were in use all summer", note_mark(2, "endnote"), "."),
        footnotes=note(1, "The detection limit of the method is 0.35 micrograms per litre."),
        endnotes=note(2, "Station seven was closed from 3 to 19 August because of a landslide.", kind="endnote"),
        comments='<w:comment w:id="0" w:author="R"><w:p><w:r><w:t>I think the detection limit is 0.9.</w:t></w:r></w:p></w:comment>',
    ),
    "orlin.docx": word_file(
        paragraph("The Orlin protocol", style="Heading1")
        + paragraph("In each flask of the Orlin protocol 3.2 × 10", raise_text("6"), " cells were seeded and kept at 37 °C.")
        + paragraph("A share of 41", raise_text("2"), " % of the flasks was contaminated in the first run.")
        + paragraph("The Orlin plate had 52", raise_text("1"), " wells, of which all were used.")
        + paragraph(raise_text("1"), " Wells at the rim included.")
        + paragraph(raise_text("2"), " Counted by eye."),
    ),
    "mirel.docx": word_file(
        paragraph("The Mirel tracer", style="Heading1")
        + paragraph("The Mirel tracer is used to follow ground water over some days.")
        + paragraph("The decay constant of the Mirel tracer is ", math(math_run("k=0.42")), " per hour at 15 °C."),
    ),
    "brae.docx": word_file(
        paragraph("The island of Brae", style="Heading1")
        + paragraph("The island of Brae is reached from Port Selby ", text_box("The ferry to Brae runs every 40 minutes."), "in half an hour."),
    ),
    "waste.xlsx": workbook(
        ["Municipal waste of the county"],
        [],
        ["Region", "Municipality", "Waste (t)", None, "Recycled", None],
        [None, None, 2024, 2025, 2024, 2025],
        ["North", "Woldby", 12500, 12100, 0.452, 0.475],
        [None, "Eskholm", 8300, 8450, 0.31, 0.33],
        ["South", "Skellow", 40100, 39800, 0.512, 0.5],
        merged=("A1:F1", "C3:D3", "E3:F3", "A5:A6"),
        percent="EF",
    ),
    "value.csv": "Gross value by district\nMillion euros, current prices\n\nDistrict;Gross value 2023;Gross value 2024;Change in %\n"
    "Kreis Ostheim;1.198,20;1.234,56;3,0\nKreis Westheim;987,10;1.002,75;1,6\nKreis Südheim;2.310,00;2.298,40;-0,5\n\n"
    "© District office, 2026\n".encode("cp1252"),
    "otters.csv": b"Region,Place,Otters 2023,Otters 2024,Otters 2025\nNorth,Tarn,40,55,61\nNorth,Wold,79,83,88\nSouth,Skell,70,74,90\n",
    "kestrel.txt": "The Kestrel bridge was built of steel in 1931.\nThe Kestrel bridge carries 14 tonnes.\n".encode("utf-16-le"),
    "drills.html": page(
        "<main><h1>Drills of the Alto works</h1><p>The Alto works sell these drills to people who build their houses by themselves.</p>"
        "<p>The Alto drill costs <del>199 euros</del> 149 euros until the end of the month.</p></main>"
    ),
    "pool.html": page(
        "<main><h1>Marlow pool</h1><p>The Marlow pool lies beside the river and is open all year.</p>"
        "<table><tr><th>Day</th><th>Open</th></tr><tr><td>Monday</td><td>closed</td></tr>"
        "<tr><td>Tuesday</td><td><ul><li>10:00–20:00</li></ul></td></tr><tr><td>Wednesday</td><td rowspan=2>12:00–18:00</td></tr>"
        "<tr><td>Thursday</td></tr></table></main>"
    ),
    "corvin.pdf": PDFS["form_saved_without_flattening"]().data,
    "ravna.pdf": PDFS["manuscript_with_numbered_lines"]().data,
    "selda.pdf": label_pages(
        pdf([[*prose(text), Words(foot, 290, 40, 9)] for text, foot in CHAPTER]), (0, "r", 3, ""), (2, "D", 245, "")
    ),
    "morland.pdf": PDFS["columns_a_stamp_and_a_table_over_two_pages"]().data,
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(account: PersonalAccount, tmp_path_factory: pytest.TempPathFactory) -> str:
    made = tmp_path_factory.mktemp("cases")
    for name, data in FILES.items():
        (made / name).write_bytes(data)
    return import_folder(account.tenant_id, made).folder


@pytest.fixture(scope="module")
def answer(account: PersonalAccount, folder: str) -> Callable[[str], Document]:
    return lambda question: ask(account, Kind.REPORT, question, {"folders": [folder]})


@pytest.mark.parametrize(
    ("question", "said", "never"),
    one_in(4, [
        ("What is the detection limit of the method in the Harrow valley water survey?", "0.35 micrograms", "0.9"),
        ("When was station seven of the Harrow valley survey closed?", "3 to 19 August", "summer2"),
        ("How many cells were seeded in each flask of the Orlin protocol?", "3.2 × 10^6 cells", "106 cells"),
        ("What share of the flasks in the Orlin protocol was contaminated?", "41 %", "412"),
        ("How many wells did the Orlin plate have?", "52 wells", "521"),
        ("What is the decay constant of the Mirel tracer?", "k = 0.42 per hour", "constant is per hour"),
        ("How often does the ferry to the island of Brae run?", "every 40 minutes", "Selby The ferry"),
        ("From where is the island of Brae reached?", "reached from Port Selby in half an hour", "Selby The ferry"),
        ("How many tonnes does the Kestrel bridge carry?", "The Kestrel bridge carries 14 tonnes.", "\0"),
        ("What does the Alto drill cost?", "149 euros", "199"),
        ("How many goats did the herd of the eastern valley hold?", "318 goats, of which 24 were sold", "2 The"),
        ("What is the requested amount of the Corvin application?", "48,200", "☒ continued"),
    ]),
)  # fmt: skip
def test_the_answer_is_told_as_the_file_says_it(answer, question, said, never):
    claims = [claim.text for claim in answer(question).claims]
    assert any(said in text for text in claims), claims
    assert not any(never in text for text in claims), claims


def list_quoted_cells(document: Document) -> list[CitationEntry]:
    return [citation for claim in document.claims for citation in claim.citations if citation.is_of_cell]


@pytest.mark.parametrize(
    ("question", "said", "row"),
    one_in(3, [
        ("What share of its waste did Woldby recycle in 2025?", "Recycled 2025: 47.5%", "Woldby"),
        ("In which region is the municipality of Eskholm?", "Region: North", "Eskholm"),
        ("How high was the gross value of Kreis Ostheim in 2024?", "Gross value 2024: 1.234,56", "Kreis Ostheim"),
        ("How many otters were counted at Tarn in 2025?", "Otters 2025: 61", "Tarn"),
        ("When is the Marlow pool open on Tuesday?", "Open: 10:00–20:00", "Tuesday"),
        ("What is the pH of well W-7?", "pH: 6.7", "W-7"),
    ]),
)  # fmt: skip
def test_a_row_is_told_behind_its_names_without_its_neighbours(answer, question, said, row):
    document = answer(question)
    cells = list_quoted_cells(document)
    assert not [warning for warning in document.warnings if warning.code == "G006"]
    assert {citation.row for citation in cells} == {row}
    assert [claim.text for claim in document.claims if said in claim.text]
    assert {(citation.match_type, citation.similarity) for citation in cells} == {("normalized", 1.0)}
    assert {claim.verification_status for claim in document.claims if claim.citations[0] in cells} == {
        "verified"
    }


def test_the_printed_page_is_named(answer):
    document = answer("How long is the Selda canal?")
    assert {citation.printed_page for claim in document.claims[:1] for citation in claim.citations} == {"246"}


MANIFEST = """file,title,author,published,url
a.txt,"Wells & ""drains"": 100% {safe}? #1_a ~ $5 \\\\ TeX","World Health Organization, Regional Office for Europe",2025-03,https://example.org/a (final) [v2].pdf?x=1&y=2
b.txt,"The Ansel well, measured","van der Linden, Jo; O'Brien, Ann; Müller-Özdemir, Kaan",2024,https://example.org/b
c.txt,Ansel well — a second look,"Barnes and Noble, Inc.",2026-02-30,https://example.org/c
d.txt,Ansel well III,"Smith J, Doe A, Lee B",,https://example.org/d
"""
NOTES = {
    "a.txt": "The Ansel well is 41 metres deep. It was dug by hand and has a lining of stone.",
    "b.txt": "The Ansel well gives 3 litres of water a second. The Ansel well is 40 metres deep, as a line showed.",
    "c.txt": "In 2026 the Ansel well was cleaned. The Ansel well is 42 metres deep since then.",
    "d.txt": "The Ansel well stands in the yard of the school. The Ansel well is 39 metres deep without its rim.",
}


@pytest.fixture(scope="module")
def wells(account: PersonalAccount, tmp_path_factory: pytest.TempPathFactory) -> Document:
    made = tmp_path_factory.mktemp("wells")
    for name, text in NOTES.items():
        (made / name).write_text(text)
    (made / "manifest.csv").write_text(MANIFEST)
    folder = import_folder(account.tenant_id, made).folder
    return ask(account, Kind.REPORT, "How deep is the Ansel well?", {"folders": [folder]})


def write_text(document: Document, form) -> str:
    return form.write(document, ExportOptions(), lambda _share: None).decode()


def test_authors_and_titles_reach_bibliographies_as_they_are(wells):
    assert {source.file for source in wells.sources if source.number} == set(NOTES)
    ris, bibtex, csl = (write_text(wells, form) for form in (to_ris, to_bibtex, to_csl_json))
    for name in ("World Health Organization, Regional Office for Europe", "Barnes and Noble, Inc."):
        assert f"AU  - {name}\r\n" in ris
        assert f"{{{{{name}}}}}" in bibtex
        assert f'"literal": "{name}"' in csl
    assert "Noble, Inc.\r\n" not in ris.replace("Barnes and Noble, Inc.\r\n", "")
    assert "AU  - van der Linden, Jo\r\n" in ris
    assert "O'Brien, Ann" in bibtex
    assert {"AU  - Smith, J\r\n", "AU  - Doe, A\r\n", "AU  - Lee, B\r\n"} <= set(
        ris.splitlines(keepends=True)
    )
    assert "DA  - 2025/03//" in ris
    assert "2026/02/30" not in ris
    assert bibtex.count("{") == bibtex.count("}")
    assert r"100\%" in bibtex


PRODUCTS = {
    "lumen.md": '# Field test of the Lumen 9 heat pump\n\nThe Lumen 9 heat pump was tested in twelve houses in the north for two winters. At minus 15 degrees the Lumen 9 delivered 6.1 kilowatts of heat.\nThe coefficient of performance of the Lumen 9 was 2.3 at minus 15 degrees and 3.4 at plus 2 degrees. Below minus 20 degrees the Lumen 9 switched to its electric heater in nine of twelve houses.\nDefrosting took 4.5 per cent of the running time. Owners spent 1,140 euros on electricity in the first winter. The noise at five metres was 41 decibels.\nTwo of the twelve compressors had to be replaced in the second winter. The makers changed the oil heater after the test.\n',
    "orca.md": '# Orca Polar: results of the laboratory\n\nThe Orca Polar heat pump was measured in a climate chamber in 2025. At minus 15 degrees the Orca Polar delivered 7.4 kilowatts of heat.\nThe coefficient of performance of the Orca Polar was 2.6 at minus 15 degrees. It kept working down to minus 28 degrees, where it delivered 4.9 kilowatts.\nDefrosting took 3.1 per cent of the running time. The Orca Polar costs 12,900 euros without installation. The laboratory measured 44 decibels at five metres.\nNo compressor failed in 1,800 hours. The manufacturer gives a guarantee of seven years.\n',
    "pika.md": '# Report on the Pika air heat pump\n\nThe Pika air heat pump is the smallest of the series. At minus 15 degrees the Pika delivered 3.2 kilowatts of heat, less than the 4 kilowatts of its data sheet.\nThe coefficient of performance of the Pika was 1.9 at minus 15 degrees. Three of eight owners heated with wood besides.\nThe Pika was switched off below minus 18 degrees by its control. Owners spent 870 euros on electricity in a winter.\nA new control has been sold since March 2026, with which the Pika runs down to minus 22 degrees.\n',
}  # fmt: skip


def test_figures_of_different_things_do_not_contradict_each_other(
    account: PersonalAccount, tmp_path: Path
) -> None:
    for name, text in PRODUCTS.items():
        (tmp_path / name).write_text(text)
    folder = import_folder(account.tenant_id, tmp_path).folder
    document = ask(
        account, Kind.REPORT, "How do heat pumps perform at minus 15 degrees?", {"folders": [folder]}
    )
    assert {"6.1", "7.4", "3.2"} <= {word for claim in document.claims for word in claim.text.split()}
    assert document.contradictions == ()
