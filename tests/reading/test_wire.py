from __future__ import annotations

import pytest

from research.reading.document import Block, BlockKind, Page, ReadDocument, ReadError, Table
from research.reading.wire import document_to_json, error_to_json, from_json

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
    assert from_json(document_to_json(DOCUMENT)) == DOCUMENT


def test_an_error_comes_back_as_an_error() -> None:
    with pytest.raises(ReadError) as error:
        from_json(error_to_json(ReadError("encrypted", "It is protected.")))
    assert (error.value.code, error.value.message) == ("encrypted", "It is protected.")


@pytest.mark.parametrize("answer", [b"", b"{", b"{}", b'{"document": {}}', b'{"code": "odd", "message": ""}'])
def test_another_answer_is_refused(answer: bytes) -> None:
    with pytest.raises((ValueError, KeyError)):
        from_json(answer)
