"""What stands over and beside the cells of a workbook: text boxes, charts, comments, heads of pages."""

from __future__ import annotations

import io
import zipfile

import pytest
from openpyxl import Workbook
from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment
from openpyxl.worksheet.worksheet import Worksheet

from research.parsing.formats.parse_xlsx import read_xlsx
from research.parsing.hidden_text import HiddenReason
from research.parsing.parsed_document import ReadDocument

_OFFICE = "http://schemas.openxmlformats.org"
_TYPES = {
    "drawing": f"{_OFFICE}/officeDocument/2006/relationships/drawing",
    "threadedComment": "http://schemas.microsoft.com/office/2017/10/relationships/threadedComment",
}
_XDR = f'xmlns:xdr="{_OFFICE}/drawingml/2006/spreadsheetDrawing" xmlns:a="{_OFFICE}/drawingml/2006/main"'


def new_sheet(*rows: list[object]) -> Worksheet:
    sheet = Workbook().worksheets[0]
    sheet.title = "Lakes"
    for row in rows or (["Lake", "Depth"], ["Mura", 31], ["Orrin", 9]):
        sheet.append(row)
    return sheet


def save(sheet: Worksheet, **parts: str) -> bytes:
    """The workbook of a sheet, with parts of these kinds that openpyxl does not write."""
    made, written = io.BytesIO(), io.BytesIO()
    assert sheet.parent is not None
    sheet.parent.save(made)
    with zipfile.ZipFile(made) as before, zipfile.ZipFile(written, "w") as after:
        for name in before.namelist():
            if not (parts and name == "xl/worksheets/_rels/sheet1.xml.rels"):
                after.writestr(name, before.read(name))
        relations = "".join(
            f'<Relationship Id="r{kind}" Type="{_TYPES[kind]}" Target="../drawings/{kind}.xml"/>'
            for kind in parts
        )
        if parts:
            after.writestr(
                "xl/worksheets/_rels/sheet1.xml.rels",
                f'<Relationships xmlns="{_OFFICE}/package/2006/relationships">{relations}</Relationships>',
            )
        for kind, part in parts.items():
            after.writestr(f"xl/drawings/{kind}.xml", part)
    return written.getvalue()


def box(*paragraphs: str, row: int = 1, fill: str = "", about: str = "", linked: str = "") -> str:
    said = "".join(f"<a:p>{paragraph}</a:p>" for paragraph in paragraphs)
    return (
        f"<xdr:twoCellAnchor><xdr:from><xdr:col>4</xdr:col><xdr:row>{row}</xdr:row></xdr:from>"
        f'<xdr:sp textlink="{linked}"><xdr:nvSpPr><xdr:cNvPr id="2" name="T" {about}/></xdr:nvSpPr>'
        f"<xdr:spPr>{fill}</xdr:spPr><xdr:txBody><a:bodyPr/>{said}</xdr:txBody></xdr:sp></xdr:twoCellAnchor>"
    )


def run(text: str, look: str = "") -> str:
    return f"<a:r>{look}<a:t>{text}</a:t></a:r>"


def read_over(*boxes: str) -> ReadDocument:
    return read_xlsx(save(new_sheet(), drawing=f"<xdr:wsDr {_XDR}>{''.join(boxes)}</xdr:wsDr>"), "l.xlsx")


def dropped(document: ReadDocument) -> dict[HiddenReason, tuple[str, ...]]:
    return {entry.why: entry.excerpts for entry in document.dropped}


def test_text_boxes_are_read_below_the_cells_in_the_order_of_their_rows():
    document = read_over(
        box(run("Ice closes it until May."), row=9),
        box(run("Depths were measured ") + run("at low water."), row=2),
    )
    assert document.text.endswith(
        "Orrin | 9\n\nDepths were measured at low water.\n\nIce closes it until May."
    )
    assert len(document.tables) == 1


def test_raised_figures_of_a_text_box_keep_their_mark():
    raised = '<a:rPr baseline="30000"/>'
    document = read_over(box(run("It holds 10") + run("6", raised) + run(" litres.")))
    assert "It holds 10^6 litres." in document.text


@pytest.mark.parametrize(
    ("shape", "why"),
    [
        (box(run("secret", '<a:rPr strike="sngStrike"/>')), HiddenReason.STRUCK),
        (box(run("secret", '<a:rPr sz="100"/>')), HiddenReason.SIZE),
        (
            box(run("secret", '<a:rPr><a:solidFill><a:schemeClr val="bg1"/></a:solidFill></a:rPr>')),
            HiddenReason.COLOR,
        ),
        (
            box(
                run("secret", '<a:rPr><a:solidFill><a:srgbClr val="112233"/></a:solidFill></a:rPr>'),
                fill='<a:solidFill><a:srgbClr val="112233"/></a:solidFill>',
            ),
            HiddenReason.COLOR,
        ),
        (box(run("secret"), about='hidden="1"'), HiddenReason.STYLE),
    ],
)
def test_hidden_words_of_text_boxes_are_left_out_and_told(shape, why):
    document = read_over(shape)
    assert "secret" not in document.text
    assert dropped(document) == {why: ("secret",)}


