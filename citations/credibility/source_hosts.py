"""The host of a URL, and whether it is named after something."""

import re
from urllib.parse import urlsplit

MIN_NAME_LENGTH = 2  # letters and digits of a name that is compared with hosts
# Additions to a name in addresses if the plain name was not available.
_ADDED = r"(?:js|project|lang|py|db|framework|labs|hq|dev|app|org|io|foundation|software)?"
_PREFIXED = r"(?:python|node|py|get|use|go|the)?"


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


def bare_name(name: str) -> str:
    """Return a name without a version.

    >>> bare_name("Django 5.2"), bare_name("Node.js version")
    ('Django', 'Node.js')
    """
    return re.sub(r"(?:\s+(?:v?\d[\w.]*|versions?|releases?))+$", "", name)


def is_named_in_host(name: str, host: str) -> bool:
    """Return True if a host is named after the project or body of this name.

    >>> is_named_in_host("Next.js", "nextjs.org"), is_named_in_host("Django", "docs.djangoproject.com")
    (True, True)
    >>> is_named_in_host("React", "reactions.example")
    False
    """
    plain = compact_name(bare_name(name))
    if len(plain) < MIN_NAME_LENGTH:
        return False
    wanted = re.compile(rf"{_PREFIXED}{re.escape(plain)}{_ADDED}")
    return any(wanted.fullmatch(compact_name(label)) for label in host.split(".")[:-1])


def compact_name(name: str) -> str:
    return re.sub(r"[\W_]", "", name.casefold())
