"""Requests through every channel are recorded with their actor, and shown to those concerned."""

import csv
from collections.abc import Iterator
from io import StringIO

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils.html import strip_tags
from django.utils.translation import override

from exports.formats.export_spreadsheet_cells import neutral
from research.accounts.api_tokens import issue_token
from research.accounts.audit.read_audit_trail import site_rows
from research.accounts.audit.write_audit_trail import Actor, On, act_as, record
from research.db.tenancy import tenant_context
from research.integrations.api_rate_limit import forget
from research.models import Act, AuditEntry, Role, Run, Scope, SiteAuditEntry, State, Via
from research.web.account.audit_page_labels import ACTS, CHANNELS, OUTCOMES
from research.web.account.audit_page_values import thing
from research.web.site.audited_page_urls import NOT_RECORDED, RECORDED, TAKEN
from research.web.site.page_audit_middleware import NAMED
from tests.people import join
from tests.worlds import finish, make_report, stock_library

pytestmark = pytest.mark.django_db
PAGE, FILE = "/account/activity/", "/account/activity.csv"


@pytest.fixture
def ada(db):
    forget()
    ada = join("ada")
    stock_library(ada)
    return ada


def rows(person, act: Act | None = None) -> list[AuditEntry]:
    with tenant_context(person.tenant.pk):
        found = AuditEntry.objects.order_by("created_at", "id")
        return list(found.filter(act=act) if act else found.exclude(act=Act.SIGN_IN))


def site() -> list[SiteAuditEntry]:
    with site_rows():
        return list(SiteAuditEntry.objects.order_by("created_at"))


def patterns(resolver: URLResolver) -> Iterator[tuple[str, URLPattern]]:
    """Without those of the admin, which has a log of its own."""
    return ((name, entry) for name, entry in all_patterns(resolver) if not name.startswith("admin:"))


def all_patterns(resolver: URLResolver, prefix: str = "") -> Iterator[tuple[str, URLPattern]]:
    for entry in resolver.url_patterns:
        if isinstance(entry, URLResolver):
            yield from all_patterns(entry, f"{prefix}{entry.namespace}:" if entry.namespace else prefix)
        elif entry.name:
            yield prefix + entry.name, entry


def view_names() -> set[str]:
    return {name for name, _ in all_patterns(get_resolver())}


# Pages of allauth that answer a form as they answer a look: they have nothing to send.
_SHOWN_ALIKE = {"account_inactive", "account_reset_password_done", "account_reset_password_from_key_done", "mfa_index",
                "mfa_view_recovery_codes"}  # fmt: skip


def test_every_address_that_takes_a_form_is_listed(ada):
    """The others refuse one."""
    client, taking = join("grace", tenant=ada.tenant, is_staff=True, is_superuser=True).sign_in(), []
    filled = {
        "number": 1,
        "row": 1,
        "slug": "briefs",
        "field": "x",
        "form": "md",
        "suffix": "ris",
        "mark": "x",
        "token": "x",
    }
    for name, pattern in patterns(get_resolver()):
        if name in {*RECORDED, *NOT_RECORDED, *_SHOWN_ALIKE} or name.startswith("api:"):
            continue
        forget()
        names = pattern.pattern.converters
        values = {one: filled.get(one, "00000000-0000-7000-8000-000000000001") for one in names}
        if client.post(reverse(name, kwargs={**values, **pattern.default_args})).status_code != 405:
            taking.append(name)
    assert taking == []


def test_no_listed_address_is_gone():
    assert {*RECORDED, *NOT_RECORDED, *TAKEN} - view_names() == set()


def test_every_act_has_its_words():
    assert set(ACTS) == set(Act.values)
    assert set(CHANNELS) == set(Via.values)
    assert len(OUTCOMES) == 3


def test_every_thing_that_an_address_names_has_its_words():
    kinds = {
        name for _, one in patterns(get_resolver()) for name in one.pattern.converters if name[-3:] == "_id"
    }
    types = [NAMED[kind][0].split(".")[-1] if kind in NAMED else kind[:-3] for kind in sorted(kinds)]
    with override("de"):
        assert [one for one in types if thing(one) == one] == []


