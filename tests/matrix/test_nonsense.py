"""Every page of the site, asked and sent what no form of ours would: it answers in words, and never with a fault.

CI draws one piece of nonsense for each address and form; PLUMBLINE_TEST_FULL=1 tries them all.
"""

import re
from collections.abc import Iterator
from functools import cache
from itertools import cycle
from pathlib import Path

import pytest
from django.conf import settings
from django.db import transaction
from django.test import Client
from django.utils.datastructures import MultiValueDict
from django.utils.http import urlencode

from research.integrations import api_rate_limit
from tests.matrix.table import LEAST, Kind, Visitor
from tests.matrix.test_matrix import addresses, world
from tests.often import IS_FULL

__all__ = ["world"]
pytestmark = pytest.mark.django_db
WEB = Path(settings.BASE_DIR) / "research" / "web"
NAMES = (
    r'(?:GET|POST|FILES)\.get(?:list)?\("(\w+)"',
    r"^    (\w+)(?:: [^=]+)? = \w*(?:forms\.)?\w+(?:Field|Choices?)\(",
)
# Nothing, NUL, digits that are no number, numbers that fit nowhere, another's id, marks of other languages, much.
NONSENSE = (
    "",
    "\0",
    "²",
    "-1",
    "9" * 30,
    "9" * 5_000,
    "00000000-0000-4000-8000-000000000000",
    "[[1]]",
    "http://[",
    "x" * 20_000,
)


@cache
def field_names() -> tuple[str, ...]:
    """Return the names of all that the pages read from addresses and forms."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(WEB.rglob("*.py"))]
    found = {name for text in texts for names in NAMES for name in re.findall(names, text, re.MULTILINE)}
    return tuple(sorted(found - {"to", "next"}))


@cache
def acts() -> tuple[str, ...]:
    """Return the acts that buttons send with their form."""
    pages = (Path(settings.BASE_DIR) / "templates").rglob("*.html")
    return tuple(
        sorted({act for page in pages for act in re.findall(r'name="act" value="(\w+)"', page.read_text())})
    )


def pieces(sent: str) -> Iterator[dict[str, str]]:
    """The same nonsense in every field, beside an act that exists; of all: each act with what looks like a number."""
    pairs = [(piece, acts()[number % len(acts())]) for number, piece in enumerate(NONSENSE)]
    if IS_FULL and sent == "POST":
        pairs += [("²", act) for act in acts()]
    for piece, act in pairs:
        yield dict.fromkeys(field_names(), piece) | {"act": act}


def fault_of(client: Client, method: str, path: str, given: dict[str, str]) -> str:
    """The exception that came of it, or the status; empty where it was answered. Everything is undone."""
    api_rate_limit.forget()
    body = urlencode(MultiValueDict({name: [value] for name, value in given.items()}), doseq=True)
    try:
        with transaction.atomic():
            if method == "GET":
                answer = client.get(f"{path}?{body}")
            else:
                answer = client.generic(method, path, body, content_type="application/x-www-form-urlencoded")
            transaction.set_rollback(True)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RecursionError) as error:
        return f"{type(error).__name__}: {error}"[:200]
    return f"answered {answer.status_code}" if answer.status_code >= 500 else ""


def test_the_names_that_pages_read_are_found():
    assert {"page", "find", "question", "grid", "version", "act"} <= set(field_names())
    assert len(acts()) > 20


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_no_nonsense_brings_a_page_to_a_fault(world, method):
    owner, faults, drawn = world.clients[Visitor.OWNER], set(), cycle(list(pieces(method)))
    for address in addresses(world, (Kind.PUBLIC, Kind.SIGNED_IN, *LEAST)):
        for given in pieces(method) if IS_FULL else (next(drawn),):
            if wrong := fault_of(owner, method, address.path, given):
                faults.add(f"{method} {address.name} {given['page'][:9]!r} {given['act']}: {wrong}")
    assert sorted(faults) == []
