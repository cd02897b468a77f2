"""Every URL has a class, the doorkeeper says the same, and neither strangers nor sessions pass the wrong doors."""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pytest
from django.core.cache import cache
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import URLResolver, get_resolver

from research.mcp.door import PATH as MCP
from research.web import rights
from tests.api.routes import ROUTES
from tests.matrix.objects import World, make_world
from tests.matrix.table import (
    ADMIN_OPEN,
    ADMIN_PAGES,
    LEAST,
    PAGES,
    SITE,
    TABLE_PAGES,
    Kind,
    Visitor,
)

pytestmark = pytest.mark.django_db
IS_FULL = os.environ.get("PLUMBLINE_TEST_FULL") == "1"
METHODS = ("GET", "POST", "PUT", "DELETE") if IS_FULL else ("GET", "POST")
OF_TENANT = (Visitor.VIEWER, Visitor.REVIEWER, Visitor.MEMBER, Visitor.OWNER)
WRITES = re.compile(r'^\s*(?:INSERT INTO|UPDATE|DELETE FROM) "?(\w+)', re.IGNORECASE)


@dataclass(frozen=True)
class Address:
    name: str  # with its namespaces
    path: str
    names_object: bool

    @property
    def plain(self) -> str:
        return self.name.rpartition(":")[2]


def walked(
    resolver: URLResolver | None = None, prefix: str = "", route: str = ""
) -> Iterator[tuple[str, str]]:
    for entry in (resolver or get_resolver()).url_patterns:
        here = route + str(entry.pattern)
        if isinstance(entry, URLResolver):
            space = (
                f"{entry.namespace}:" if entry.namespace and not prefix.startswith(entry.namespace) else ""
            )
            yield from walked(entry, prefix + space, here)
        else:
            yield prefix + (entry.name or ""), here


def kind_of(name: str, route: str) -> Kind | None:
    """None: nobody has listed it."""
    space, _colon, plain = name.rpartition(":")
    if space == "research":
        return PAGES.get(plain)
    if space == "api" or route == "api/v1/docs":
        return Kind.PROGRAMS
    if space == "admin":
        is_listed = plain in ADMIN_PAGES or not plain or plain.split("_")[-1] in (*TABLE_PAGES, *OWN_ADMIN)
        return Kind.ADMIN if is_listed else None
    return SITE.get(plain) if not space else None


OWN_ADMIN = ("operations", "calibration", "installation")  # pages of ours within the admin


def test_every_url_has_its_entry():
    assert [f"{name} ({route})" for name, route in walked() if kind_of(name, route) is None] == []


def test_every_entry_has_its_url_and_its_right():
    names = {name.removeprefix("research:") for name, _route in walked() if name.startswith("research:")}
    assert set(PAGES) == names
    assert set(rights.TABLE) | rights.OPEN | rights.OF_ONESELF == names


def test_the_doorkeepers_table_says_the_same():
    levels = dict(zip(OF_TENANT, rights.Right, strict=True))
    for name, needed in rights.TABLE.items():
        see, act = LEAST[PAGES[name]]
        assert (needed.see, needed.act) == (levels[see], levels[act]), name
    assert {name for name, kind in PAGES.items() if kind == Kind.PUBLIC} == rights.OPEN


def test_a_page_that_the_doorkeeper_does_not_know_is_refused_to_all(world, monkeypatch):
    table = {name: needed for name, needed in rights.TABLE.items() if name != "help"}
    monkeypatch.setattr(rights, "TABLE", table)
    monkeypatch.setattr(rights, "OPEN", rights.OPEN - {"help"})
    answers = {visitor: client.get("/help/").status_code for visitor, client in world.clients.items()}
    assert set(answers.values()) == {302, 403}
    assert [visitor for visitor, code in answers.items() if code == 302] == [Visitor.ANONYMOUS]


def addresses(world: World, kinds: Sequence[Kind]) -> list[Address]:
    found = []
    for name, route in walked():
        if kind_of(name, route) in kinds and not route.startswith("^") and not name.startswith("admin:"):
            gaps = re.findall(r"<(?:\w+:)?(\w+)>", route)
            path = re.sub(r"<(?:\w+:)?(\w+)>", lambda gap: str(world.named[gap[1]]), route)
            found.append(Address(name, f"/{path}", any(one.endswith("_id") for one in gaps)))
    return found


@pytest.fixture
def world(db) -> World:
    return make_world()


def ask(client: Client, method: str, path: str) -> tuple[int, str, bytes, list[str]]:
    """What comes of it: status, where it leads, the words, and the tables written to. Everything is undone."""
    cache.clear()
    with transaction.atomic(), CaptureQueriesContext(connection) as found:
        client.raise_request_exception = False
        response = client.generic(method, path, content_type="application/x-www-form-urlencoded")
        words = b"".join(response) if response.streaming else response.content
        transaction.set_rollback(True)
    tables = [hit[1] for one in found.captured_queries if (hit := WRITES.match(one["sql"]))]
    return response.status_code, response.headers.get("Location", ""), words, tables


@pytest.mark.parametrize("method", METHODS)
def test_what_is_ones_own_asks_the_anonymous_to_sign_in(world, method):
    for address in addresses(world, (Kind.SIGNED_IN, *LEAST)):
        status, location, _words, _tables = ask(world.clients[Visitor.ANONYMOUS], method, address.path)
        assert (status, location.startswith("/login/")) in ((302, True), (405, False)), (address.name, status)


def test_programs_doors_open_to_no_session(world):
    for address in addresses(world, (Kind.PROGRAMS,)):
        if "openapi" in address.path or address.path.endswith(("/docs", "/v1/")):
            continue  # the description, which is public
        for visitor, client in (
            world.clients.items() if IS_FULL else [(Visitor.OWNER, world.clients[Visitor.OWNER])]
        ):
            for method in METHODS:
                status, _location, _words, tables = ask(client, method, address.path)
                assert status in (401, 405), (address.name, visitor, method, status)
                assert not tables
    assert MCP == "/mcp"
    assert ROUTES  # whose scopes and roles tests/api/test_isolation.py walks


def test_the_admins_open_pages_are_djangos_own():
    assert ADMIN_OPEN <= ADMIN_PAGES
