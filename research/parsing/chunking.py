"""What is computed from a document's text before it is stored: its passages, and its signature."""

from __future__ import annotations

from dataclasses import dataclass

from research.parsing.parsed_document import ReadDocument
from research.parsing.parsed_near_duplicates import signature
from research.parsing.parsed_passage_chunks import ChunkDraft, chunk


@dataclass(frozen=True, slots=True)
class CutDocument:
    """A document with its passages. `minhash` are the bytes of the text's signature."""

    document: ReadDocument
    chunks: tuple[ChunkDraft, ...]
    minhash: bytes


def cut(document: ReadDocument) -> CutDocument:
    return CutDocument(document, tuple(chunk(document)), signature(document.text).tobytes())
