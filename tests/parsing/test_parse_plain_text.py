from __future__ import annotations

from textwrap import dedent

import pytest

from research.parsing.formats.parse_plain_text import read_text
from research.parsing.parse_document import read as read_document
from research.parsing.parse_sentences import sentences
from research.parsing.parsed_document import BlockKind, ReadDocument


def read(text: str) -> ReadDocument:
    return read_text(dedent(text).encode(), "notes.txt", "text/plain")


def kinds(document: ReadDocument) -> list[tuple[BlockKind, str]]:
    return [(block.kind, document.text[block.start : block.end]) for block in document.blocks]


def test_wrapped_lines_are_one_paragraph() -> None:
    document = read("The iteration count should\nbe as large as possible.\n\nSecond paragraph.\n")
    assert [text for _, text in kinds(document)] == [
        "The iteration count should be as large as possible.",
        "Second paragraph.",
    ]


def test_underlined_titles_are_headings_with_levels() -> None:
    document = read("=====\nGuide\n=====\n\nSetup\n-----\n\nText.\n\nMore\n~~~~\n\nDeep.\n")
    assert [(block.level, block.section) for block in document.blocks if block.kind is BlockKind.HEADING] == [
        (1, "Guide"), (2, "Guide > Setup"), (3, "Guide > Setup > More"),
    ]  # fmt: skip
    assert document.title == "Guide"


@pytest.mark.parametrize(
    ("lines", "heading"),
    [
        ("valve 1.0.6\n10/18/22", "valve 1.0.6 10/18/22"),
        ("Release 2026f - 2026-10-27 23:16:49 -0700", "Release 2026f - 2026-10-27 23:16:49 -0700"),
        ("Version 4.1.1 (2021 November 27)", "Version 4.1.1 (2021 November 27)"),
        ("2.3.0 / 2020-01-01", "2.3.0 / 2020-01-01"),
        ("2024-07-04 Version 1.1.8", "2024-07-04 Version 1.1.8"),
        ("Changes in 2.3:", "Changes in 2.3:"),
    ],
)
def test_the_line_of_a_release_is_a_heading(lines: str, heading: str) -> None:
    document = read(f"News\n\n{lines}\n\n* Added a valve.\n")
    assert (BlockKind.HEADING, heading) in kinds(document)
    assert [block.section for block in document.blocks if block.kind is BlockKind.LIST] == [heading]


@pytest.mark.parametrize("line", ["Section 4.2 is new", "It costs 4.20", "See 4.1.2", "127.0.0.1 is local"])
def test_a_line_with_a_number_is_no_release(line: str) -> None:
    document = read(f"Intro.\n\n{line}\nand goes on.\n")
    assert not [kind for kind, _text in kinds(document) if kind is BlockKind.HEADING]


def test_code_directives_and_literal_blocks_are_code() -> None:
    document = read(".. code-block:: python\n   :linenos:\n\n   a = 1\n\nLike this::\n\n    b = 2\n\nEnd.\n")
    assert kinds(document) == [
        (BlockKind.CODE, "a = 1"),
        (BlockKind.PARAGRAPH, "Like this:"),
        (BlockKind.CODE, "b = 2"),
        (BlockKind.PARAGRAPH, "End."),
    ]


def test_the_prose_of_admonitions_is_read() -> None:
    document = read(
        ".. note::\n\n    Keep the salt random.\n\n.. versionchanged:: 5.1\n\n    The default was raised.\n"
    )
    assert document.text == "Keep the salt random.\n\nversionchanged:: 5.1\n\nThe default was raised."


def test_comments_targets_and_index_entries_are_left_out() -> None:
    document = read("..\n    Note to self.\n\n.. _target:\n\n.. index:: salt\n\nText.\n")
    assert document.text == "Text."


def test_list_items_keep_their_second_lines_and_depths() -> None:
    document = read("* First item goes\n  on here.\n\n  - Inner\n* Second\n")
    assert [(document.text[block.start : block.end], block.level) for block in document.blocks] == [
        ("First item goes on here.", 1), ("Inner", 2), ("Second", 1),
    ]  # fmt: skip


