from __future__ import annotations

import pytest

from research.parsing.formats.parse_pdf import read_pdf
from research.parsing.formats.pdf.locate_quotes_in_pdf import quote_boxes
from research.parsing.parse_sentences import sentences
from research.parsing.parsed_document import BlockKind, ReadDocument
from research.runtime.sandbox.sandbox_read_error import ReadError
from tests.parsing.documents import Shape, Words, pdf, prose

LONG = (
    "Verifiers shall require secrets of at least eight characters. They should permit secrets of sixty-four "
    "characters or more, and they shall not require a change unless there is evidence of compromise. "
)


def kinds(document: ReadDocument) -> list[tuple[BlockKind, str]]:
    return [(block.kind, document.text[block.start : block.end]) for block in document.blocks]


def test_lines_of_a_paragraph_are_joined_into_one_block() -> None:
    document = read_pdf(pdf([prose(LONG)]), "a.pdf")
    assert kinds(document) == [(BlockKind.PARAGRAPH, LONG.strip())]


def test_a_gap_between_lines_begins_a_new_paragraph() -> None:
    first, second = "One paragraph stands here and ends.", "Another one follows below it."
    document = read_pdf(pdf([[*prose(LONG), Words(first, y=600), Words(second, y=560)]]), "a.pdf")
    assert [text for _, text in kinds(document)][1:] == [first, second]


def test_large_type_is_a_heading_that_opens_a_section() -> None:
    lines = [Words("2 Memorized Secrets", y=740, size=16, bold=True), *prose(LONG * 2)]
    document = read_pdf(pdf([lines]), "a.pdf")
    assert kinds(document)[0] == (BlockKind.HEADING, "2 Memorized Secrets")
    assert document.blocks[1].section == "2 Memorized Secrets"


def test_bold_numbered_lines_are_headings_with_the_level_of_their_number() -> None:
    lines = [Words("5.1.1 Verifiers", y=640, bold=True), *prose(LONG, top=620)]
    document = read_pdf(pdf([lines]), "a.pdf")
    assert (document.blocks[0].kind, document.blocks[0].level) == (BlockKind.HEADING, 3)


def test_bullets_are_list_items_with_their_second_lines() -> None:
    lines = [
        *prose(LONG),
        Words("• Use a long passphrase that is easy to remember and", y=600),
        Words("hard to guess", y=587, x=82),
        Words("• Never reuse it", y=574),
    ]
    document = read_pdf(pdf([lines]), "a.pdf")
    items = [text for kind, text in kinds(document) if kind is BlockKind.LIST]
    assert items == ["• Use a long passphrase that is easy to remember and hard to guess", "• Never reuse it"]


def test_running_heads_and_page_numbers_are_left_out() -> None:
    pages = [
        [
            Words("NIST SP 800-63B", y=760),
            *prose(f"{topic} is the topic here."),
            Words(str(number), x=300, y=40),
        ]
        for number, topic in enumerate(("Length", "Composition", "Expiry", "Reuse"), 1)
    ]
    document = read_pdf(pdf(pages), "a.pdf")
    assert "NIST" not in document.text
    assert [text.split()[0] for _, text in kinds(document)] == ["Length", "Composition", "Expiry", "Reuse"]


@pytest.mark.parametrize("label", ["12", "xii", "3-6", "A-4", "Page 7 of 90"])
def test_a_page_number_is_no_part_of_the_sentence_over_the_page_break(label: str) -> None:
    first = [Words("A sentence that goes on", y=80), Words(label, x=300, y=40)]
    document = read_pdf(pdf([first, [Words("on the next page.", y=700)]]), "a.pdf")
    assert document.text == "A sentence that goes on on the next page."


def test_rows_of_figures_that_differ_only_in_digits_are_kept() -> None:
    pages = [[Words(f"{n}00 {n}50 {n}4", y=y) for y in (700, 500, 400)] for n in range(1, 6)]
    assert "500 550 54" in read_pdf(pdf(pages), "a.pdf").text


