"""Every URL × method × kind of visitor: who is let in meets the page, who is not a refusal, and nothing is written.

The whole is some thousands of cases. CI draws every address with the methods GET and POST for four of the visitors and
a few tables of the admin; PLUMBLINE_TEST_FULL=1 tries all of it (how many: docs/quality.md).
"""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import URLResolver, get_resolver, reverse

from research.integrations import api_rate_limit
from research.integrations.mcp.mcp_http import PATH as MCP
from research.models import Role
from research.web.site import page_rights
from tests.api.routes import ROUTES
from tests.matrix.objects import SECRET_TOPIC, World, make_world
from tests.matrix.table import (
    ADMIN_OPEN,
    ADMIN_PAGES,
    LEAST,
    PAGES,
    SITE,
    TABLE_PAGES,
    Kind,
    Visitor,
    is_let_in,
)
from tests.often import IS_FULL
from tests.people import join

pytestmark = pytest.mark.django_db
METHODS = ("GET", "POST", "PUT", "DELETE") if IS_FULL else ("GET", "POST")
ADMIN_TABLES = 1000 if IS_FULL else 4
OF_TENANT = (Visitor.VIEWER, Visitor.REVIEWER, Visitor.MEMBER, Visitor.OWNER)
WRITES = re.compile(r'^\s*(?:INSERT INTO|UPDATE|DELETE FROM) "?(\w+)', re.IGNORECASE)
# What any request may write: the trail of refusals, sessions, sign-in's own counts.
ANYBODYS = ("research_auditentry", "research_siteauditentry", "django_session", "usersessions_", "axes_")
NOT_THERE = frozenset(
    "table_cell technical_output technical_diagram deck_picture page_image source_picture picture slide_preview"
    " deck_file studies brief_json table table_rows changes_json theme_preview deck_state deck deck_files change_deck"
    " model_check".split()
)  # Ada's report is of another kind, or its files are rows alone: 404 for her, too


@dataclass(frozen=True)
class Address:
    name: str  # with its namespaces
    path: str
    names_object: bool

    @property
    def plain(self) -> str:
        return self.name.rpartition(":")[2]


def walk_routes(
    resolver: URLResolver | None = None, prefix: str = "", route: str = ""
) -> Iterator[tuple[str, str]]:
    for entry in (resolver or get_resolver()).url_patterns:
        here = route + str(entry.pattern)
        if isinstance(entry, URLResolver):
            space = (
                f"{entry.namespace}:" if entry.namespace and not prefix.startswith(entry.namespace) else ""
            )
            yield from walk_routes(entry, prefix + space, here)
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


OWN_ADMIN = ("operations", "calibration", "installation", "said")  # pages of ours within the admin


def test_every_url_has_its_entry():
    assert [f"{name} ({route})" for name, route in walk_routes() if kind_of(name, route) is None] == []


def test_every_entry_has_its_url_and_its_right():
    names = {name.removeprefix("research:") for name, _route in walk_routes() if name.startswith("research:")}
    assert set(PAGES) == names
    assert set(page_rights.TABLE) | page_rights.OPEN | page_rights.OF_ONESELF == names


def test_the_doorkeepers_table_says_the_same():
    levels = dict(zip(OF_TENANT, page_rights.Right, strict=True))
    for name, needed in page_rights.TABLE.items():
        see, act = LEAST[PAGES[name]]
        assert (needed.see, needed.act) == (levels[see], levels[act]), name
    assert {name for name, kind in PAGES.items() if kind == Kind.PUBLIC} == page_rights.OPEN


def test_a_page_that_the_doorkeeper_does_not_know_is_refused_to_all(world, monkeypatch):
    table = {name: needed for name, needed in page_rights.TABLE.items() if name != "help"}
    monkeypatch.setattr(page_rights, "TABLE", table)
    monkeypatch.setattr(page_rights, "OPEN", page_rights.OPEN - {"help"})
    answers = {visitor: client.get("/help/").status_code for visitor, client in world.clients.items()}
    assert set(answers.values()) == {302, 403}
    assert [visitor for visitor, code in answers.items() if code == 302] == [Visitor.ANONYMOUS]