def test_definition_lists_give_term_and_definition() -> None:
    document = read("BCRYPT_ROUNDS\n    Number of rounds.\n    Default: 12.\n\nSALT\n    Random.\n")
    assert kinds(document) == [
        (BlockKind.LIST, "BCRYPT_ROUNDS"),
        (BlockKind.LIST, "Number of rounds. Default: 12."),
        (BlockKind.LIST, "SALT"),
        (BlockKind.LIST, "Random."),
    ]


def test_configuration_lines_are_code_and_each_a_sentence() -> None:
    document = read("Set this:\n\nlockout_duration = 1800\nlockout_failure_attempts = 6\n")
    assert document.blocks[1].kind is BlockKind.CODE
    spans = sentences(document.text, document.blocks)
    assert [document.text[span.start : span.end] for span in spans][1:] == [
        "lockout_duration = 1800", "lockout_failure_attempts = 6",
    ]  # fmt: skip


def test_a_grid_table_joins_the_lines_of_a_cell() -> None:
    document = read("""\
        +------+----------------+
        | Name | Meaning        |
        +======+================+
        | ROPE | How many       |
        |      | attempts.      |
        +------+----------------+
        | NET  | a | b          |
        +------+----------------+
        """)
    (table,) = document.tables
    assert (table.headers, table.rows) == (
        ("Name", "Meaning"),
        (("ROPE", "How many attempts."), ("NET", "a | b")),
    )


def test_a_simple_table_continues_rows_with_an_empty_first_cell() -> None:
    document = read("""\
        ======  ==============
        Name    Meaning
        ======  ==============
        ROPE    How many
                attempts.
        NET     Nothing.
        ======  ==============
        """)
    (table,) = document.tables
    assert (table.headers, table.rows) == (
        ("Name", "Meaning"),
        (("ROPE", "How many attempts."), ("NET", "Nothing.")),
    )


def test_field_lists_give_author_and_date() -> None:
    document = read("Title\n=====\n\n:Author: Ada Lovelace\n:Date: 2015-03-01\n\nText.\n")
    assert (document.author, document.published) == ("Ada Lovelace", "2015-03-01")


def test_inline_markup_stands_as_in_the_file() -> None:
    text = "Use :class:`~passlib.totp.TOTP` and ``SHA256``, see PBKDF2_."
    assert read(text).text == text


def test_titles_and_section_paths_are_without_roles() -> None:
    document = read(":class:`~passlib.totp.TOTP` tutorial\n===================================\n\nText.\n")
    assert (document.title, document.blocks[1].section) == ("passlib.totp.TOTP tutorial",) * 2


def test_an_indented_block_is_a_quotation() -> None:
    assert kinds(read("He said:\n\n    All is well.\n"))[1] == (BlockKind.QUOTE, "All is well.")


def test_lines_without_wrapping_stay_apart() -> None:
    long = "A line that is a paragraph of its own, as some editors write them. " * 4
    assert len(read(f"{long}\n{long}\n").blocks) == 2


def test_markdown_in_a_text_file_is_read_as_markdown() -> None:
    document = read("# Title\n\nText\n\n## Part\n\n- item\n")
    assert document.media_type == "text/markdown"


def test_an_initial_at_the_start_is_not_a_list_item() -> None:
    assert kinds(read("A. Smith wrote this down\nin two lines.\n"))[0][0] is BlockKind.PARAGRAPH


def test_deep_indentation_ends_in_flat_text() -> None:
    text = "\n\n".join(" " * depth + "word" for depth in range(200))
    assert read(text).text.count("word") == 200


def test_a_long_file_is_read_to_its_end() -> None:
    """Time to read grew with the square of the paragraphs: this many took longer than a reader may."""
    paragraphs = [f"Paragraph {number} says something." for number in range(40_000)]
    document = read("\n\n".join(paragraphs))
    assert [text for _, text in kinds(document)] == paragraphs


def test_footnotes_are_items() -> None:
    document = read("Text [1]_.\n\n.. [1] The note goes\n   on here.\n")
    assert kinds(document)[-1] == (BlockKind.LIST, "[1] The note goes on here.")


