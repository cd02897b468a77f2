"""Parses a TLS ClientHello, far enough to tell a page's request from a WebSocket's (RFC 8446, 4.1.2)."""

import struct

HANDSHAKE, CLIENT_HELLO, ALPN = 22, 1, 16
RECORD_HEADER = 5  # bytes
MAX_RECORD = 16_384 + 256


class NotTls(Exception):
    """The bytes do not begin a TLS connection."""


def record_length(header: bytes) -> int:
    """Return the number of bytes that follow the record's header. Raises NotTls."""
    if len(header) != RECORD_HEADER or header[0] != HANDSHAKE or header[1] != 3:
        raise NotTls
    length = int.from_bytes(header[3:5], "big")
    if not 0 < length <= MAX_RECORD:
        raise NotTls
    return length


def application_protocols(record: bytes) -> list[bytes]:
    """Return the protocols that the client offers (ALPN), as [b"h2", b"http/1.1"]; empty if none. Raises NotTls."""
    try:
        return _protocols(_extensions(record))
    except (struct.error, IndexError) as error:
        raise NotTls from error


def _extensions(record: bytes) -> bytes:
    if record[0] != CLIENT_HELLO:
        raise NotTls
    at = 4 + 2 + 32  # its type and length, the version, the random number
    at += 1 + record[at]  # the session id
    at += 2 + struct.unpack_from("!H", record, at)[0]  # cipher suites
    at += 1 + record[at]  # compression methods
    length = struct.unpack_from("!H", record, at)[0]
    return record[at + 2 : at + 2 + length]


def _protocols(extensions: bytes) -> list[bytes]:
    at = 0
    while at + 4 <= len(extensions):
        kind, length = struct.unpack_from("!HH", extensions, at)
        if kind == ALPN:
            return list(_names(extensions[at + 6 : at + 4 + length]))
        at += 4 + length
    return []


def _names(text: bytes) -> list[bytes]:
    names, at = [], 0
    while at < len(text):
        names.append(text[at + 1 : at + 1 + text[at]])
        at += 1 + text[at]
    return names
