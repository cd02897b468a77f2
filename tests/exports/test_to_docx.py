"""DOCX: what Word finds in it."""

import re
from functools import cache
from io import BytesIO
from zipfile import ZipFile

import pytest
from docx import Document as WordDocument
from docx.enum.section import WD_ORIENT

from citations.bibliography.bibliography_by_pandoc import PandocError, run_pandoc_to_bytes
from exports.formats.export_formats import WRITERS, Format
from exports.formats.export_options import ExportOptions
from exports.formats.word.export_pandoc_ast import tree_of
from exports.formats.word.export_pandoc_inlines import build_quote_inlines
from exports.paper.build_exported_paper import build_paper
from exports.paper.exported_paper_nodes import StyledText
from tests.exports.drafting import Draft, prose
from tests.exports.generated import document
from tests.exports.office import by_libreoffice, schema_errors, write_document
from tests.exports.reading.from_docx import W, part
from tests.often import IS_FULL

NAMES = (
    "empty",
    "hostile",
    "findings",
    "table_within",
    "charts",
    "right_to_left",
    "table",
    "table_and_prose",
)
# Each takes a start of the validator, seconds: those that hold most, unless all are wanted.
VALIDATED = NAMES if IS_FULL else NAMES[1:4]


@cache
def write_docx(name: str) -> bytes:
    return write_document(Format.DOCX, name)


def open_docx(name: str):
    return WordDocument(BytesIO(write_docx(name)))


@pytest.mark.parametrize("name", VALIDATED)
def test_the_schema_objects_to_nothing(name, tmp_path):
    path = tmp_path / "report.docx"
    path.write_bytes(write_docx(name))
    assert schema_errors(path) == []


@pytest.mark.parametrize("name", ["findings", "table_within"])
def test_headings_are_those_of_word(name):
    found = [
        (int(paragraph.style.name[-1]), paragraph.text)
        for paragraph in open_docx(name).paragraphs
        if paragraph.style.name.startswith("Heading")
    ]
    assert found == [
        (heading.level, heading.text) for heading in build_paper(document(name), ExportOptions()).headings
    ]


def test_every_claim_has_its_footnote_under_its_number():
    notes = part(write_docx("one_source"), "footnotes").findall(f"{W}footnote")
    texts = ["".join(note.itertext()).strip() for note in notes if note.get(f"{W}type") is None]
    claims = document("one_source").claims
    assert [int(re.match(r"(\d+)\s", text)[1]) for text in texts] == [claim.number for claim in claims]
    assert part(write_docx("one_source"), "document").findall(f".//{W}footnotePr") == []


def test_it_has_a_title_contents_and_the_heads_of_its_tables():
    body = part(write_docx("table"), "document")
    styles = [one.get(f"{W}val") for one in body.iter(f"{W}pStyle")]
    assert styles[0] == "Title"
    assert any("TOC \\o" in (one.text or "") for one in body.iter(f"{W}instrText"))
    assert all(
        table.find(f"{W}tr/{W}trPr/{W}tblHeader") is not None for table in list(body.iter(f"{W}tbl"))[:1]
    )
    assert part(write_docx("table"), "settings").find(f"{W}updateFields") is not None


def test_nothing_is_formatted_by_hand():
    """Looks are styles: no run has a colour, a size or a font of its own."""
    body = part(write_docx("findings"), "document")
    assert [
        tag for tag in ("color", "sz", "rFonts", "shd") if body.find(f".//{W}r/{W}rPr/{W}{tag}") is not None
    ] == []


def test_a_quote_keeps_the_lines_of_its_source():
    made = build_quote_inlines((StyledText("before\n"), StyledText("said\nhere", "quoted")))
    assert [one["t"] for one in made] == ["Str", "LineBreak", "Span", "LineBreak", "Span"]


def test_a_wide_table_lies_on_its_side_with_its_heading():
    word = open_docx("table_and_prose")
    lying = [section.orientation == WD_ORIENT.LANDSCAPE for section in word.sections]
    assert lying == [False, True, False]
    assert [section.page_width > section.page_height for section in word.sections] == lying
    assert {section.header.paragraphs[0].text for section in word.sections} == {
        document("table_and_prose").title
    }
    assert [section.different_first_page_header_footer for section in word.sections] == [True, False, False]
    body = part(write_docx("table_and_prose"), "document").find(f"{W}body")
    ends = [index for index, one in enumerate(body) if one.find(f"{W}pPr/{W}sectPr") is not None]
    inside = ["".join(one.itertext()) for one in body[ends[0] + 1 : ends[1]]]
    assert next(filter(None, inside)) == "Table"


