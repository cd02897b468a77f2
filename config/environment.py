"""Reads settings from the environment; an invalid value stops the program at start."""

import ipaddress
import re
from decimal import Decimal, InvalidOperation
from pathlib import Path
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

env = environ.Env()

TRUE = frozenset({"1", "true", "yes", "on"})
FALSE = frozenset({"0", "false", "no", "off"})
MAX_NUMBER = 20  # digits


def text(name: str, default: str = "") -> str:
    """Return the setting, stripped. An empty variable counts as not set."""
    return env.str(name, default="").strip() or default


def flag(name: str, *, default: bool) -> bool:
    """Return a yes/no setting. django-environ's own parser takes any unknown word for "no"."""
    word = text(name).lower()
    if not word:
        return default
    if word not in TRUE | FALSE:
        raise ImproperlyConfigured(f"{name} must be one of true, false, yes, no, 1, 0; it is {word!r}.")
    return word in TRUE


def number(name: str, *, default: int, lowest: int, highest: int) -> int:
    """Return a whole number within [lowest, highest]."""
    word = text(name)
    if not word:
        return default
    is_whole = word.isascii() and word.isdecimal() and len(word) <= MAX_NUMBER
    if not is_whole or not lowest <= int(word) <= highest:
        raise ImproperlyConfigured(
            f"{name} must be a whole number from {lowest} to {highest}; it is {word!r}."
        )
    return int(word)


def processes(name: str, *, default: int) -> int:
    """Return a number of processes from the environment, from 1 to 32."""
    return number(name, default=default, lowest=1, highest=32)


def period(name: str, *, lowest: int) -> int:
    """Return a number of days from `lowest` to 3650; 0, the default, means forever."""
    days = number(name, default=0, lowest=0, highest=3650)
    if 0 < days < lowest:
        raise ImproperlyConfigured(f"{name} must be 0 (for good) or from {lowest} to 3650; it is {days}.")
    return days


def price(name: str) -> Decimal | None:
    """Return a price in US dollars, 0 or more; None if it is not set."""
    word = text(name)
    try:
        usd = Decimal(word) if word else None
    except InvalidOperation:
        usd = Decimal("NaN")
    if usd is not None and not (usd.is_finite() and usd >= 0):
        raise ImproperlyConfigured(f"{name} must be a number of US dollars, as 0.04; it is {word!r}.")
    return usd


def choice(name: str, *, default: str, allowed: tuple[str, ...]) -> str:
    word = text(name, default)
    if word not in allowed:
        raise ImproperlyConfigured(f"{name} must be one of {', '.join(allowed)}; it is {word!r}.")
    return word


def address(name: str) -> str:
    """Return an http or https URL without credentials; empty if it is not set."""
    word = text(name)
    if word and not _is_address(word):
        raise ImproperlyConfigured(f"{name} must be a URL like https://host/v1, without a login in it.")
    return word.rstrip("/")


def _is_address(word: str) -> bool:
    try:
        parts = urlsplit(word)
        is_port = parts.port is None or parts.port > 0
    except ValueError:  # unbalanced brackets, an invalid port
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and "@" not in parts.netloc and is_port


def words(name: str, *, default: tuple[str, ...] = ()) -> list[str]:
    """Return the items of a comma-separated list, without empty ones."""
    given = [word.strip() for word in text(name).split(",")]
    return [word for word in given if word] or list(default)


def regions(name: str) -> list[str]:
    """Return the items of a comma-separated list of regions such as eu-west."""
    given = words(name)
    if wrong := [region for region in given if not re.fullmatch(r"[a-z0-9-]{1,20}", region, re.ASCII)]:
        raise ImproperlyConfigured(
            f"{name} must be up to 20 small letters, figures and hyphens each, as eu-west; {wrong[0]!r} is not."
        )
    return given


def networks(name: str) -> tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...]:
    """Return the items of a comma-separated list of networks such as 198.51.100.0/24."""
    try:
        return tuple(ipaddress.ip_network(word) for word in words(name))
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} must be networks like 198.51.100.0/24; {error}.") from error


def folder(name: str, *, default: Path) -> Path:
    """Return an absolute path to a folder, which need not exist yet.

    `~` is expanded, symbolic links are resolved.
    """
    path = Path(text(name, str(default))).expanduser().resolve()
    if path.exists() and not path.is_dir():
        raise ImproperlyConfigured(f"{name} must be a folder; {path} is a file.")
    return path
