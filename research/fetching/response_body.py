"""The body of an answer, unpacked in small pieces and cut off at a limit: what is sent may unpack to a thousandfold."""

import zlib
from collections.abc import AsyncIterator, Iterator

from research.parsing.media_types import is_pdf

HTML_LIMIT, PDF_LIMIT = 10_000_000, 50_000_000  # bytes, unpacked (spec: security.md)
PIECE = 1 << 20  # unpacked at once
_ANY_HEADER = 47  # zlib's name for: gzip or zlib, whichever it is
_RAW = -15


class ResponseTooLarge(Exception):
    """There is more than we read. `limit` is in bytes."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"it is larger than {limit // 10**6} MB")
        self.limit = limit


class BadEncoding(Exception):
    """The body is packed in a way that cannot be undone."""


async def read_body(parts: AsyncIterator[bytes], content_encoding: str) -> bytes:
    """The body as it was before it was packed. Raises TooLarge and BadEncoding."""
    body = bytearray()
    unpack = _unpacker(content_encoding)
    async for part in parts:
        for piece in unpack(part):
            body += piece
            limit = limit_for(body)
            if len(body) > limit:
                raise ResponseTooLarge(limit)
    if not unpack.is_whole:
        raise BadEncoding("its compression breaks off")
    return bytes(body)


async def read_beginning(parts: AsyncIterator[bytes], content_encoding: str, most: int) -> bytes:
    """The first `most` bytes of the unpacked body; the rest is not read. Raises BadEncoding."""
    body = bytearray()
    unpack = _unpacker(content_encoding)
    async for part in parts:
        for piece in unpack(part):
            body += piece
            if len(body) >= most:
                return bytes(body[:most])
    return bytes(body)


def limit_for(body: bytes | bytearray) -> int:
    return PDF_LIMIT if is_pdf(body) else HTML_LIMIT


class _Plain:
    is_whole = True

    def __call__(self, part: bytes) -> Iterator[bytes]:
        yield part


class _DeflateDecoder:
    """gzip or deflate, also deflate without its header, which some servers send."""

    def __init__(self) -> None:
        self._stream = zlib.decompressobj(_ANY_HEADER)
        self._is_new = True

    @property
    def is_whole(self) -> bool:
        return self._stream.eof or self._is_new

    def __call__(self, part: bytes) -> Iterator[bytes]:
        try:
            yield from self._pieces(part)
        except zlib.error as error:
            raise BadEncoding("its compression is damaged") from error

    def _pieces(self, part: bytes) -> Iterator[bytes]:
        while part and not self._stream.eof:
            piece = self._first(part) if self._is_new else self._stream.decompress(part, PIECE)
            self._is_new = False
            part = self._stream.unconsumed_tail
            yield piece

    def _first(self, part: bytes) -> bytes:
        try:
            return self._stream.decompress(part, PIECE)
        except zlib.error:
            self._stream = zlib.decompressobj(_RAW)
            return self._stream.decompress(part, PIECE)


def _unpacker(content_encoding: str) -> _Plain | _DeflateDecoder:
    match content_encoding.strip().lower():
        case "" | "identity":
            return _Plain()
        case "gzip" | "x-gzip" | "deflate":
            return _DeflateDecoder()
        case other:
            raise BadEncoding(f"it is packed as “{other[:40]}”, which nobody asked for")
