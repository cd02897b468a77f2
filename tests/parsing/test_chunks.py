from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.parsing.frozen_text_builder import TextBuilder
from research.parsing.parse_sentences import sentences
from research.parsing.parsed_document import BlockKind, ReadDocument
from research.parsing.parsed_passage_chunks import ChunkDraft, chunk


def words(texts: Sequence[str]) -> list[int]:
    return [len(text.split()) for text in texts]


def document(*pieces: tuple[BlockKind, str]) -> ReadDocument:
    builder = TextBuilder()
    for kind, piece in pieces:
        if kind is BlockKind.HEADING:
            builder.add_heading(piece, 1)
        else:
            builder.add(kind, piece)
    return ReadDocument(builder.text, "text/plain", blocks=tuple(builder.blocks))


def prose(sentences_: int, words_each: int = 5) -> tuple[BlockKind, str]:
    text = " ".join("Word " + "word " * (words_each - 2) + f"end{number}." for number in range(sentences_))
    return BlockKind.PARAGRAPH, text


def texts(read: ReadDocument, drafts: list[ChunkDraft]) -> list[str]:
    return [read.text[draft.start : draft.end] for draft in drafts]


def test_a_short_document_is_one_chunk() -> None:
    read = document(prose(3))
    (draft,) = chunk(read, 50, 0, words)
    assert (draft.index, draft.start, draft.end, draft.token_count) == (0, 0, len(read.text), 15)


def test_chunks_end_at_sentences() -> None:
    read = document(prose(10))
    assert all(text.endswith(".") for text in texts(read, chunk(read, 22, 0, words)))


def test_no_chunk_crosses_a_section() -> None:
    read = document((BlockKind.HEADING, "One"), prose(2), (BlockKind.HEADING, "Two"), prose(2))
    drafts = chunk(read, 100, 0, words)
    assert [(draft.section, text[:3]) for draft, text in zip(drafts, texts(read, drafts), strict=True)] == [
        ("One", "One"), ("Two", "Two"),
    ]  # fmt: skip


def test_chunks_overlap_by_whole_sentences() -> None:
    read = document(prose(9))
    first, second, *_ = chunk(read, 20, 6, words)
    assert second.start < first.end
    assert read.text[second.start : first.end] == "Word word word word end3."


def test_a_sentence_that_is_too_long_is_cut_between_words() -> None:
    read = document((BlockKind.PARAGRAPH, "word " * 100 + "end."))
    drafts = chunk(read, 30, 0, words)
    assert all(draft.token_count <= 30 for draft in drafts)
    assert " ".join(texts(read, drafts)).split() == read.text.split()


def test_text_without_blanks_is_cut_too() -> None:
    read = document((BlockKind.PARAGRAPH, "x" * 1_000))
    drafts = chunk(read, 50, 0, lambda texts_: [len(text) for text in texts_])
    assert "".join(texts(read, drafts)) == read.text


def test_the_kind_is_that_of_most_words() -> None:
    read = document((BlockKind.PARAGRAPH, "See this:"), (BlockKind.CODE, "a = 1\n" * 20))
    assert chunk(read, 200, 0, words)[0].kind is BlockKind.CODE


def test_an_empty_document_has_no_chunks() -> None:
    assert chunk(document(), 50, 0, words) == []


@pytest.mark.parametrize(("size", "overlap"), [(1_001, 0), (5, 0), (100, 60), (100, -1)])
def test_impossible_sizes_are_refused(size: int, overlap: int) -> None:
    with pytest.raises(ValueError, match="not possible"):
        chunk(document(prose(1)), size, overlap, words)


@given(
    st.lists(st.tuples(st.sampled_from(list(BlockKind)), st.text("ab. \n", max_size=200)), max_size=5),
    st.integers(8, 40),
    st.integers(0, 4),
)
def test_chunks_hold_every_sentence_within_the_size(
    pieces: list[tuple[BlockKind, str]], size: int, overlap: int
) -> None:
    read = document(*pieces)
    drafts = chunk(read, size, overlap, words)
    assert [draft.index for draft in drafts] == list(range(len(drafts)))
    assert all(draft.token_count <= size for draft in drafts)
    covered = {place for draft in drafts for place in range(draft.start, draft.end)}
    for span in sentences(read.text, read.blocks):
        assert all(
            place in covered for place in range(span.start, span.end) if not read.text[place].isspace()
        )
