"""Response bodies, decompressed piece by piece up to a limit, since data may expand a thousandfold."""

import zlib
from collections.abc import AsyncIterator, Iterator

from research.parsing.parsed_media_types import is_pdf

HTML_LIMIT, PDF_LIMIT = 10_000_000, 50_000_000  # bytes, decompressed (spec: security.md)
PIECE = 1 << 20  # decompressed at once
_ANY_HEADER = 47  # zlib's value for gzip or zlib, detected by the header
_RAW = -15


class ResponseTooLarge(Exception):
    """The body is larger than the limit, in bytes."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"it is larger than {limit // 10**6} MB")
        self.limit = limit


class BadEncoding(Exception):
    """The body's compression is unsupported or damaged."""


async def read_body(parts: AsyncIterator[bytes], content_encoding: str) -> bytes:
    """Return the decompressed body. Raises ResponseTooLarge and BadEncoding."""
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
    """Return the first `most` bytes of the decompressed body, without reading the rest.

    Raises BadEncoding.
    """
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
    """A decoder of gzip or deflate, also of deflate without its header, which some servers send."""

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
            raise BadEncoding(f"it is compressed as “{other[:40]}”, which was not requested")