def test_a_sentence_over_a_page_break_is_one_slice() -> None:
    first = [Words(f"Chapter {n} text that fills the page down to", y=80) for n in (1,)]
    second = [Words("the very end of the sentence.", y=700)]
    document = read_pdf(pdf([first, second]), "a.pdf")
    assert document.text == "Chapter 1 text that fills the page down to the very end of the sentence."
    assert len(sentences(document.text, document.blocks)) == 1


def test_a_word_parted_at_the_line_end_is_joined() -> None:
    lines = [
        Words("Authentication matters. A verifier checks the authenti-", y=700),
        Words("cation of a claimant with authentication protocols.", y=687),
    ]
    document = read_pdf(pdf([lines]), "a.pdf")
    assert "the authentication of a claimant" in document.text


def test_a_compound_keeps_its_hyphen_at_the_line_end() -> None:
    lines = [
        Words("A multi-factor device is used. The factor is one of multi-", y=700),
        Words("factor authenticators.", y=687),
    ]
    document = read_pdf(pdf([lines]), "a.pdf")
    assert "one of multi-factor authenticators." in document.text


def test_lines_of_a_table_of_contents_are_in_no_block() -> None:
    lines = [
        Words("1 Introduction ............ 4", y=700),
        Words("2 Secrets ............ 7", y=687),
        *prose(LONG, top=600),
    ]
    document = read_pdf(pdf([lines]), "a.pdf")
    assert "Introduction" in document.text
    assert kinds(document) == [(BlockKind.PARAGRAPH, LONG.strip())]


def test_captions_are_told_from_paragraphs() -> None:
    lines = [Words("Table 4-1 Summary of Requirements", y=740), *prose(LONG)]
    assert kinds(read_pdf(pdf([lines]), "a.pdf"))[0] == (
        BlockKind.CAPTION,
        "Table 4-1 Summary of Requirements",
    )


def test_pages_cover_the_text_in_order_with_their_sizes() -> None:
    document = read_pdf(pdf([prose(LONG), prose("Second page. " + LONG)]), "a.pdf")
    first, second = document.pages
    assert (first.start, first.end, second.end) == (0, second.start, len(document.text))
    assert (first.number, first.width, first.height) == (1, 612, 792)


def test_blocks_name_the_page_they_begin_on() -> None:
    document = read_pdf(pdf([prose(LONG), prose("Second page. " + LONG)]), "a.pdf")
    assert [block.page for block in document.blocks] == [1, 2]


def test_runs_map_every_letter_to_a_character_of_its_page() -> None:
    document = read_pdf(pdf([prose(LONG)]), "a.pdf")
    mapped = {place for start, _, length in document.pages[0].runs for place in range(start, start + length)}
    assert all(place in mapped for place, character in enumerate(document.text) if not character.isspace())


def test_the_title_comes_from_the_metadata() -> None:
    assert read_pdf(pdf([prose(LONG)], title="Digital Identity"), "a.pdf").title == "Digital Identity"


def test_a_file_name_as_title_gives_way_to_the_largest_line() -> None:
    lines = [Words("Digital Identity Guidelines", y=740, size=24), *prose(LONG)]
    assert read_pdf(pdf([lines], title="draft-v3.docx"), "a.pdf").title == "Digital Identity Guidelines"


@pytest.mark.parametrize(
    ("printed", "date"),
    [
        ("June 2017", "2017-06"),
        ("June 22, 2017", "2017-06-22"),
        ("22 June 2017", "2017-06-22"),
        ("Spring", None),
    ],
)
def test_the_publication_date_is_as_precise_as_the_page_prints_it(printed: str, date: str | None) -> None:
    assert read_pdf(pdf([[Words(printed, y=740), *prose(LONG)]]), "a.pdf").published == date


def test_the_files_own_date_is_its_modification() -> None:
    document = read_pdf(pdf([prose(LONG)], modified="20171201081219"), "a.pdf")
    assert (document.published, document.modified) == (None, "2017-12-01")


