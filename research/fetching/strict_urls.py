"""A strict URL parser: what browsers and libraries interpret differently is refused, not repaired.

The host that is checked is the host that is connected to: the parsed parts are passed on and never parsed
again.
"""

import ipaddress
import re
import unicodedata
from dataclasses import dataclass
from urllib.parse import quote

import idna

DEFAULT_PORTS = {"http": 80, "https": 443}
PORTS = frozenset({80, 443, 8080, 8443})
LONGEST = 8_000  # characters; servers refuse longer request lines

# Names of machines in a private network, whatever a resolver returns for them.
_PRIVATE_SUFFIXES = frozenset(
    "localhost localdomain local internal intranet lan home corp private home.arpa in-addr.arpa ip6.arpa onion"
    " alt".split()
)
_WHOLE = re.compile(r"(https?)://([^/?#]*)([^?#]*)(\?[^#]*)?(?:#.*)?", re.IGNORECASE | re.DOTALL)
_AUTHORITY = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^\[\]:]+)(?::([0-9]{0,5}))?")
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_KEPT = "/?&=;:@!$'()*+,~%-._[]|"  # unchanged in a path or query


class UrlRefused(Exception):
    """The URL is not one that a source can have; str() says why."""


@dataclass(frozen=True, slots=True)
class DialTarget:
    """A URL to connect to. `host` is ASCII, in lower case, an IPv6 address without brackets."""

    scheme: str
    host: str
    port: int
    path: str  # with the query, percent-encoded

    @property
    def place(self) -> str:
        """Return host and port as in a Host header."""
        name = f"[{self.host}]" if ":" in self.host else self.host
        return name if self.port == DEFAULT_PORTS[self.scheme] else f"{name}:{self.port}"

    @property
    def url(self) -> str:
        return f"{self.scheme}://{self.place}{self.path}"


def parse_url(
    text: str, *, allow_loopback: bool = False, allow_own: bool = False, any_port: bool = False
) -> DialTarget:
    """Parse a URL. Raises UrlRefused.

    `allow_loopback` accepts the name localhost and any port; the guard checks both when connecting.
    `allow_own` accepts all names of a local network.
    """
    url = text.strip(" ")
    _refuse_odd_characters(url)
    match = _WHOLE.fullmatch(url)
    if match is None:
        raise UrlRefused("it must begin with http:// or https://")
    scheme, authority, path, query = match[1].lower(), match[2], match[3], match[4] or ""
    host, port = _authority(authority, DEFAULT_PORTS[scheme])
    if port not in PORTS and not (allow_loopback or any_port):
        raise UrlRefused(f"port {port} is not one that web pages have ({', '.join(map(str, sorted(PORTS)))})")
    return DialTarget(
        scheme,
        normalize_host(host, allow_loopback=allow_loopback, allow_own=allow_own),
        port,
        quote(path or "/", _KEPT) + quote(query, _KEPT),
    )


def normalize_host(host: str, *, allow_loopback: bool = False, allow_own: bool = False) -> str:
    """Return the host to look up: an address in its canonical form, or a public name in ASCII.

    Raises UrlRefused.

    Addresses are checked when they are connected to.
    """
    if ":" in host:
        return str(_ipv6(host))
    name = _ascii(host)
    last = name.rpartition(".")[2]
    if _NUMBER.fullmatch(last):  # resolvers differ in reading numbers: only a strict address passes
        return str(_ipv4(host))
    if not allow_own:
        _refuse_private_name(name, allow_loopback=allow_loopback)
    return name


def _refuse_odd_characters(url: str) -> None:
    if len(url) > LONGEST:
        raise UrlRefused(f"it is longer than {LONGEST} characters")
    if "\\" in url:
        raise UrlRefused("it has a backslash")
    for letter in url:
        if unicodedata.category(letter) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}:
            raise UrlRefused("it has a control character or an invisible one")


def _authority(authority: str, default_port: int) -> tuple[str, int]:
    if "@" in authority:
        raise UrlRefused("it has a user name in it")
    if "%" in authority or " " in authority:
        raise UrlRefused("its host is written in an odd way")
    match = _AUTHORITY.fullmatch(authority)
    if match is None:
        raise UrlRefused("it names no host, or names it in an odd way")
    port = int(match[2]) if match[2] else default_port
    return match[1].strip("[]"), port


def _ipv6(host: str) -> ipaddress.IPv6Address:
    try:
        return ipaddress.IPv6Address(host)
    except ValueError as error:
        raise UrlRefused("its host is no IPv6 address") from error


def _ipv4(host: str) -> ipaddress.IPv4Address:
    """Parse four decimal numbers in ASCII, without leading zeros."""
    try:
        return ipaddress.IPv4Address(host)
    except ValueError as error:
        raise UrlRefused("its host is a number that is no plain IPv4 address") from error


def _ascii(host: str) -> str:
    """Return the name by IDNA 2008 with the mapping of UTS 46, without a trailing dot.

    That is how browsers look it up.
    """
    if host.isascii():
        return _labels(host.lower().removesuffix("."))
    folded = unicodedata.normalize("NFKC", host)
    if _NUMBER.fullmatch(_last_label(folded)):
        raise UrlRefused("its host turns into a number")
    try:
        return _labels(idna.encode(host, uts46=True).decode("ascii").lower().removesuffix("."))
    except idna.IDNAError as error:
        raise UrlRefused("its host is no valid international name") from error


def _last_label(host: str) -> str:
    """Return the last label, whichever of IDNA's four dots precedes it."""
    return (
        [label for label in re.split(r"[.。．｡]", host.lower()) if label][-1:][0]
        if host.strip(".。．｡")
        else ""
    )


def _labels(name: str) -> str:
    if len(name) > 253 or not all(map(_LABEL.fullmatch, name.split("."))):
        raise UrlRefused("its host is no valid name")
    return name


def _refuse_private_name(name: str, *, allow_loopback: bool) -> None:
    if allow_loopback and name == "localhost":
        return
    labels = name.split(".")
    if len(labels) == 1:
        raise UrlRefused("its host has only one part, as names of a local network do")
    if labels[-1] in _PRIVATE_SUFFIXES or ".".join(labels[-2:]) in _PRIVATE_SUFFIXES:
        raise UrlRefused(f"names under .{labels[-1]} belong to a local network")
