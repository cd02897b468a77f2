"""Converts a read document to JSON and back. Not pickle, since the child process has parsed hostile files."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from research.parsing.chunking import CutDocument
from research.parsing.parsed_document import fields_of
from research.runtime.sandbox.sandbox_read_error import ReadError, ReadErrorCode

if TYPE_CHECKING:
    from pydantic import TypeAdapter


@dataclass(frozen=True, slots=True)
class _Failure:
    code: ReadErrorCode
    message: str


def to_json(answer: CutDocument | ReadError) -> bytes:
    given = _Failure(answer.code, answer.message) if isinstance(answer, ReadError) else answer
    return json.dumps(given, default=_plain, ensure_ascii=False, separators=(",", ":")).encode()


def from_json(answer: bytes) -> CutDocument:
    """Parse a child's answer. Raises the ReadError in it, or ValueError if it is malformed."""
    given = _answers().validate_json(answer)
    if isinstance(given, _Failure):
        raise ReadError(given.code, given.message)
    length = len(given.document.text)
    if not all(0 <= chunk.start < chunk.end <= length for chunk in given.chunks):
        raise ValueError("a passage that is not in the text")
    return replace(given, minhash=bytes.fromhex(given.minhash.decode()))


@cache
def _answers() -> TypeAdapter[_Failure | CutDocument]:
    from pydantic import TypeAdapter  # the answering child does not need it

    return TypeAdapter(_Failure | CutDocument)


def _plain(value: object) -> object:
    return value.hex() if isinstance(value, bytes) else fields_of(value)
