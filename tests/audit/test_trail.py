"""The trail: rows are added, read within their workspace, and changed by nobody."""

import pytest
from django.db import DatabaseError, IntegrityError, ProgrammingError, connection, connections, transaction

from research.accounts.audit.read_audit_trail import AuditQuery, entries, people, site_rows
from research.accounts.audit.write_audit_trail import (
    MAX_VALUE,
    Actor,
    On,
    act_as,
    record,
    record_of_account,
    small,
)
from research.db.tenancy import create_tenant, tenant_context
from research.models import Act, AuditEntry, Outcome, SiteAuditEntry, Via
from research.models.base_models import new_id
from tests.people import join

pytestmark = pytest.mark.django_db
ADA = Actor(Via.PAGES, 7, "ada", "owner", "192.0.2.1")
TABLES = ("research_auditentry", "research_siteauditentry")


@pytest.fixture
def tenant(db):
    return create_tenant("Ada’s")


def record_role_change(tenant) -> AuditEntry:
    with tenant_context(tenant.pk), act_as(ADA):
        record(
            Act.MEMBER_ROLE,
            on=On("membership", "5", "bob"),
            before={"role": "viewer"},
            after={"role": "owner"},
        )
        return AuditEntry.objects.get()


def test_a_row_says_who_did_what_on_what_from_where_and_what_changed(tenant):
    row = record_role_change(tenant)
    assert (row.who, row.role, row.via, row.address) == ("ada", "owner", "pages", "192.0.2.1")
    assert (row.act, row.object_type, row.object_name, row.outcome) == (
        "member.role",
        "membership",
        "bob",
        "done",
    )
    assert (row.before, row.after) == ({"role": "viewer"}, {"role": "owner"})


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("statement", ["UPDATE {} SET who = 'x'", "DELETE FROM {}", "TRUNCATE {}"])
def test_the_application_has_no_right_to_change_a_row(tenant, table, statement):
    record_role_change(tenant)
    with (
        pytest.raises(ProgrammingError, match="permission denied"),
        tenant_context(tenant.pk),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement.format(table))


def test_another_workspace_sees_nothing_of_it(tenant):
    record_role_change(tenant)
    with tenant_context(create_tenant("Bob’s").pk):
        assert not AuditEntry.objects.exists()
    assert not AuditEntry.objects.exists()


def test_a_row_for_another_workspace_is_refused(tenant):
    other = create_tenant("Bob’s")
    with pytest.raises(DatabaseError, match="row-level security"), tenant_context(tenant.pk):
        AuditEntry.objects.create(tenant=other, act=Act.SIGN_IN, via=Via.PAGES)


def test_what_concerns_no_workspace_is_seen_by_operators_alone():
    with act_as(Actor(Via.PAGES, address="2001:db8::1")):
        record(Act.SIGN_IN, outcome=Outcome.FAILED)
    assert not SiteAuditEntry.objects.exists()
    with site_rows():
        [row] = SiteAuditEntry.objects.all()
    assert (row.act, row.outcome, row.address, row.who) == ("account.sign_in", "failed", "2001:db8::1", "")
    assert not SiteAuditEntry.objects.exists()


def test_a_sign_in_stands_in_each_workspace_of_its_account(tenant):
    ada = join("ada")
    with tenant_context(tenant.pk):
        ada.user.memberships.create(role="viewer")
    record_of_account(Act.SIGN_IN, ada.user, Actor(Via.PAGES, ada.user.pk, "ada"))
    for place, role in ((ada.tenant, "owner"), (tenant, "viewer")):
        with tenant_context(place.pk):
            assert [row.role for row in AuditEntry.objects.all()] == [role]


def test_an_act_that_is_undone_leaves_no_row(tenant):
    def act() -> None:
        with tenant_context(tenant.pk):
            record(Act.RUN_START)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        act()
    with tenant_context(tenant.pk):
        assert not AuditEntry.objects.exists()


def test_an_act_without_a_form_is_refused_by_the_database(tenant):
    with pytest.raises(IntegrityError, match="act_form"), tenant_context(tenant.pk), transaction.atomic():
        AuditEntry.objects.create(act="Anything at all", via=Via.PAGES)


def test_no_value_with_the_name_of_a_secret_is_kept_and_long_ones_are_cut():
    given = {"api_key": "x", "Password": "x", "recovery_codes": "x", "single_keys": True, "url": "u" * 999}
    assert small(given) == {"single_keys": True, "url": "u" * MAX_VALUE}


def test_an_act_without_a_request_is_of_the_command_line(tenant):
    with tenant_context(tenant.pk):
        record(Act.KEY_ROTATE)
        assert AuditEntry.objects.get().via == Via.COMMAND


def test_rows_are_found_by_person_act_and_day_the_newest_first(tenant):
    record_role_change(tenant)
    with tenant_context(tenant.pk):
        with act_as(Actor(Via.API, 8, "bob", "member")):
            record(Act.RUN_START)
        today = AuditEntry.objects.first().created_at.date()
        assert people() == ["ada", "bob"]
        assert [row.who for row in entries(AuditQuery())] == ["bob", "ada"]
        assert [row.who for row in entries(AuditQuery(who="ada"))] == ["ada"]
        assert [row.who for row in entries(AuditQuery(act="run.start"))] == ["bob"]
        assert entries(AuditQuery(day=today)).count() == 2
        assert not entries(AuditQuery(day=today.replace(year=2020))).exists()


@pytest.mark.django_db(databases=["default", "owner"])
def test_not_even_the_owner_of_the_tables_changes_a_row_and_deletes_only_what_is_being_erased():
    tenant, entry = new_id(), new_id()
    with connections["owner"].cursor() as cursor, transaction.atomic("owner"):

        def assert_refused(statement: str) -> None:
            with pytest.raises(IntegrityError, match="append-only"), transaction.atomic("owner"):
                cursor.execute(statement)

        cursor.execute("SELECT set_config('plumbline.tenant', %s, true)", [str(tenant)])
        cursor.execute(
            "INSERT INTO research_tenant (id, name, region, tier, kept_bodies) VALUES (%s, 'x', '', 'pro', 'off')",
            [tenant],
        )
        cursor.execute(
            "INSERT INTO research_auditentry (id, tenant_id, who, role, via, act, outcome, object_type,"
            " object_id, object_name, before, after)"
            " VALUES (%s, %s, '', '''', 'pages', 'run.start', 'done', '', '', '', '{}', '{}')",
            [entry, tenant],
        )
        assert_refused("UPDATE research_auditentry SET who = 'somebody else'")
        assert_refused("DELETE FROM research_auditentry")
        cursor.execute("SELECT set_config('plumbline.erasing', %s, true)", [str(tenant)])
        assert_refused("UPDATE research_auditentry SET who = 'somebody else'")
        cursor.execute("DELETE FROM research_auditentry")
        assert cursor.rowcount == 1
