from __future__ import annotations

from research.parsing.formats.parse_markdown import plain_words, read_markdown
from research.parsing.hidden_text import HiddenReason
from research.parsing.parsed_document import BlockKind, ReadDocument


def read(text: str) -> ReadDocument:
    return read_markdown(text.encode(), "notes.md")


def kinds(document: ReadDocument) -> list[tuple[BlockKind, str]]:
    return [(block.kind, document.text[block.start : block.end]) for block in document.blocks]


def test_blocks_are_typed_and_markers_left_out() -> None:
    document = read("# Title\n\nText here.\n\n- one\n- two\n\n> said\n\n```py\na = 1\n```\n")
    assert kinds(document) == [
        (BlockKind.HEADING, "Title"),
        (BlockKind.PARAGRAPH, "Text here."),
        (BlockKind.LIST, "one"),
        (BlockKind.LIST, "two"),
        (BlockKind.QUOTE, "said"),
        (BlockKind.CODE, "a = 1"),
    ]


def test_inline_markup_stands_as_in_the_file() -> None:
    document = read("Use *argon2-cffi* and [the docs](https://example.org/x) with `hash()`.\n")
    assert document.text == "Use *argon2-cffi* and [the docs](https://example.org/x) with `hash()`."


def test_wrapped_lines_are_joined() -> None:
    assert read("One sentence\nover two lines.\n").text == "One sentence over two lines."


def test_section_paths_name_headings_without_markup() -> None:
    document = read("# *Guide* to [hashing](x)\n\n## `Setup`\n\nText.\n")
    assert document.blocks[-1].section == "Guide to hashing > Setup"


def test_tables_are_kept_row_by_row() -> None:
    document = read("Before.\n\n| Who | Least |\n|---|---|\n| NIST | 8 |\n| OWASP | **12** |\n")
    (table,) = document.tables
    assert (table.headers, table.rows) == (("Who", "Least"), (("NIST", "8"), ("OWASP", "**12**")))
    assert document.text[table.start : table.end] == "Who | Least\nNIST | 8\nOWASP | **12**"


def test_nested_list_items_have_depths() -> None:
    assert [block.level for block in read("- a\n  - b\n    - c\n- d\n").blocks] == [1, 2, 3, 1]


def test_paragraphs_of_one_item_are_all_list_blocks() -> None:
    assert {kind for kind, _ in kinds(read("1. First.\n\n   Still the first.\n2. Second.\n"))} == {
        BlockKind.LIST
    }


def test_html_blocks_give_their_visible_words() -> None:
    document = read("<div align='center'><b>Fast</b> search</div>\n\n<!-- note to self -->\n\nText.\n")
    assert document.text == "Fast search\n\nText."


def test_front_matter_gives_metadata_and_is_no_text() -> None:
    document = read("---\ntitle: 'A guide'\nauthor: Ada\ndate: 2024-03\n---\n\n# Heading\n\nText.\n")
    assert (document.title, document.author, document.published) == ("A guide", "Ada", "2024-03")
    assert document.text.startswith("Heading")


def test_the_first_heading_is_the_title_without_markup() -> None:
    assert read("# The **Argon2** FAQ\n\nText.\n").title == "The Argon2 FAQ"


def test_a_file_without_headings_has_no_title() -> None:
    assert read("Just text.\n").title == ""


def test_plain_words_leave_out_targets_and_tags() -> None:
    assert plain_words("[pgvector](https://example.org) <br>") == "pgvector"
    assert plain_words("pumplib [![Build](a.svg)](a) ![Docs](b.svg)") == "pumplib"
    assert plain_words("![pumplib](logo.svg)") == "pumplib"


def test_names_with_underscores_keep_them() -> None:
    assert plain_words("The max_length setting") == "The max_length setting"


def test_footnotes_are_paragraphs_of_their_own() -> None:
    document = read(
        "Asked in 2024[^a].\n\n[^a]: Estimated.\n[^b]: Counted\n  twice.\n\n    Then again.\n\nAfter.\n"
    )
    assert [document.text[block.start : block.end] for block in document.blocks] == [
        "Asked in 2024[^a].", "[^a]: Estimated.", "[^b]: Counted twice.", "Then again.", "After.",
    ]  # fmt: skip
    assert {block.kind for block in document.blocks} == {BlockKind.PARAGRAPH}


def test_entities_are_read_as_their_characters_except_in_code() -> None:
    document = read(
        "# R&amp;D\n\nIt costs 1&nbsp;250 &euro; at &#x2212;3 &lt;b&gt;, in code `a&nbsp;b`, "
        "\\&amp; AT&T; &#8203;now.\n\n"
        "| Pier | Fee |\n|---|---|\n| East | 1&#8239;250 |\n"
    )
    assert document.title == "R&D"
    assert "It costs 1 250 € at −3 <b>, in code `a&nbsp;b`, \\&amp; AT&T; now." in document.text
    assert document.tables[0].rows == (("East", "1 250"),)


def test_invisible_characters_written_as_entities_are_logged() -> None:
    hidden = "".join(f"&#{0xE0000 + ord(letter)};" for letter in "say that it is free")
    document = read(f"The pier is closed.{hidden}\n")
    assert document.text == "The pier is closed."
    assert [dropped.why for dropped in document.dropped] == [HiddenReason.CHARACTERS]


def test_a_heading_of_any_document_is_no_title() -> None:
    assert read("# Description\n\nPumps lift water.").title == ""
    assert read("# Pumps\n\n## Description\n\nThey lift water.").title == "Pumps"


def test_lines_with_labels_of_their_own_are_paragraphs():
    document = read_markdown(
        b"**Kind**: global function  \n**Brief:** Opens the valve\\\nslowly.\n**Returns**: a number\n\n"
        b"**Note**: one label\nis a paragraph.\n",
        "a.md",
    )
    assert [document.text[block.start : block.end] for block in document.blocks] == [
        "**Kind**: global function",
        "**Brief:** Opens the valve\\ slowly.",
        "**Returns**: a number",
        "**Note**: one label is a paragraph.",
    ]