def test_white_words_on_a_dark_shape_are_read():
    white = '<a:rPr><a:solidFill><a:schemeClr val="bg1"/></a:solidFill></a:rPr>'
    dark = '<a:solidFill><a:srgbClr val="202020"/></a:solidFill>'
    assert "Closed in winter." in read_over(box(run("Closed in winter.", white), fill=dark)).text


def test_text_linked_to_a_cell_is_read_once():
    assert read_over(box(run("Mura"), linked="$A$2")).text.count("Mura") == 1


def test_text_boxes_of_a_hidden_sheet_are_told_only():
    sheet = new_sheet()
    assert sheet.parent is not None
    sheet.parent.create_sheet("Shown").append(["Lake"])
    sheet.sheet_state = "hidden"
    document = read_xlsx(save(sheet, drawing=f"<xdr:wsDr {_XDR}>{box(run('Over it.'))}</xdr:wsDr>"), "l.xlsx")
    assert "Over it." not in document.text
    assert "Over it." in dropped(document)[HiddenReason.STYLE]


def test_entities_of_a_drawing_open_no_file(tmp_path):
    (tmp_path / "a").write_text("secret")
    head = f'<!DOCTYPE x [<!ENTITY e SYSTEM "file://{tmp_path}/a">]>'
    drawing = f"{head}<xdr:wsDr {_XDR}>{box(run('Seen &e;'))}</xdr:wsDr>"
    assert "secret" not in read_xlsx(save(new_sheet(), drawing=drawing), "l.xlsx").text


def test_titles_of_charts_are_read_and_figures_that_stand_in_no_cell_are_counted():
    sheet = new_sheet()
    chart = BarChart()
    chart.title, chart.y_axis.title = "Depth of the lakes", "Metres"
    chart.add_data(Reference(sheet, min_col=2, min_row=1, max_row=3), titles_from_data=True)
    sheet.add_chart(chart, "E2")
    document = read_xlsx(save(sheet), "l.xlsx")
    assert "\n\nDepth of the lakes\n\nMetres" in document.text
    assert document.dropped == ()
    data = save(sheet)
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as before, zipfile.ZipFile(made, "w") as after:
        for name in before.namelist():
            after.writestr(name, before.read(name).replace(b"<f>'Lakes'!", b"<f>[1]Lakes!"))
    assert HiddenReason.UNREAD in dropped(read_xlsx(made.getvalue(), "l.xlsx"))


def test_titles_of_sheets_that_are_a_chart_are_read():
    sheet = new_sheet()
    assert sheet.parent is not None
    chart = BarChart()
    chart.title = "Depth of the lakes"
    chart.add_data(Reference(sheet, min_col=2, min_row=1, max_row=3), titles_from_data=True)
    sheet.parent.create_chartsheet("Graph").add_chart(chart)
    assert read_xlsx(save(sheet), "l.xlsx").text.endswith("\n\nGraph\n\nDepth of the lakes")


def test_a_thread_of_comments_is_read_with_its_answers():
    sheet = new_sheet()
    sheet["B2"].comment = Comment("[Kommentarthread]\n\nIhre Version …\n\nKommentar:\n    Which year?", "A")
    made = save(sheet)
    thread = (
        '<ThreadedComments xmlns="http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments">'
        '<threadedComment ref="B2" id="{1}"><text>Which year?</text></threadedComment>'
        '<threadedComment ref="B2" id="{2}" parentId="{1}"><text>That of 2023.</text></threadedComment>'
        "</ThreadedComments>"
    )
    written = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(made)) as before, zipfile.ZipFile(written, "w") as after:
        for name in before.namelist():
            content = before.read(name)
            if name == "xl/worksheets/_rels/sheet1.xml.rels":
                kind = _TYPES["threadedComment"]
                relation = (
                    f'<Relationship Id="t" Type="{kind}" Target="../threadedComments/t.xml"/></Relationships>'
                )
                content = content.replace(b"</Relationships>", relation.encode())
            after.writestr(name, content)
        after.writestr("xl/threadedComments/t.xml", thread)
    document = read_xlsx(written.getvalue(), "l.xlsx")
    assert document.text.endswith("\n\nMura, Depth: Which year? That of 2023.")


def test_comments_on_empty_cells_and_lines_are_read_too():
    sheet = new_sheet(["Depths of the lakes"], [], ["Lake", "Depth"], ["Mura", 31])
    sheet["A1"].comment = Comment("By the survey.", "A")
    sheet["F9"].comment = Comment("Two lakes are missing.", "A")
    assert read_xlsx(save(sheet), "l.xlsx").text.endswith("\n\nBy the survey.\n\nTwo lakes are missing.")


def test_heads_of_printed_pages_are_told():
    sheet = new_sheet()
    sheet.oddHeader.center.text = "Draft of the survey"
    sheet.oddFooter.center.text = "&P / &N"
    assert dropped(read_xlsx(save(sheet), "l.xlsx")) == {HiddenReason.RUNNING_HEAD: ("Draft of the survey",)}


@pytest.mark.parametrize(
    ("stored", "shown"),
    [("Mura_x000D_\nWest", "Mura West"), ("a_x0009_b", "a b"), ("C_x0041_", "C_x0041_")],
)
def test_control_characters_are_decoded_and_other_codes_kept(stored, shown):
    document = read_xlsx(save(new_sheet(["Lake", "Depth"], [stored, 3], ["Orrin", 9])), "l.xlsx")
    assert document.tables[0].rows[0][0] == shown