def test_pages_without_text_are_noted() -> None:
    document = read_pdf(pdf([prose(LONG), []]), "a.pdf")
    assert document.notes == ("No text on 1 of 2 pages (images or blank): 2.",)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (pdf([[]]), "empty"),
        (pdf([[Shape("0 0 m 90 700 l 40 90 l f")]]), "scanned"),
        (pdf([prose(LONG)], encrypted=True), "encrypted"),
        (b"%PDF-1.4\n" + b"1 0 obj <<", "truncated"),
        (b"%PDF-1.4\nnothing of a PDF\n%%EOF", "unreadable"),
    ],
)
def test_a_pdf_that_cannot_be_read_says_why(data: bytes, code: str) -> None:
    with pytest.raises(ReadError) as error:
        read_pdf(data, "broken.pdf")
    assert error.value.code == code
    assert "broken.pdf" in error.value.message


def test_too_many_pages_are_refused() -> None:
    with pytest.raises(ReadError) as error:
        read_pdf(pdf([[]] * 2_001), "long.pdf")
    assert error.value.code == "too_large"


@pytest.mark.parametrize(
    ("given", "meaning", "read"),
    [
        ("The cafeX opens", "\u0301", "The café opens"),
        ("The cafeXs open", "\u0301", "The cafés open"),
        ("Let X be a set", "\U0001d400", "Let 𝐀 be a set"),
        ("An oXce for two", "ffi", "An office for two"),
        ("Some X item", "\uf0b7", "Some • item"),
        ("One X two", "\u200b", "One two"),
    ],
)
def test_a_letter_is_what_the_file_says_that_it_stands_for(given: str, meaning: str, read: str) -> None:
    data = pdf(
        [prose(f"{given} Words follow, so that it is a sentence of some length.")], meaning={"X": meaning}
    )
    assert read_pdf(data, "a.pdf").text.startswith(f"{read} Words")


@pytest.mark.parametrize("meaning", ["\u0301", "\U0001d400", "ffi", "\u200b"])
def test_what_comes_after_such_a_letter_still_has_its_place_on_the_page(meaning: str) -> None:
    data = pdf(
        [prose("The cafeX opens at eight in the morning of each day of the week.")], meaning={"X": meaning}
    )
    document = read_pdf(data, "a.pdf")
    start = document.text.index("eight")
    plain = pdf([prose("The cafeX opens at eight in the morning of each day of the week.")])
    [expected] = quote_boxes(plain, read_pdf(plain, "a.pdf").pages[0], 19, 24)
    assert quote_boxes(data, document.pages[0], start, start + 5) == [expected]


def test_prose_right_above_a_bold_head_is_no_row_of_the_table() -> None:
    rows = [
        ("Well", "Depth (m)", "Pumps"),
        ("Ansel", "31.0", "2"),
        ("Bree", "64.0", "1"),
        ("Cole", "9.5", "3"),
    ]
    table = [
        Words(text, x, 600 - 14 * at, bold=not at)
        for at, row in enumerate(rows)
        for text, x in zip(row, (72, 220, 330), strict=True)
    ]
    above = [
        *prose("The wells were dug in 1871 by two brothers, who came from the next valley. " * 3, top=680)
    ]
    drawn = [*above, Words("They give 12 mg of lead off", 72, 614), Words("in winter.", 330, 614), *table]
    document = read_pdf(pdf([drawn]), "a.pdf")
    [found] = document.tables
    assert found.headers == rows[0]
    assert found.rows == tuple(rows[1:])
    assert "lead off in winter." in document.text


def test_a_bold_total_above_its_parts_keeps_the_head() -> None:
    rows = [("Region", "Homes"), ("All regions", "151"), ("Esk", "41"), ("Wold", "12"), ("Skell", "98")]
    table = [
        Words(text, x, 600 - 14 * at, bold=at == 1)
        for at, row in enumerate(rows)
        for text, x in zip(row, (72, 220), strict=True)
    ]
    [found] = read_pdf(
        pdf([[*prose("The office counted all homes of the valley by night. " * 3, top=680), *table]]), "a.pdf"
    ).tables
    assert found.headers == rows[0]
