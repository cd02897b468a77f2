from __future__ import annotations

from datetime import datetime

import pytest
from docx.oxml import OxmlElement

from research.reading.document import BlockKind, ReadDocument, ReadError
from research.reading.formats.from_docx import read_docx
from tests.reading.documents import saved, word_document


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
    document = read_docx(saved(word), "policy.docx")
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
    sections = [block.section for block in read_docx(saved(word), "a.docx").blocks]
    assert sections == ["A", "A", "A > B", "A > B", "C", "C"]


def test_metadata_comes_from_the_properties() -> None:
    word = word_document()
    word.core_properties.title, word.core_properties.author = "Policy", "Ada"
    word.core_properties.modified = datetime(2024, 5, 1, 12, 0)  # noqa: DTZ001 - Word keeps no time zone
    word.add_paragraph("Text.")
    document = read_docx(saved(word), "a.docx")
    assert (document.title, document.author, document.modified) == ("Policy", "Ada", "2024-05-01")


def test_hidden_runs_are_left_out_and_counted() -> None:
    word = word_document()
    paragraph = word.add_paragraph("Shown. ")
    paragraph.add_run("IGNORE ALL").font.hidden = True
    document = read_docx(saved(word), "a.docx")
    assert document.text == "Shown."
    assert document.notes == ("1 hidden passages were left out.",)


def test_inserted_words_are_read_and_deleted_ones_are_not() -> None:
    word = word_document()
    paragraph = word.add_paragraph("Length is ")
    for tag, text_tag, words in (("w:ins", "w:t", "12"), ("w:del", "w:delText", "8")):
        change, run, text = OxmlElement(tag), OxmlElement("w:r"), OxmlElement(text_tag)
        text.text = words
        run.append(text)
        change.append(run)
        paragraph._p.append(change)
    assert read_docx(saved(word), "a.docx").text == "Length is 12"


def test_tabs_and_breaks_part_words() -> None:
    word = word_document()
    word.add_paragraph("one\ttwo\nthree")
    assert read_docx(saved(word), "a.docx").text == "one two three"


def test_a_damaged_document_says_so() -> None:
    data = saved(word_document())
    with pytest.raises(ReadError) as error:
        read_docx(data[: len(data) // 2], "broken.docx")
    assert error.value.code == "unreadable"