def test_the_page_tells_kinds_and_changes_in_the_readers_language(ada):
    with tenant_context(ada.tenant.pk), act_as(Actor(Via.PAGES, ada.user.pk, "ada", "owner", None)):
        record(
            Act.MEMBER_ROLE,
            on=On("membership", "2", "Béla"),
            before={"role": "viewer"},
            after={"role": "owner"},
        )
        record(
            Act.SETTINGS,
            before={"theme": "system", "mail_asked": "True"},
            after={"theme": "dark", "mail_asked": "False"},
        )
        record(Act.PLAN_CHANGE, on=On("run", "1"), after={"act": "up", "odd": 7})
    page = ada.sign_in().get(PAGE, headers={"Accept-Language": "de"}).content.decode()
    text = " ".join(strip_tags(page).split())
    for words in (
        "Béla Mitgliedschaft",
        "Rolle: Lesen → Eigentum",
        "Farbschema: Wie das System → Dunkel",
        "Ja → Nein",
        "Schritt: nach oben",
        "odd: 7",
        "Lauf",
    ):
        assert words in text, words


def test_signing_in_and_out_is_recorded_with_the_address(ada):
    client = Client(REMOTE_ADDR="192.0.2.9")
    client.post("/login/", {"login": "ada", "password": "plumb-line-9"})
    client.post("/logout/")
    found = [(row.act, row.outcome, row.who, row.address) for row in rows(ada, Act.SIGN_IN)]
    assert found == [("account.sign_in", "done", "ada", "192.0.2.9")]
    assert [row.who for row in rows(ada, Act.SIGN_OUT)] == ["ada"]


def test_wrong_passwords_and_the_lock_stand_in_the_accounts_workspace(ada):
    for _ in range(5):
        Client().post("/login/", {"login": "ADA", "password": "wrong"})
    assert [row.outcome for row in rows(ada, Act.SIGN_IN)] == ["failed"] * 5
    assert [row.outcome for row in rows(ada, Act.LOCKED_OUT)] == ["refused"]


def test_a_name_that_nobody_has_is_not_kept(ada):
    Client().post("/login/", {"login": "my-password-in-the-wrong-field", "password": "x"})
    [row] = site()
    assert (row.act, row.outcome, row.who) == ("account.sign_in", "failed", "")
    assert "my-password" not in str(vars(row))
    assert rows(ada) == []


def test_a_run_that_is_cancelled_is_named(ada):
    world = make_report(ada)
    with tenant_context(ada.tenant.pk):
        finish(world.run, State.READING)
    ada.sign_in().post(f"/runs/{world.run.pk}/cancel/")
    [row] = rows(ada, Act.RUN_CANCEL)
    assert (row.object_type, row.object_id, row.object_name) == ("run", str(world.run.pk), world.run.topic)
    assert (row.who, row.role, row.via, row.outcome) == ("ada", "owner", "pages", "done")


def test_a_run_that_is_started_is_named_though_its_address_is_new(ada):
    ada.sign_in().post("/runs/new/", {"question": "Do heat pumps work in cold weather?", "key": "k"})
    [row] = rows(ada, Act.RUN_START)
    assert row.object_name == "Do heat pumps work in cold weather?"


def test_what_is_refused_is_recorded_as_refused(ada):
    world = make_report(ada)
    vera = join("vera", role=Role.VIEWER, tenant=ada.tenant)
    assert vera.sign_in().post(f"/runs/{world.run.pk}/cancel/").status_code == 403
    [row] = rows(ada, Act.RUN_CANCEL)
    assert (row.who, row.role, row.outcome) == ("vera", "viewer", "refused")


def test_a_form_with_mistakes_is_no_act(ada):
    assert ada.sign_in().post("/runs/new/", {"question": ""}).status_code == 422
    assert rows(ada) == []


def test_settings_tell_what_was_before(ada):
    form = {"theme": "dark", "language": "", "single_keys": "on", "mail_asked": "on", "mail_failures": "on"}
    ada.sign_in().post("/account/settings/", form)
    [row] = rows(ada, Act.SETTINGS)
    assert row.before == {"theme": "system", "mail_schedules": "True"}
    assert row.after == {"theme": "dark", "mail_schedules": "False"}


def test_a_program_is_recorded_with_its_door_and_never_its_token(ada):
    with tenant_context(ada.tenant.pk):
        token = issue_token(ada.user, "t", [Scope.WRITE], None)[1]
    Client().post(
        "/api/v1/runs",
        {"kind": "report", "input": {"question": "Do heat pumps work?"}},
        content_type="application/json",
        headers={"Authorization": f"Bearer {token}"},
    )
    [row] = rows(ada, Act.RUN_START)
    assert (row.via, row.who, row.object_name) == ("api", "ada", "Do heat pumps work?")
    assert token not in str(vars(row))