def addresses(world: World, kinds: Sequence[Kind]) -> list[Address]:
    found = []
    for name, route in walk_routes():
        if kind_of(name, route) in kinds and not route.startswith("^") and not name.startswith("admin:"):
            gaps = re.findall(r"<(?:\w+:)?(\w+)>", route)
            path = re.sub(r"<(?:\w+:)?(\w+)>", lambda gap: str(world.named[gap[1]]), route)
            found.append(Address(name, f"/{path}", any(one.endswith("_id") for one in gaps)))
    return found


@pytest.fixture
def world(db, settings) -> World:
    often = {"posts_a_minute": (10_000, 10_000), "starts_a_minute": (10_000, 10_000)}
    settings.PLUMBLINE_LIMITS = {**settings.PLUMBLINE_LIMITS, **often}
    return make_world()


def ask(client: Client, method: str, path: str) -> tuple[int, str, bytes, list[str]]:
    """Return status, redirect, words, and the tables written to. Everything is undone."""
    cache.clear()
    api_rate_limit.forget()
    with transaction.atomic(), CaptureQueriesContext(connection) as found:
        client.raise_request_exception = False
        response = client.generic(method, path, content_type="application/x-www-form-urlencoded")
        words = b"".join(response) if response.streaming else response.content
        transaction.set_rollback(True)
    tables = [
        hit[1] for query in found.captured_queries if (hit := WRITES.match(query["sql"] or ""))
    ]  # none: a lock
    return response.status_code, response.headers.get("Location", ""), words, tables


def fault(
    kind: Kind, address: Address, method: str, visitor: Visitor, told: tuple[int, str, bytes, list[str]]
) -> str:
    """Return the fault of an answer; empty where there is none."""
    status, location, words, tables = told
    if status >= 500:
        return f"answered {status}"
    if visitor == Visitor.ANONYMOUS:
        return "" if status == 302 and location.startswith("/login/") else f"anonymous met {status}"
    if visitor == Visitor.STAFF or not is_let_in(kind, visitor, method):
        wrote = [name for name in tables if not name.startswith(ANYBODYS)]
        if visitor == Visitor.STAFF and address.plain == "home":  # who has no workspace is led to making one
            is_led = (status, location, wrote) == (302, reverse("research:first_workspace"), [])
            return "" if is_led else f"met {status} {location}, wrote {wrote}"
        return "" if status == 403 and not wrote else f"met {status} instead of 403, wrote {wrote}"
    if visitor == Visitor.STRANGER:
        return _fault_of_stranger(address, status, words)
    if status == 403 or (status == 302 and location.startswith("/login/")):
        return f"was refused ({status})"
    is_missing = status == 404 and address.plain not in NOT_THERE
    return "met 404" if is_missing and method == "GET" else ""


def _fault_of_stranger(address: Address, status: int, words: bytes) -> str:
    if address.names_object and status not in (404, 405):
        return f"met {status} of an object that is not theirs"
    return "read another's topic" if SECRET_TOPIC.encode() in words.lower() else ""


def test_pages_by_visitor_and_method(world):
    """Each in a transaction that is undone; faults are told all at once, by name."""
    visitors = (
        tuple(Visitor) if IS_FULL else (Visitor.VIEWER, Visitor.MEMBER, Visitor.STRANGER, Visitor.STAFF)
    )
    faults, cases = [], 0
    for address in addresses(world, tuple(LEAST)):
        kind = PAGES[address.plain]
        for method in METHODS:
            takes_it = ask(world.clients[Visitor.OWNER], method, address.path)[0] != 405
            for visitor in visitors:
                told = ask(world.clients[visitor], method, address.path)
                cases += 1
                if not takes_it and told[0] in (302, 403, 405):
                    continue  # an address of forms alone, opened: nobody sees anything
                if wrong := fault(kind, address, method, visitor, told):
                    faults.append(f"{method} {address.name} as {visitor}: {wrong}")
    print(f"\n{cases} cases of pages")
    assert faults == []
    assert cases >= 500


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


