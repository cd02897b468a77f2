"""Extracts the host of a URL."""

from urllib.parse import urlsplit


def host_of(address: str) -> str:
    """Return the host of an address or a bare domain, in lower case and without "www."; "" if there is none."""
    return host_and_owner(address.strip())[0]


def host_and_owner(url: str) -> tuple[str, str]:
    """Return host and first path part, which on a shared host names the owner; in lower case, "" for none."""
    try:
        parts = urlsplit(url if "//" in url else f"//{url}")
        host = parts.hostname or ""
    except ValueError:  # a malformed IPv6 address
        return "", ""
    return host.removeprefix("www."), parts.path.strip("/").split("/")[0].casefold()