@pytest.mark.parametrize(
    ("directive", "words"),
    [
        (".. csv-table:: T\n   :delim:\n\n   a,b\n", "a | b"),
        ('.. csv-table:: T\n\n   "a,b\n   1,2\n', "a,b 1,2"),
        (".. list-table::\n   :header-rows: x\n\n   - a\n   - b\n", "a\nb"),
        (f".. csv-table:: T\n\n   {'x' * 140_000},b\n", "x" * 140_000),
    ],
    ids=["no delimiter", "an open quotation mark", "no rows", "a long field"],
)
def test_nothing_of_a_malformed_table_is_lost(directive: str, words: str) -> None:
    assert words in read(directive).text


def test_a_figures_caption_and_a_csv_tables_rows_are_read() -> None:
    document = read(".. figure:: a.png\n   :width: 3\n\n   How it goes.\n\n.. csv-table:: T\n\n   a, b\n")
    assert document.text == "How it goes.\n\nT\n\na | b"


@pytest.mark.parametrize(
    ("delimiter", "between"), [("tab", "\t"), ("space", " "), (";", ";")], ids=["tab", "space", "semicolon"]
)
def test_the_cells_of_a_csv_table_are_told_apart_by_its_delimiter(delimiter: str, between: str) -> None:
    rows = [('"Heat pump"', "14,200"), ("Boiler", "9,100")]
    lines = "".join(f"   {between.join(row)}\n" for row in rows)
    head = f'.. csv-table:: Costs\n   :header: "Device, new", Euros\n   :delim: {delimiter}\n\n'
    document = read(f"{head}{lines}\nA\ttab in a sentence.\n")
    (table,) = document.tables
    assert table.headers == ("Device, new", "Euros")
    assert table.rows == (("Heat pump", "14,200"), ("Boiler", "9,100"))
    assert "\t" not in document.text


def test_a_grid_table_whose_borders_do_not_meet_keeps_its_words() -> None:
    document = read("""\
        +------+---------+
        | Name | Meaning |
        +======+=========+
        | 漢字 | Letters of |
        |      | China. |
        +------+---------+
        """)
    (table,) = document.tables
    assert (table.headers, table.rows) == (("Name", "Meaning"), (("漢字", "Letters of China."),))


def test_the_words_beside_a_directive_come_before_those_below() -> None:
    document = read(".. topic:: Keys\n\n   Keep them safe.\n\n.. warning:: Beware\n   of it.\n")
    assert document.text == "Keys\n\nKeep them safe.\n\nBeware of it."


def test_a_simple_table_that_never_closes_is_text() -> None:
    assert read("==== ====\na    b\n1    2\n").text == "a    b 1    2".replace("    ", " ")


def test_letters_that_are_printed_twice_are_read_once() -> None:
    data = b"N\bNA\bAM\bME\bE\n\n     l\bls\bs - list what a _\bf_\bo_\bl_\bd_\be_\br holds\n"
    assert "ls - list what a folder holds" in read_document(data, "ls.txt").text
    assert read_document(data, "ls.txt").text.startswith("NAME")


COLUMNS = [
    """\
The loads of the harbours were:
Harbour        2023      2024
-----------------------------
Selby           412       430
Orrin Sand       55        61
Total           467       491
Source: harbour office.
""",
    """\
     Harbour        2023      2024

     Selby           412       430
     Orrin Sand       55        61
     Total           467       491
""",
    "Harbour\t2023\t2024\nSelby\t412\t430\nOrrin Sand\t55\t61\nTotal\t467\t491\n",
]


@pytest.mark.parametrize("text", COLUMNS)
def test_columns_aligned_by_blanks_are_a_table(text: str) -> None:
    document = read_document(text.encode(), "a.txt")
    [table] = document.tables
    assert table.headers == ("Harbour", "2023", "2024")
    assert table.rows == (("Selby", "412", "430"), ("Orrin Sand", "55", "61"), ("Total", "467", "491"))
    assert "2024" not in document.text.split("\n")[0] or document.text.startswith("Harbour | 2023 | 2024")


def test_lines_that_name_rows_and_gaps_of_a_table_of_blanks_are_kept() -> None:
    text = (
        "Harbour        2023      2024\nNorth\nSelby           412       430\nOrrin                      61\n"
    )
    [table] = read_document(text.encode(), "a.txt").tables
    assert table.rows == (("North", "", ""), ("Selby", "412", "430"), ("Orrin", "", "61"))