def test_charts_say_what_they_show():
    texts = [
        one.get("descr")
        for one in part(write_docx("charts"), "document").iter()
        if one.tag.endswith("}docPr")
    ]
    assert texts
    assert all(text and len(text) > 10 for text in texts)
    assert b"base64" not in ZipFile(BytesIO(write_docx("charts"))).read("word/document.xml")


def test_core_properties_are_the_reports():
    known = open_docx("one_claim").core_properties
    assert (known.title, known.author) == (document("one_claim").title, "Plumbline")
    assert known.created.date() == document("one_claim").made_at.date()
    assert 'w:val="en"' in ZipFile(BytesIO(write_docx("one_claim"))).read("word/styles.xml").decode()


def test_links_within_lead_to_bookmarks():
    body = part(write_docx("table_within"), "document")
    known = {one.get(f"{W}name") for one in body.iter(f"{W}bookmarkStart")}
    roots = [body, part(write_docx("table_within"), "footnotes")]
    wanted = {one.get(f"{W}anchor") for root in roots for one in root.iter(f"{W}hyperlink")} - {None}
    assert wanted
    assert wanted - known == set()


def test_the_same_report_gives_the_same_bytes():
    assert write_document(Format.DOCX, "one_claim") == write_docx("one_claim")


def test_libreoffice_shows_it(tmp_path):
    path = tmp_path / "report.docx"
    path.write_bytes(write_docx("one_claim"))
    text = by_libreoffice(path, "txt:Text").read_text(encoding="utf-8-sig")
    assert document("one_claim").title in text
    assert document("one_claim").claims[0].text in text


@pytest.mark.parametrize(
    "address",
    [
        "/etc/passwd",
        "file:///etc/passwd",
        "../../etc/passwd",
        "http://127.0.0.1/x.png",
        "//attacker.example/x",
    ],
)
def test_pandoc_opens_nothing(address, tmp_path):
    """Even where an address stands as a picture, which we never write."""
    tree = tree_of(build_paper(document("one_claim"), ExportOptions()))
    picture = {"t": "Image", "c": [["", [], []], [], [address, ""]]}
    tree["blocks"] = [{"t": "Para", "c": [picture]}]
    try:
        data = run_pandoc_to_bytes(tree, "-t", "docx", "-o", "-")
    except PandocError:
        return
    with ZipFile(BytesIO(data)) as archive:
        assert not any(name.startswith("word/media/") for name in archive.namelist())
        assert all(b"root:x:0:0" not in archive.read(name) for name in archive.namelist())


def test_no_text_of_a_source_is_markup_of_word():
    tree = tree_of(build_paper(document("hostile"), ExportOptions()))
    raw = [block["c"][1] for block in tree["blocks"] if block["t"] == "RawBlock"]
    assert raw
    assert not any(re.search(r"<(script|img|svg)|planted", one) for one in raw)


def test_what_a_claim_is_worth_stays_on_the_page_with_its_quote():
    word = open_docx("findings")
    names = [paragraph.style.name for paragraph in word.paragraphs]
    after = {names[place + 1] for place, name in enumerate(names) if name == "Claim"}
    assert after == {"Claim Weight"}
    assert word.styles["Claim Weight"].paragraph_format.keep_with_next


def test_calls_of_footnotes_carry_the_numbers_of_their_claims_beside_those_of_tables():
    root = part(write_docx("table_within"), "document")
    calls = root.findall(f".//{W}footnoteReference")
    marks = ["".join(mark.itertext()) for mark in (call.getparent() for call in calls)]
    # LibreOffice shows a mark twice whose text has two letters.
    assert {len(text.text) for call in calls for text in call.getparent().findall(f"{W}t")} == {1}
    assert all(call.get(f"{W}customMarkFollows") == "1" for call in calls)
    named = [mark.get(f"{W}name") for mark in root.iter(f"{W}bookmarkStart")]
    assert {f"claim-{mark}" for mark in marks} <= set(named)
    assert len(set(marks)) == len(marks)


@pytest.mark.parametrize(
    ("count", "kept"), [(1, ""), (2, "k"), (3, "kk"), (4, "kkk"), (6, "kk.kk"), (9, "kk....kk")]
)
def test_no_source_stands_alone_on_its_page(count, kept):
    draft = Draft("sources")
    draft.section("Found", prose(draft.claim("It rose.", *(draft.source() for _each in range(count)))))
    data = WRITERS[Format.DOCX].write(draft.document("?"), ExportOptions(), lambda _share: None)
    word = WordDocument(BytesIO(data))
    listed = [each.style for each in word.paragraphs if each.style.name.startswith("Source Entry")]
    assert "".join("k" if style.paragraph_format.keep_with_next else "." for style in listed) == f"{kept}."
