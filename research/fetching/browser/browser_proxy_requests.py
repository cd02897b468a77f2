"""A strict parser of requests to a proxy (RFC 9112): anything ambiguous is refused."""

import base64
import binascii
import re
from dataclasses import dataclass

MAX_HEAD = 65_536  # bytes
_LINE = re.compile(rb"([A-Z]{1,20}) ([\x21-\x7e]{1,20000}) HTTP/1\.[01]")
_HEADER = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}):[ \t]*([^\x00\r\n]*?)[ \t]*")
# Between us and the next station only (RFC 9110, 7.6.1), and what is between the browser and us.
HOP_BY_HOP = frozenset(
    {
        "connection", "keep-alive", "proxy-connection", "proxy-authorization", "proxy-authenticate", "te", "trailer",
        "transfer-encoding", "upgrade", "http2-settings",
    }
)  # fmt: skip


class BadRequest(Exception):
    """The request can't be parsed."""


@dataclass(frozen=True, slots=True)
class ProxyRequest:
    """A request to the proxy. `headers` are unchanged but for their names in lower case."""

    method: str
    target: str
    headers: tuple[tuple[str, str], ...]

    def header(self, name: str) -> str:
        """Return the value of a header; "" if there is none. Raises BadRequest if there are several."""
        found = [value for key, value in self.headers if key == name]
        if len(found) > 1:
            raise BadRequest(f"it has several headers {name}")
        return found[0] if found else ""

    @property
    def secret(self) -> str:
        """Return the password of the proxy authorization; "" if there is none."""
        scheme, _, value = self.header("proxy-authorization").partition(" ")
        try:
            login = base64.b64decode(value, validate=True).decode("ascii")
        except (binascii.Error, UnicodeDecodeError, ValueError):
            return ""
        return login.partition(":")[2] if scheme.lower() == "basic" else ""

    @property
    def forwarded_headers(self) -> list[tuple[str, str]]:
        """Return the headers to send to the server.

        Its connection, like ours to the browser, is not reused.
        """
        named = {name.strip().lower() for name in self.header("connection").split(",")}
        kept = [pair for pair in self.headers if pair[0] not in HOP_BY_HOP | named]
        return [*kept, ("connection", "close")]

    @property
    def has_body(self) -> bool:
        return bool(self.header("transfer-encoding")) or self.header("content-length") not in ("", "0")


def parse_request(head: bytes) -> ProxyRequest:
    """Parse a request's head, from its first line to the empty one. Raises BadRequest."""
    first, *lines = head.removesuffix(b"\r\n\r\n").split(b"\r\n")
    line = _LINE.fullmatch(first)
    if line is None:
        raise BadRequest("its first line is none of HTTP/1.1")
    headers = [_HEADER.fullmatch(header) for header in lines]
    if not all(headers):
        raise BadRequest("one of its headers is none")
    pairs = tuple((header[1].decode().lower(), header[2].decode("latin-1")) for header in headers if header)
    return ProxyRequest(line[1].decode(), line[2].decode(), pairs)


def parse_authority(text: str) -> tuple[str, int]:
    """Parse the host (an IPv6 address without brackets) and port. Raises BadRequest."""
    match = re.fullmatch(r"(?:\[([0-9A-Fa-f:.]+)\]|([^\[\]:@/?#]+)):([0-9]{1,5})", text)
    if match is None:
        raise BadRequest("it names no host and port")
    return match[1] or match[2], int(match[3])
