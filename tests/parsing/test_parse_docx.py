from __future__ import annotations

from copy import deepcopy
from datetime import datetime

import pytest
from docx.enum.style import WD_STYLE_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn

from research.parsing.formats.parse_docx import read_docx
from research.parsing.parsed_document import BlockKind, ReadDocument
from research.runtime.sandbox.sandbox_read_error import ReadError
from tests.parsing import word_parts as parts
from tests.parsing.documents import save_document, word_document


def kinds(document: ReadDocument) -> list[tuple[BlockKind, str]]:
    return [(block.kind, document.text[block.start : block.end]) for block in document.blocks]


def test_paragraphs_tables_and_lists_come_in_document_order() -> None:
    word = word_document()
    word.add_heading("Policy", 1)
    word.add_paragraph("Passwords have 12 characters.")
    table = word.add_table(rows=2, cols=2, style="Table Grid")
    for cell, text in zip(
        [*table.rows[0].cells, *table.rows[1].cells], ["Who", "Least", "NIST", "8"], strict=True
    ):
        cell.text = text
    word.add_paragraph("One", style="List Bullet")
    word.add_paragraph("Quoted words.", style="Quote")
    document = read_docx(save_document(word), "policy.docx")
    assert kinds(document) == [
        (BlockKind.HEADING, "Policy"),
        (BlockKind.PARAGRAPH, "Passwords have 12 characters."),
        (BlockKind.TABLE, "Who | Least"),
        (BlockKind.TABLE, "NIST | 8"),
        (BlockKind.LIST, "One"),
        (BlockKind.QUOTE, "Quoted words."),
    ]
    assert document.tables[0].headers == ("Who", "Least")


def test_sections_follow_the_heading_levels() -> None:
    word = word_document()
    for text, level in (("A", 1), ("B", 2), ("C", 1)):
        word.add_heading(text, level)
        word.add_paragraph(f"Under {text}.")
    sections = [block.section for block in read_docx(save_document(word), "a.docx").blocks]
    assert sections == ["A", "A", "A > B", "A > B", "C", "C"]


def test_metadata_comes_from_the_properties() -> None:
    word = word_document()
    word.core_properties.title, word.core_properties.author = "Policy", "Ada"
    word.core_properties.modified = datetime(2024, 5, 1, 12, 0)  # noqa: DTZ001 - Word keeps no time zone
    word.add_paragraph("Text.")
    document = read_docx(save_document(word), "a.docx")
    assert (document.title, document.author, document.modified) == ("Policy", "Ada", "2024-05-01")


def test_hidden_runs_are_left_out_and_counted() -> None:
    word = word_document()
    paragraph = word.add_paragraph("Shown. ")
    paragraph.add_run("IGNORE ALL").font.hidden = True
    document = read_docx(save_document(word), "a.docx")
    assert document.text == "Shown."
    assert [(one.passages, one.excerpts) for one in document.dropped] == [(1, ("IGNORE ALL",))]


def test_inserted_words_are_read_and_deleted_ones_are_not() -> None:
    word = word_document()
    paragraph = word.add_paragraph("Length is ")
    for tag, text_tag, words in (("w:ins", "w:t", "12"), ("w:del", "w:delText", "8")):
        change, run, text = OxmlElement(tag), OxmlElement("w:r"), OxmlElement(text_tag)
        text.text = words
        run.append(text)
        change.append(run)
        paragraph._p.append(change)
    assert read_docx(save_document(word), "a.docx").text == "Length is 12"


def test_tabs_and_breaks_part_words() -> None:
    word = word_document()
    word.add_paragraph("one\ttwo\nthree")
    assert read_docx(save_document(word), "a.docx").text == "one two three"


