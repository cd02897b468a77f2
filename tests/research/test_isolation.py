"""Every tenant table, found in pg_class so that a new one cannot be missed, shows and takes only its tenant's rows."""

from contextlib import nullcontext
from functools import partial

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from research.db.tenancy import NoTenant, create_tenant, memberships, tenant_context, tenant_ids
from research.models import Content, Run, Source, Tenant

pytestmark = pytest.mark.django_db

OWN_TABLES = """
SELECT c.relname, c.relrowsecurity, c.relforcerowsecurity,
       EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'tenant_id' AND a.attnotnull)
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p')
  AND c.relname <> 'research_languagemodel' -- prices: the operator's, and the same for all
  AND c.relname <> 'research_usersettings' -- a user's own, as the password is
  AND c.relname <> 'research_siteauditentry' -- acts in no workspace: tests/audit/test_trail.py
  AND c.relname <> 'research_erasure' -- it outlives the tenants that it names
  AND c.relname ~ '^(research|citations|exports|slides)_'
ORDER BY c.relname
"""


def rows(sql: str, *params: object) -> list[tuple[object, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        return cursor.fetchall()


def tenant_tables() -> list[str]:
    return [str(name) for name, *_ in rows(OWN_TABLES) if name != "research_tenant"]


def one_row(table: str) -> dict[str, object]:
    """Values of the table's columns that must be given, of the right types but pointing nowhere."""
    found = rows(
        "SELECT column_name, data_type, udt_name FROM information_schema.columns WHERE table_name = %s"
        " AND is_nullable = 'NO' AND column_default IS NULL AND is_generated = 'NEVER' AND is_identity = 'NO'",
        table,
    )
    blanks = {
        "uuid": "00000000-0000-7000-8000-000000000001",
        "jsonb": "{}",
        "timestamptz": "2026-01-01",
        "bytea": b"",
        "bool": False,
        "date": "2026-01-01",
    }
    numbers = {"int2", "int4", "int8", "float8", "numeric"}
    return {str(name): 1 if udt in numbers else blanks.get(str(udt), "x") for name, _, udt in found}


def insert(table: str, values: dict[str, object]) -> None:
    columns = ", ".join(f'"{name}"' for name in values)
    marks = ", ".join(["%s"] * len(values))
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO {table} ({columns}) VALUES ({marks})", list(values.values()))


def test_every_table_of_ours_carries_a_tenant_and_forces_row_security():
    careless = [
        name
        for name, secured, forced, owned in rows(OWN_TABLES)
        if not (secured and forced and (owned or name == "research_tenant"))
    ]
    assert careless == []


def test_there_are_tenant_tables_to_speak_of():
    assert {"research_run", "research_chunk", "citations_citation", "research_membership"} <= set(
        tenant_tables()
    )


def test_the_application_owns_no_table_and_cannot_bypass():
    [(superuser, bypasses)] = rows("SELECT rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user")
    owned = rows("SELECT tablename FROM pg_tables WHERE tableowner = current_user")
    assert (superuser, bypasses, owned) == (False, False, [])


def test_without_a_tenant_no_row_is_visible(world):
    assert {table: rows(f"SELECT count(*) FROM {table}")[0][0] for table in tenant_tables()} == dict.fromkeys(
        tenant_tables(), 0
    )


def test_another_tenants_rows_are_invisible(world):
    other = create_tenant("other")
    with tenant_context(other.pk):
        counts = {table: rows(f"SELECT count(*) FROM {table}")[0][0] for table in tenant_tables()}
    assert counts == dict.fromkeys(tenant_tables(), 0)


@pytest.mark.parametrize("inside", [True, False], ids=["as another tenant", "without a tenant"])
def test_another_tenants_row_cannot_be_written(world, inside):
    own, other = create_tenant("own"), create_tenant("other")
    here = partial(tenant_context, own.pk) if inside else nullcontext
    for table in tenant_tables():
        values = {**one_row(table), "tenant_id": str(other.pk)}
        with pytest.raises(DatabaseError, match="row-level security|not what its source says"), here():
            insert(table, values)


def test_a_row_cannot_point_to_another_tenants_row(world):
    other = create_tenant("other")

    def point_across() -> None:
        with tenant_context(other.pk):
            Source.objects.create(run_id=world.run.pk, canonical_url="library:x")
            check_deferred()

    with pytest.raises(IntegrityError, match="of_tenant"):
        point_across()


def check_deferred() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")


def test_every_foreign_key_between_tenant_tables_is_composite():
    loose = rows(
        """
        SELECT k.conrelid::regclass::text, k.conname FROM pg_constraint k
        JOIN pg_attribute a ON a.attrelid = k.confrelid AND a.attname = 'tenant_id'
        WHERE k.contype = 'f' AND array_length(k.conkey, 1) = 1
        """
    )
    assert loose == []


def test_a_tenant_sees_itself_only(world):
    other = create_tenant("other")
    with tenant_context(other.pk):
        assert list(Tenant.objects.all()) == [other]
    assert list(Tenant.objects.all()) == []


def test_the_sweeper_finds_all_tenants_without_seeing_them(world):
    other = create_tenant("other")
    assert {world.tenant.pk, other.pk} <= set(tenant_ids())


def test_memberships_are_found_before_a_tenant_is_set(world):
    [access] = memberships(world.owner.pk)
    assert (access.tenant_id, access.role) == (world.tenant.pk, "owner")


def test_a_row_made_outside_a_tenant_is_a_fault():
    with pytest.raises(NoTenant):
        Content.objects.create(raw_sha256="a", extractor="x", sha256="b", text="t", media_type="text/plain")


def test_leaving_a_tenant_restores_the_one_before(world):
    other = create_tenant("other")
    with tenant_context(world.tenant.pk):
        with tenant_context(other.pk):
            assert not Run.objects.exists()
        assert Run.objects.exists()
    assert not Run.objects.exists()


# Columns by their numbers, and how each is compared; partial ones and those of expressions serve other questions.
INDEXES = """
SELECT i.indrelid::regclass::text, c.relname, i.indkey::text, i.indclass::text, i.indisunique
FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am am ON am.oid = c.relam
WHERE i.indrelid::regclass::text ~ '^(research|citations|exports|slides)_' AND am.amname = 'btree'
  AND i.indpred IS NULL AND i.indexprs IS NULL
"""


def test_no_index_is_the_beginning_of_another():
    found = rows(INDEXES)
    doubled = [
        f"{one} of {table}: as {other} begins"
        for table, one, columns, classes, is_unique in found
        for its_table, other, more, its_classes, _ in found
        if table == its_table and one != other and not is_unique
        if f"{more} ".startswith(f"{columns} ") and its_classes.startswith(classes)
    ]
    assert doubled == []
