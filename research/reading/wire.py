"""A read document as JSON and back. Never pickle: the child that answers has met hostile files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, astuple
from typing import TypedDict, cast

from research.reading.chunks import ChunkDraft
from research.reading.cutting import CutDocument
from research.reading.document import Block, BlockKind, Page, ReadDocument, ReadError, Table


class _BlockRow(TypedDict):
    start: int
    end: int
    kind: str
    level: int | None
    section: str
    page: int | None


class _PageRow(TypedDict):
    number: int
    start: int
    end: int
    width: float
    height: float
    runs: list[tuple[int, int, int]]


class _TableRow(TypedDict):
    caption: str
    headers: list[str]
    rows: list[list[str]]
    start: int
    end: int


class _DocumentRow(TypedDict):
    text: str
    media_type: str
    title: str
    author: str
    published: str | None
    modified: str | None
    site_name: str
    url: str
    language: str | None
    blocks: list[_BlockRow]
    pages: list[_PageRow]
    tables: list[_TableRow]
    has_paywall: bool
    notes: list[str]


_ChunkRow = tuple[int, int, int, str, str, int | None, int]  # as ChunkDraft has them


class _Answer(TypedDict, total=False):
    document: _DocumentRow
    chunks: list[_ChunkRow]  # these two where they were asked for
    minhash: str  # hexadecimal
    code: str
    message: str


def document_to_json(document: ReadDocument) -> bytes:
    return _to_json({"document": asdict(document)})


def cut_to_json(cut: CutDocument) -> bytes:
    chunks = [astuple(one) for one in cut.chunks]
    return _to_json({"document": asdict(cut.document), "chunks": chunks, "minhash": cut.minhash.hex()})


def _to_json(answer: Mapping[str, object]) -> bytes:
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode()


def error_to_json(error: ReadError) -> bytes:
    return json.dumps({"code": error.code.value, "message": error.message}).encode()


def document_from_json(answer: bytes) -> ReadDocument:
    """Raises the ReadError that the answer holds, ValueError or KeyError for an answer of another shape."""
    return _document(_answered(answer))


def cut_from_json(answer: bytes) -> CutDocument:
    """Raises the same."""
    given = _answered(answer)
    document = _document(given)
    chunks = tuple(_chunk(row, len(document.text)) for row in given["chunks"])
    return CutDocument(document, chunks, bytes.fromhex(given["minhash"]))


def _answered(answer: bytes) -> _Answer:
    given = cast(_Answer, json.loads(answer))
    if "document" not in given:
        raise ReadError(given["code"], given["message"])
    return given


def _document(given: _Answer) -> ReadDocument:
    row = given["document"]
    return ReadDocument(
        text=row["text"], media_type=row["media_type"], title=row["title"], author=row["author"],
        published=row["published"], modified=row["modified"], site_name=row["site_name"], url=row["url"],
        language=row["language"], has_paywall=row["has_paywall"], notes=tuple(row["notes"]),
        blocks=tuple(map(_block, row["blocks"])), pages=tuple(map(_page, row["pages"])),
        tables=tuple(map(_table, row["tables"])),
    )  # fmt: skip


def _chunk(row: _ChunkRow, length: int) -> ChunkDraft:
    index, start, end, section, kind, page, token_count = row
    if not 0 <= start < end <= length:
        raise ValueError("a passage that is not in the text")
    return ChunkDraft(index, start, end, section, BlockKind(kind), page, token_count)


def _block(row: _BlockRow) -> Block:
    kind = BlockKind(row["kind"])
    return Block(row["start"], row["end"], kind, row["level"], row["section"], row["page"])


def _page(row: _PageRow) -> Page:
    runs = tuple((text_start, char_index, length) for text_start, char_index, length in row["runs"])
    return Page(row["number"], row["start"], row["end"], row["width"], row["height"], runs)


def _table(row: _TableRow) -> Table:
    rows = tuple(map(tuple, row["rows"]))
    return Table(row["caption"], tuple(row["headers"]), rows, row["start"], row["end"])