def test_a_damaged_document_says_so() -> None:
    data = save_document(word_document())
    with pytest.raises(ReadError) as error:
        read_docx(data[: len(data) // 2], "broken.docx")
    assert error.value.code == "unreadable"


def wrap_elements(tag: str, *inside: object) -> object:
    element = OxmlElement(tag)
    for one in inside:
        element.append(one)
    return element


def test_captions_and_code_are_known_by_their_styles() -> None:
    word = word_document()
    word.add_paragraph("Figure 1. Lengths", style="Caption")
    word.styles.add_style("Source Code", WD_STYLE_TYPE.PARAGRAPH)
    word.add_paragraph("a = 1", style="Source Code")
    document = read_docx(save_document(word), "a.docx")
    assert [kind for kind, _ in kinds(document)] == [BlockKind.CAPTION, BlockKind.CODE]


def test_paragraphs_inside_content_controls_are_read() -> None:
    word = word_document()
    paragraph = word.add_paragraph("Inside a form.")._p
    body = paragraph.getparent()
    body.replace(paragraph, wrap_elements("w:sdt", wrap_elements("w:sdtContent", deepcopy(paragraph))))
    assert read_docx(save_document(word), "a.docx").text == "Inside a form."


def test_a_hyphen_that_never_breaks_is_a_hyphen() -> None:
    word = word_document()
    run = word.add_paragraph("e").add_run()
    run._r.append(OxmlElement("w:noBreakHyphen"))
    run.add_text("mail")
    assert read_docx(save_document(word), "a.docx").text == "e-mail"


def test_a_row_that_repeats_on_each_page_names_the_columns() -> None:
    word = word_document()
    table = word.add_table(rows=2, cols=2)
    table._tbl.tblPr.remove(table._tbl.tblPr.find(qn("w:tblLook")))
    for cell, text in zip([*table.rows[0].cells, *table.rows[1].cells], "ABCD", strict=True):
        cell.text = text
    row = table.rows[0]._tr.get_or_add_trPr()
    row.append(OxmlElement("w:tblHeader"))
    assert read_docx(save_document(word), "a.docx").tables[0].headers == ("A", "B")


@pytest.mark.parametrize(
    ("written", "level"), [("0", 1), ("2", 3), ("²", 1), ("-1", 1), ("9" * 5_000, 1), ("", 1)]
)
def test_the_level_of_a_list_is_a_number_or_the_outermost(written: str, level: int) -> None:
    word = word_document()
    numbers = word.add_paragraph("One", style="List Bullet")._p.get_or_add_pPr().get_or_add_numPr()
    numbers.get_or_add_ilvl().set(qn("w:val"), written)
    [block] = read_docx(save_document(word), "list.docx").blocks
    assert (block.kind, block.level) == (BlockKind.LIST, level)


def test_paragraphs_whose_mark_was_deleted_are_one_with_the_next() -> None:
    deleted = '<w:pPr><w:rPr><w:del w:id="1" w:author="A"/></w:rPr></w:pPr>'
    body = (
        f"<w:p>{deleted}{parts.run('The pass is open')}</w:p><w:p>{deleted}{parts.run(' from May')}</w:p>"
        f"<w:p>{parts.run(' to October.')}</w:p><w:p>{parts.run('It is steep.')}</w:p>"
    )
    document = read_docx(parts.word_file(body), "a.docx")
    assert document.text == "The pass is open from May to October.\n\nIt is steep."
    before_a_table = f"<w:p>{deleted}{parts.run('Depths')}</w:p>" + parts.table(
        parts.row(parts.cell(parts.paragraph("Loke")), parts.cell(parts.paragraph("31")))
    )
    assert read_docx(parts.word_file(before_a_table), "a.docx").text == "Depths\n\nLoke | 31"


def test_in_cells_boxes_and_notes_paragraphs_whose_mark_was_deleted_are_one_too() -> None:
    deleted = '<w:pPr><w:rPr><w:del w:id="1" w:author="A"/></w:rPr></w:pPr>'
    joined = (
        f'<w:p>{deleted}{parts.run("31")}</w:p><w:bookmarkStart w:id="2" w:name="b"/><w:bookmarkEnd w:id="2"/>'
        f"<w:p>{parts.run('.5')}</w:p>"
    )
    table = parts.table(parts.row(parts.cell(parts.paragraph("Loke")), parts.cell(joined)))
    assert read_docx(parts.word_file(table), "a.docx").text == "Loke | 31.5"
    note = f'<w:footnote w:id="1">{joined}</w:footnote>'
    body = parts.paragraph("It is deep.", parts.note_mark(1))
    assert read_docx(parts.word_file(body, footnotes=note), "a.docx").text.endswith("31.5")