@pytest.mark.parametrize(
    "text",
    [
        "The pier is open.  It closes at six.\nThe hall is shut.  It opens at two.\nThe park is free.  It is large.\n",
        "1.  Open the box and look for the red key.\n2.  Turn it.\n3.  Close the box again.\n",
        "-v   prints all that the program does while it runs on the files\n"
        "-q   prints nothing at all but errors of the files that are read\n"
        "-x   stops at the first error and says what to do about the file\n",
        "host      = one\nport      = two\nname      = three\n",
    ],
)
def test_blanks_in_prose_items_and_code_make_no_table(text: str) -> None:
    assert read_document(text.encode(), "a.txt").tables == ()


def read_markup(text: str) -> ReadDocument:
    return read_text(dedent(text).encode(), "notes.rst", "text/x-rst")


def test_substitutions_are_written_out() -> None:
    document = read_markup(
        """
        .. |AA| replace:: *The Astronomical Almanac*,
                          as printed
        .. |deg| unicode:: U+00B0 .. degree sign
        .. |logo| image:: logo.png

        |AA| in 2026
        ------------

        |logo| In |AA|, |L0| is 5\\ |deg|, says |PyERFA|_.

        +------+-------+
        | Name | |deg| |
        +======+=======+
        | |AA| | 1     |
        +------+-------+

        Code with ``a|AA|b`` and ``|AA|``::

            |AA|
        """
    )
    assert [text for _, text in kinds(document)] == [
        "*The Astronomical Almanac*, as printed in 2026",
        "In *The Astronomical Almanac*, as printed, L0 is 5\\ °, says PyERFA.",
        "Name | °",
        "*The Astronomical Almanac*, as printed | 1",
        "Code with ``a|AA|b`` and ``|AA|``:",
        "|AA|",
    ]


def test_bars_of_a_plain_text_are_kept() -> None:
    assert (
        kinds(read("The norm is |x| here, and |y| there.\n"))[0][1] == "The norm is |x| here, and |y| there."
    )


def test_a_substitution_by_itself_ends() -> None:
    assert "x" in read_markup(".. |x| replace:: |x| again\n\nWith |x| it ends.\n").text


def test_kinds_of_changes_are_labels() -> None:
    document = read_markup(
        """
        - |fixed| |backwards-incompatible| Needs Python 3.8 (:issue:`42`, :pull:`#43`).
        - |new| ``run`` works
        """
    )
    assert [text for _, text in kinds(document)] == [
        "Fixed, backwards-incompatible: Needs Python 3.8 (#42, #43).",
        "New: ``run`` works",
    ]


def test_substitutions_do_not_blow_up_a_document() -> None:
    text = ".. |x| replace:: " + "|x| " * 500 + "\n\n" + "|x| " * 500
    assert len(read_markup(text).text) < 2_000_000


def test_a_reference_by_label_is_written_with_the_title_of_its_section() -> None:
    document = read_markup(
        """
        .. _near the-horizon:

        Refraction
        ----------

        As :ref:`Near The-Horizon` says (see :ref:`other-page`), light bends (see :ref:`near the-horizon`).
        It has a :ref:`title <other-page>` :cite:p:`urban_2007`, as in :ref:`other-page`.
        """
    )
    assert kinds(document)[1][1] == (
        "As Refraction says, light bends (see Refraction). It has a :ref:`title <other-page>`, as in :ref:`other-page`."
    )


def test_lines_of_a_line_block_are_items() -> None:
    document = read_markup(
        """
        Some history:

        | 2.1 - Add arrays
        | 2.0 - Rewrite the interface,
          with care
        |
        | Lines broken in
        | the middle of a sentence.
        """
    )
    assert kinds(document)[1:] == [
        (BlockKind.LIST, "2.1 - Add arrays"),
        (BlockKind.LIST, "2.0 - Rewrite the interface, with care"),
        (BlockKind.LIST, "Lines broken in the middle of a sentence."),
    ]


@pytest.mark.parametrize("directive", ["plot::", "doctest-requires:: scipy", "testcleanup::"])
def test_what_a_directive_runs_is_code(directive: str) -> None:
    document = read_markup(f"Intro.\n\n.. {directive}\n\n    import scipy\n    scipy.run()\n")
    assert kinds(document) == [(BlockKind.PARAGRAPH, "Intro."), (BlockKind.CODE, "import scipy\nscipy.run()")]