def test_no_password_stands_in_the_trail(ada):
    client = ada.sign_in()
    new = "correct-horse-battery"
    client.post(
        "/account/password/", {"old_password": "plumb-line-9", "new_password1": new, "new_password2": new}
    )
    [row] = rows(ada, Act.PASSWORD)
    assert new not in str(vars(row))
    assert row.outcome == "done"


def test_a_download_is_recorded_though_it_changes_nothing(ada):
    client = ada.sign_in()
    client.get(FILE)
    assert [row.act for row in rows(ada)] == [Act.AUDIT_TAKE]


def test_what_is_done_in_the_admin_is_recorded(ada):
    grace = join("grace", tenant=ada.tenant, is_staff=True, is_superuser=True)
    client = grace.sign_in()
    world = make_report(ada)
    client.post(
        "/admin/research/run/",
        {"action": "delete_selected", "_selected_action": str(world.run.pk), "post": "yes"},
    )
    client.post("/admin/auth/group/add/", {"name": "readers"})
    found = rows(ada)
    assert [(row.act, row.who, row.via) for row in found][-1] == (Act.ADMIN_ADD, "grace", "admin")
    with tenant_context(ada.tenant.pk):
        if not Run.objects.filter(pk=world.run.pk).exists():
            assert found[0].act == Act.ADMIN_DELETE


@pytest.mark.parametrize("role", [Role.MEMBER, Role.REVIEWER, Role.VIEWER])
def test_only_owners_see_the_page_and_the_file(ada, role):
    client = join("vera", role=role, tenant=ada.tenant).sign_in()
    assert [client.get(address).status_code for address in (PAGE, FILE)] == [403, 403]


def test_the_page_lists_what_was_done_and_filters_it(ada):
    with tenant_context(ada.tenant.pk):
        for who, act in (("ada", Act.RUN_START), ("bob", Act.RUN_CANCEL)):
            with act_as(Actor(Via.PAGES, 1, who, "member")):
                record(act, on=On("run", "1", f"asked by {who}"))
    client = ada.sign_in()
    page = client.get(PAGE).content.decode()
    assert "asked by ada" in page
    assert "asked by bob" in page
    assert "asked by ada" not in client.get(PAGE, {"who": "bob"}).content.decode()
    assert "asked by bob" not in client.get(PAGE, {"act": "run.start"}).content.decode()
    assert "Nothing matches" in client.get(PAGE, {"day": "2020-01-01"}).content.decode()
    assert client.get(PAGE, {"day": "never"}).status_code == 422


def test_the_file_holds_no_formula(ada):
    hostile = '=HYPERLINK("https://attacker.example","x")'
    with tenant_context(ada.tenant.pk), act_as(Actor(Via.PAGES, 1, "+ada", "member")):
        record(Act.RUN_START, on=On("run", "1", hostile))
    response = ada.sign_in().get(FILE)
    [headings, *lines] = csv.reader(StringIO(response.content.decode("utf-8-sig")))
    line = next(dict(zip(headings, one, strict=True)) for one in lines if "run.start" in one)
    assert (line["object_name"], line["who"]) == (neutral(hostile), "'+ada")
    assert not any(cell[:1] in "=+-@" for one in lines for cell in one if cell)


def test_more_forms_a_minute_than_anybody_fills_in_are_answered_429(ada, settings):
    settings.PLUMBLINE_LIMITS = {**settings.PLUMBLINE_LIMITS, "posts_a_minute": (3.0,)}
    client = ada.sign_in()
    answers = [client.post("/display/", {"theme": "dark"}).status_code for _ in range(4)]
    refused = client.post("/display/", {"theme": "light"})
    assert answers[:3] == [302] * 3
    assert (refused.status_code, int(refused["Retry-After"]) > 0) == (429, True)
    assert b"Wait a minute" in refused.content


def test_decisions_of_a_reviewer_are_not_counted_as_forms(ada, settings):
    """A reviewer presses one key for each: faster than the forms of a minute."""
    settings.PLUMBLINE_LIMITS = {**settings.PLUMBLINE_LIMITS, "posts_a_minute": (3.0,)}
    make_report(ada)
    client = ada.sign_in()
    answers = [client.post("/review/", {"decision": "none of ours"}).status_code for _ in range(8)]
    assert 429 not in answers


def test_more_starts_a_minute_than_allowed_are_answered_429(ada, settings):
    settings.PLUMBLINE_LIMITS = {**settings.PLUMBLINE_LIMITS, "starts_a_minute": (2.0,)}
    client = ada.sign_in()
    answers = [
        client.post("/runs/new/", {"question": f"Do heat pumps work, {n}?"}).status_code for n in range(3)
    ]
    assert answers == [302, 302, 429]
    cache.clear()