def admin_addresses(world: World) -> list[tuple[str, bool]]:
    """Paths, and whether they name a row of Ada's workspace."""
    from django.contrib import admin

    models = sorted(admin.site._registry, key=lambda model: model._meta.label)
    drawn = models if len(models) <= ADMIN_TABLES else random.Random(13).sample(models, ADMIN_TABLES)
    found = [(reverse("admin:index"), False)]
    for model in drawn:
        stem = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        found += [(reverse(f"{stem}_{page}"), False) for page in ("changelist", "add")]
        found += [(reverse(f"{stem}_{page}", args=[key_of(world, model)]), True) for page in TABLE_PAGES[2:]]
    return found


def key_of(world: World, model) -> object:
    """Return the key of a row of Ada's, if she has one."""
    from research.db.tenancy import tenant_context

    with tenant_context(world.ada.tenant.pk):
        row = model._default_manager.order_by("pk").first() if hasattr(model, "tenant_id") else None
    return row.pk if row else world.named["run_id"]


def test_the_admin_is_staffs_and_shows_no_workspace_that_is_not_theirs(world):
    faults, cases = [], 0
    visitors = tuple(Visitor) if IS_FULL else (Visitor.OWNER, Visitor.STAFF)
    for path, names_row in admin_addresses(world):
        for method in METHODS:
            for visitor in visitors:
                status, location, words, _tables = ask(world.clients[visitor], method, path)
                cases += 1
                if status >= 500 or SECRET_TOPIC.encode() in words.lower():
                    faults.append(f"{method} {path} as {visitor}: {status}")
                elif visitor != Visitor.STAFF and not (status == 302 and "/admin/login/" in location):
                    faults.append(f"{method} {path} as {visitor}: {status} {location}")
                elif visitor == Visitor.STAFF and names_row and status == 200:
                    faults.append(f"{method} {path} as {visitor}: a row of another workspace is there")
    print(f"\n{cases} cases of the admin")
    assert faults == []


def other_staff(world: World) -> dict[str, Client]:
    """Staff with no right in the admin: of no workspace, of Ada's as a reviewer; and a superuser of another's."""
    people = {
        "staff without rights": User.objects.create_user("clerk", is_staff=True),
        "reviewer who is staff": join(
            "rita", role=Role.REVIEWER, tenant=world.ada.tenant, is_staff=True
        ).user,
        "superuser of another": join("root", is_staff=True, is_superuser=True).user,
    }
    clients = {name: Client() for name in people}
    for name, user in people.items():
        clients[name].force_login(user)
    return clients


def test_staff_meets_in_the_admin_what_its_rights_allow_and_no_other_workspace(world):
    """Without rights the front page alone; with all of them, of another workspace nothing."""
    faults, cases = [], 0
    for name, client in other_staff(world).items():
        for path, names_row in admin_addresses(world)[1:]:
            for method in METHODS if IS_FULL else ("GET",):
                status, _location, words, tables = ask(client, method, path)
                cases += 1
                wrote = [table for table in tables if not table.startswith(ANYBODYS)]
                is_shut = "superuser" not in name or names_row
                if status >= 500 or SECRET_TOPIC.encode() in words.lower() or (is_shut and wrote):
                    faults.append(f"{method} {path} as {name}: {status}, wrote {wrote}")
                elif is_shut and status == 200:
                    faults.append(f"{method} {path} as {name}: is shown")
    print(f"\n{cases} cases of staff")
    assert faults == []


def test_the_admins_open_pages_are_djangos_own():
    assert ADMIN_OPEN <= ADMIN_PAGES
