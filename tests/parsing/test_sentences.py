from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.parsing.frozen_text_builder import TextBuilder
from research.parsing.parse_sentences import LONG_ROW, SentenceSpan, sentences
from research.parsing.parsed_document import BlockKind, TextBlock

PIECE = st.text(st.sampled_from("aB7 .!?;:()\"'”|\n-•e.gÉ日"), min_size=1, max_size=120)
KIND = st.sampled_from(list(BlockKind))


def build_text(pieces: list[tuple[BlockKind, str]]) -> tuple[str, list[TextBlock]]:
    builder = TextBuilder()
    for kind, piece in pieces:
        builder.add(kind, piece)
    return builder.text, builder.blocks


def split(text: str) -> list[str]:
    """The sentences of running prose."""
    prose = TextBlock(0, len(text), BlockKind.PARAGRAPH)
    return [text[span.start : span.end] for span in sentences(text, [prose])]


def spans_of(kind: BlockKind, piece: str) -> list[str]:
    text, blocks = build_text([(kind, piece)])
    return [text[span.start : span.end] for span in sentences(text, blocks)]


@given(st.lists(st.tuples(KIND, PIECE), max_size=6))
def test_sentences_are_ordered_and_never_overlap(pieces: list[tuple[BlockKind, str]]) -> None:
    spans = sentences(*build_text(pieces))
    assert all(span.start < span.end for span in spans)
    assert all(a.end <= b.start for a, b in zip(spans, spans[1:], strict=False))


@given(st.lists(st.tuples(KIND, PIECE), max_size=6))
def test_no_sentence_crosses_a_block_or_begins_with_a_blank(pieces: list[tuple[BlockKind, str]]) -> None:
    text, blocks = build_text(pieces)
    for span in sentences(text, blocks):
        assert any(block.start <= span.start and span.end <= block.end for block in blocks)
        assert text[span.start : span.end] == text[span.start : span.end].strip()


@given(st.lists(st.tuples(KIND.filter(lambda kind: kind is not BlockKind.TABLE), PIECE), max_size=6))
def test_sentences_hold_every_letter_of_their_blocks(pieces: list[tuple[BlockKind, str]]) -> None:
    text, blocks = build_text(pieces)
    covered = {place for span in sentences(text, blocks) for place in range(span.start, span.end)}
    for block in blocks:
        places = range(block.start, block.end)
        assert all(place in covered for place in places if text[place].isalnum())


@given(st.lists(st.tuples(KIND, PIECE), max_size=4))
def test_the_same_text_always_gives_the_same_spans(pieces: list[tuple[BlockKind, str]]) -> None:
    text, blocks = build_text(pieces)
    assert sentences(text, blocks) == sentences(text, blocks)


@pytest.mark.parametrize(
    "sentence",
    [
        "Use a memory-hard function, e.g. Argon2, for storage.",
        "Version 4.0.3 requires 12 characters.",
        "See Section 5.1.1.2 for the rules of verifiers.",
        "Dr. Smith and J. van der Berg wrote it.",
        "It is in Fig. 3 and Table 2 of the report by Jones et al. (2019).",
        "The U.S. Government uses it (cf. NIST SP 800-63B).",
        "The price is $4.5 million vs. $3 million before.",
        "Verifiers SHALL NOT require a change (e.g., every 90 days) without evidence.",
        "Fill in . . . and . . . and so on.",
        "The value is kept for each failed login. [Default: ``3``]",
        "It rose to 600,000 in Jan. 2023.",
        "1.2.3 Verify that passwords are long.",
        "4. Change it.",
        "Read the file no. 7 at example.com/a.b?c=d first.",
        "It was fixed. (:pr:`1355`)",
    ],
)
def test_these_are_one_sentence(sentence: str) -> None:
    assert split(sentence) == [sentence]


