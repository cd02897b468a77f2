"""An archive file: parts in sequence, encrypted in chunks (AES-256-GCM) under one key, so that it can be
streamed.

Each chunk is bound to the archive's name and to its position: one that is missing, repeated, changed or from
another archive does not decrypt, and an archive without its end is rejected.
"""

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import IO

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from pydantic import JsonValue

MAGIC = b"plumbline archive 1\n"
NONCE_BYTES, LENGTH_BYTES, TAG_BYTES = 12, 4, 16
PIECE_BYTES = 1_000_000
MAX_PIECE = 2 * PIECE_BYTES
HEAD, DATA, END = b"h", b"d", b"e"

Head = dict[str, JsonValue]


class BadArchive(Exception):
    """The file is not a Plumbline archive, damaged, truncated, or encrypted under another key.

    str() says which.
    """


@dataclass(frozen=True, slots=True)
class ArchivePart:
    """A part of an archive: its header, and its bytes, which must be read before the next part."""

    head: Head
    pieces: Iterator[bytes]


class ArchiveWriter:
    """Writes one archive to `file`."""

    def __init__(self, file: IO[bytes], key: bytes, name: str) -> None:
        self._file, self._cipher, self._name, self._place = file, AESGCM(key), name, 0
        file.write(MAGIC)

    def add(self, head: Head, data: Iterable[bytes | bytearray | memoryview]) -> None:
        self._seal(HEAD, json.dumps(head).encode())
        waiting = bytearray()
        for some in data:
            waiting += some
            while len(waiting) >= PIECE_BYTES:
                self._seal(DATA, bytes(waiting[:PIECE_BYTES]))
                del waiting[:PIECE_BYTES]
        if waiting:
            self._seal(DATA, bytes(waiting))

    def end(self) -> None:
        self._seal(END, b"")

    def _seal(self, kind: bytes, plain: bytes) -> None:
        nonce = os.urandom(NONCE_BYTES)
        sealed = nonce + self._cipher.encrypt(nonce, kind + plain, _binding(self._name, self._place))
        self._file.write(len(sealed).to_bytes(LENGTH_BYTES, "big") + sealed)
        self._place += 1


def parts(file: IO[bytes], key: bytes, name: str) -> Iterator[ArchivePart]:
    """Yield the parts of an archive.

    Raises BadArchive, for a truncated one only at its end: rely on nothing before.
    """
    if file.read(len(MAGIC)) != MAGIC:
        raise BadArchive("this is no archive of Plumbline's")
    pieces = _decrypt_pieces(file, AESGCM(key), name)
    kind, plain = next(pieces)
    while kind == HEAD:
        following: list[tuple[bytes, bytes]] = []
        yield ArchivePart(json.loads(plain), _data(pieces, following))
        if not following:
            raise BadArchive("a part was not read to its end")
        kind, plain = following[0]
    if kind != END or file.read(1):
        raise BadArchive("the archive is damaged")


def _data(pieces: Iterator[tuple[bytes, bytes]], following: list[tuple[bytes, bytes]]) -> Iterator[bytes]:
    for kind, plain in pieces:
        if kind != DATA:
            following.append((kind, plain))
            return
        yield plain


def _decrypt_pieces(file: IO[bytes], cipher: AESGCM, name: str) -> Iterator[tuple[bytes, bytes]]:
    place = 0
    while True:
        length = int.from_bytes(file.read(LENGTH_BYTES), "big")
        sealed = file.read(length) if NONCE_BYTES + TAG_BYTES < length <= MAX_PIECE else b""
        if not sealed or len(sealed) < length:
            raise BadArchive("the archive is damaged, or cut off")
        try:
            nonce = sealed[:NONCE_BYTES]
            plain = cipher.decrypt(nonce, sealed[NONCE_BYTES:], _binding(name, place))
        except InvalidTag:
            raise BadArchive("the archive was changed, or sealed by another key") from None
        yield plain[:1], plain[1:]
        if plain[:1] == END:
            return
        place += 1


def _binding(name: str, place: int) -> bytes:
    return f"{name}:{place}".encode()
