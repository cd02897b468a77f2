"""A test that commits leaves nothing to the next one, whatever it wrote."""

import pytest
from django.db import connection, connections

from config.services.embedded_postgres import connect
from research.models import LanguageModel, Run, Tenant
from tests import databases
from tests.conftest import DATABASE
from tests.past_runs import make_past_run
from tests.people import join

pytestmark = pytest.mark.django_db(transaction=True, databases=["default", "owner"])
SCHEMA = "SELECT count(*) FROM pg_class WHERE relname = 'of_a_test'"


def _oid(sockets) -> object:
    with connect(sockets, "postgres") as server:
        return server.execute("SELECT oid FROM pg_database WHERE datname = %s", [DATABASE]).fetchone()


def test_added_rows_go_and_those_of_migrations_stay(database_cluster):
    models, before = LanguageModel.objects.count(), _oid(database_cluster)
    for _time in range(2):
        make_past_run(join("ada"))
        databases.renew(database_cluster, DATABASE)
        with connect(database_cluster, DATABASE) as server:
            tables = [str(name) for (name,) in server.execute("SELECT relname FROM pg_stat_user_tables")]
            filled = [name for name in tables if server.execute(f"SELECT FROM {name} LIMIT 1").rowcount]
        assert set(filled) == {
            "auth_permission",
            "django_content_type",
            "django_migrations",
            "research_languagemodel",
        }
    assert (LanguageModel.objects.count(), _oid(database_cluster)) == (models, before)


def test_numbers_begin_again(database_cluster):
    first = join("ada").user.pk
    databases.renew(database_cluster, DATABASE)
    assert join("bob").user.pk == first


@pytest.mark.parametrize("change", ["DELETE FROM {}", "UPDATE {} SET usd_per_million_input = 7"])
def test_rows_of_migrations_that_were_changed_are_put_back(database_cluster, change):
    def read_models():
        return _oid(database_cluster), list(LanguageModel.objects.order_by("pk").values())

    before = read_models()
    with connections["owner"].cursor() as cursor:
        cursor.execute(change.format(LanguageModel._meta.db_table))
    assert read_models() != before
    databases.renew(database_cluster, DATABASE)
    assert read_models() == before


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE of_a_test ()",
        f"ALTER TABLE {Run._meta.db_table} ADD COLUMN of_a_test text",
        f"REVOKE SELECT ON {Tenant._meta.db_table} FROM PUBLIC, plumbline_app",
    ],
)
def test_what_is_no_row_takes_a_new_copy(database_cluster, statement):
    before = _oid(database_cluster)
    with connections["owner"].cursor() as cursor:
        cursor.execute(statement)
    databases.renew(database_cluster, DATABASE)
    assert _oid(database_cluster) != before
    assert (LanguageModel.objects.exists(), Tenant.objects.exists()) == (True, False)
    with connection.cursor() as cursor:
        cursor.execute(SCHEMA)
        assert cursor.fetchone() == (0,)