@pytest.mark.parametrize(
    "parts",
    [
        ["First one.", "Second one."],
        ["Is it long?", "Yes!", "Good."],
        ["“Never change it.”", "That was the rule."],
        ["It is used in the U.S.", "However, Europe differs."],
        ["They list salts, peppers, etc.", "Hashing follows."],
        ["The answer is 42.", "7 more follow."],
        ["See the standard.[3]", "It says more."],
        ["It is secure.", "login.gov is an example."],
        ["Use bcrypt.", "``argon2`` is better."],
        ["The limit is 72 bytes.", "(Longer ones are cut by the older versions of that library.)"],
    ],
)
def test_these_are_several_sentences(parts: list[str]) -> None:
    assert split(" ".join(parts)) == parts


def test_a_table_row_is_one_sentence() -> None:
    assert spans_of(BlockKind.TABLE, "NIST | 8. At least | 2017") == ["NIST | 8. At least | 2017"]


def test_a_long_table_row_is_cut_at_cells_and_sentences() -> None:
    cell = "Verify that passwords are long. Verify that they are checked against breached ones. " * 4
    spans = spans_of(BlockKind.TABLE, f"2.1.1 | {cell}| 521")
    assert len(cell) > LONG_ROW
    assert spans[:2] == ["2.1.1", "Verify that passwords are long."]


def test_every_line_of_code_is_a_sentence() -> None:
    code = "lockout_duration = 1800\n\nattempts = 6"
    assert spans_of(BlockKind.CODE, code) == ["lockout_duration = 1800", "attempts = 6"]


def test_a_comment_over_several_lines_of_code_is_one_sentence() -> None:
    code = "# By default the fourth attempt in a minute makes\n# the user wait 20 seconds.\nlimit = 4"
    assert spans_of(BlockKind.CODE, code) == [code.rpartition("\n")[0], "limit = 4"]


def test_a_value_aligned_to_the_right_continues_its_line() -> None:
    code = "description = Passwords have a letter and one\n              digit."
    assert spans_of(BlockKind.CODE, code) == [code]


def test_a_heading_is_one_sentence() -> None:
    assert spans_of(BlockKind.HEADING, "5.1. Secrets. And more") == ["5.1. Secrets. And more"]


def test_a_list_item_may_hold_several_sentences() -> None:
    assert spans_of(BlockKind.LIST, "• Use it. Keep it.") == ["Use it.", "Keep it."]


def test_spans_carry_where_they_stand() -> None:
    block = TextBlock(0, 9, BlockKind.LIST, 1, "A > B", 3)
    assert sentences("One item.", [block]) == [SentenceSpan(0, 9, "A > B", BlockKind.LIST, 3)]


@pytest.mark.parametrize("bullet", ["• ", "- ", "* ", "– ", "▪ "])
def test_a_list_items_bullet_is_no_part_of_its_sentence(bullet):
    text = f"{bullet}Backend servers use 8 lanes."
    [span] = sentences(text, [TextBlock(0, len(text), BlockKind.LIST)])
    assert text[span.start : span.end] == "Backend servers use 8 lanes."


def test_a_paragraph_keeps_what_it_begins_with():
    text = "- not a list item, only a dash."
    [span] = sentences(text, [TextBlock(0, len(text), BlockKind.PARAGRAPH)])
    assert span.start == 0


def test_a_long_stretch_without_an_end_is_one_sentence() -> None:
    """Each full stop looked back to the beginning and forward to the end: this much took minutes."""
    text = "the U.S. law of Mr. Smith, etc. and so on, " * 5_000
    assert split(text) == [text.strip()]


def test_leaders_end_no_sentence() -> None:
    text = f"Introduction {'.' * 50_000}7"
    assert split(f"{text} and on. Next.") == [f"{text} and on.", "Next."]


@pytest.mark.parametrize(
    "text",
    [
        "Seit dem 1. Januar 2013 fahren alle kostenlos.",
        "Die Pflicht gilt seit dem 31. Mai 2011.",
        "Vom 3. August bis zum 4. September bleibt die Brücke gesperrt.",
        "Das Haus wurde im 19. Jahrhundert gebaut.",
    ],
)
def test_german_ordinals_end_no_sentence(text):
    assert split(text) == [text]


def test_numbers_end_a_sentence_before_an_english_month():
    assert split("The count rose to 12. August was warmer.") == [
        "The count rose to 12.",
        "August was warmer.",
    ]
