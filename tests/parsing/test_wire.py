from __future__ import annotations

from dataclasses import replace

import pytest

from research.parsing.chunking import CutDocument
from research.parsing.parsed_document import BlockKind, DocumentTable, ParsedPage, ReadDocument, TextBlock
from research.parsing.parsed_document_json import from_json, to_json
from research.parsing.parsed_passage_chunks import ChunkDraft
from research.runtime.sandbox.sandbox_read_error import ReadError

DOCUMENT = ReadDocument(
    text="Größe\n\na | b", media_type="text/csv", title="T", author="A", published="2017-06", modified=None,
    site_name="S", url="https://example.org/", language="de", has_paywall=True, notes=("One note.",),
    blocks=(
        TextBlock(0, 5, BlockKind.HEADING, 1, "Größe", 1),
        TextBlock(7, 12, BlockKind.TABLE, None, "Größe", None),
    ),
    pages=(ParsedPage(1, 0, 12, 612.0, 792.5, ((0, 3, 5), (7, 9, 5))),),
    tables=(DocumentTable("", ("a", "b"), (("1", ""),), 7, 12),),
)  # fmt: skip


CUT = CutDocument(
    DOCUMENT,
    (
        ChunkDraft(0, 0, 5, "", BlockKind.HEADING, 1, 3),
        ChunkDraft(1, 7, 12, "Größe", BlockKind.TABLE, None, 2),
    ),
    b"\x00\xff",
)


def test_a_document_comes_back_as_it_was() -> None:
    assert from_json(to_json(CUT)) == CUT


def test_an_error_comes_back_as_an_error() -> None:
    with pytest.raises(ReadError) as error:
        from_json(to_json(ReadError("encrypted", "It is protected.")))
    assert (error.value.code, error.value.message) == ("encrypted", "It is protected.")


ODD = [
    b"",
    b"{",
    b"{}",
    b'{"document": {}}',
    b'{"code": "odd", "message": ""}',
    to_json(CUT).replace(b'"00ff"', b"7"),
]


@pytest.mark.parametrize("answer", ODD)
def test_another_answer_is_refused(answer: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - of JSON or of its shape
        from_json(answer)


@pytest.mark.parametrize(("start", "end"), [(-1, 3), (3, 3), (5, 2), (0, 13)])
def test_passages_that_are_not_in_the_text_are_refused(start: int, end: int) -> None:
    odd = replace(CUT, chunks=(replace(CUT.chunks[0], start=start, end=end),))
    with pytest.raises(ValueError, match="not in the text"):
        from_json(to_json(odd))
