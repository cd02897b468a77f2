"""The structure of a frozen text: the blocks around places, enough to read sentences as among all, and its tables."""

import json

from hypothesis import given
from hypothesis import strategies as st

from research.extractive.candidate_sentences import Candidate, RankedChunk, Statements
from research.library.library_frozen_text import blocks_around, blocks_of, tables_of
from research.models import Content
from research.parsing.parse_sentences import sentences
from research.parsing.parsed_document import BlockKind, DocumentTable, TextBlock, fields_of

PIECES = (
    "Wells are deep enough.",
    "Wells are deep. This makes them safe. They last.",
    "Supported pumps are:",
    "Default: 8",
    "4.2",
    "Name · Depth · Age",
    '"pump_kit",',
    "# The depth",
    "- ",
    "  ",
)
KINDS = st.sampled_from([kind.value for kind in BlockKind])
BLOCKS = st.lists(
    st.tuples(
        st.sampled_from(PIECES),
        KINDS,
        st.sampled_from(["", "A", "A > B", "C"]),
        st.sampled_from([" ", "\n", "\n\n"]),
    ),
    min_size=1,
    max_size=14,
)


def write(pieces: list[tuple[str, str, str, str]]) -> Content:
    text, blocks = "", []
    for piece, kind, section, gap in pieces:
        text += gap
        blocks.append({"start": len(text), "end": len(text) + len(piece), "kind": kind, "section": section})
        text += piece
    return Content(text=text, blocks=blocks)


def quotable(
    content: Content, blocks: list[TextBlock], places: list[tuple[int, int]]
) -> list[tuple[object, ...]]:
    passages = [RankedChunk(start, end, 1.0) for start, end in places]
    found = Statements("doc", content.text, sentences(content.text, blocks)).within(passages)
    return [tuple(getattr(one, name) for name in Candidate.__dataclass_fields__) for one in found]


@given(BLOCKS, st.lists(st.tuples(st.integers(0, 300), st.integers(1, 60)), min_size=1, max_size=3))
def test_sentences_are_the_same_as_among_all_blocks(pieces, sizes):
    content = write(pieces)
    places = [(start % len(content.text), start % len(content.text) + length) for start, length in sizes]
    some, every = blocks_around(content, places), blocks_of(content)
    assert quotable(content, some, places) == quotable(content, every, places)


def test_far_sections_are_left_out():
    named = [(f"Wells of {name} are deep enough.", "paragraph", name, "\n\n") for name in "ABCDE"]
    content = write(named)
    around = blocks_around(content, [(content.text.index("of C"), content.text.index("of C") + 9)])
    assert [block.section for block in around] == ["B", "C", "D"]


def test_a_table_that_goes_on_keeps_the_section_with_its_head():
    rows = [
        ("Name · Depth", "table", "A", "\n\n"),
        ("Ardo · 8", "table", "B", "\n"),
        ("Bryn · 9", "table", "C", "\n"),
    ]
    content = write([("Wells are deep.", "paragraph", "A", ""), *rows])
    around = blocks_around(content, [(content.text.index("Bryn"), len(content.text))])
    assert [block.section for block in around] == ["A", "A", "B", "C"]


def test_without_a_place_there_are_no_blocks():
    assert blocks_around(write([("Wells are deep.", "paragraph", "A", "")]), []) == []


def test_tables_of_a_text_that_was_just_read_are_those_of_its_row() -> None:
    read = DocumentTable("Lands", ("Land", "Capital"), (("Arden", "Port Arden"),), 0, 40)
    stored = json.loads(json.dumps(fields_of(read)))
    assert tables_of(Content(tables=[fields_of(read)])) == tables_of(Content(tables=[stored])) == [read]
