from __future__ import annotations

from dataclasses import replace

import pytest

from research.reading.chunks import ChunkDraft
from research.reading.cutting import CutDocument
from research.reading.document import Block, BlockKind, Page, ReadDocument, ReadError, Table
from research.reading.wire import (
    cut_from_json,
    cut_to_json,
    document_from_json,
    document_to_json,
    error_to_json,
)

DOCUMENT = ReadDocument(
    text="Größe\n\na | b", media_type="text/csv", title="T", author="A", published="2017-06", modified=None,
    site_name="S", url="https://example.org/", language="de", has_paywall=True, notes=("One note.",),
    blocks=(
        Block(0, 5, BlockKind.HEADING, 1, "Größe", 1),
        Block(7, 12, BlockKind.TABLE, None, "Größe", None),
    ),
    pages=(Page(1, 0, 12, 612.0, 792.5, ((0, 3, 5), (7, 9, 5))),),
    tables=(Table("", ("a", "b"), (("1", ""),), 7, 12),),
)  # fmt: skip


def test_a_document_comes_back_as_it_was() -> None:
    assert document_from_json(document_to_json(DOCUMENT)) == DOCUMENT


def test_an_error_comes_back_as_an_error() -> None:
    with pytest.raises(ReadError) as error:
        document_from_json(error_to_json(ReadError("encrypted", "It is protected.")))
    assert (error.value.code, error.value.message) == ("encrypted", "It is protected.")


@pytest.mark.parametrize("answer", [b"", b"{", b"{}", b'{"document": {}}', b'{"code": "odd", "message": ""}'])
def test_another_answer_is_refused(answer: bytes) -> None:
    with pytest.raises((ValueError, KeyError)):
        document_from_json(answer)


CUT = CutDocument(
    DOCUMENT,
    (
        ChunkDraft(0, 0, 5, "", BlockKind.HEADING, 1, 3),
        ChunkDraft(1, 7, 12, "Größe", BlockKind.TABLE, None, 2),
    ),
    b"\x00\xff",
)


def test_a_cut_document_comes_back_as_it_was() -> None:
    assert cut_from_json(cut_to_json(CUT)) == CUT


@pytest.mark.parametrize(("start", "end"), [(-1, 3), (3, 3), (5, 2), (0, 13)])
def test_passages_that_are_not_in_the_text_are_refused(start: int, end: int) -> None:
    odd = replace(CUT, chunks=(replace(CUT.chunks[0], start=start, end=end),))
    with pytest.raises(ValueError, match="not in the text"):
        cut_from_json(cut_to_json(odd))


def test_an_answer_without_passages_is_refused_where_they_were_asked_for() -> None:
    with pytest.raises(KeyError):
        cut_from_json(document_to_json(DOCUMENT))


def test_an_error_comes_back_as_an_error_for_a_cut_document_too() -> None:
    with pytest.raises(ReadError, match="It is protected"):
        cut_from_json(error_to_json(ReadError("encrypted", "It is protected.")))
