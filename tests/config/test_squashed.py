"""Squashed migrations: a new database is as the old ones leave it, an older one goes on from where it is."""

import re
import subprocess
from collections.abc import Iterable

import pytest
from django.core.management import call_command
from django.db import connections
from django.db.migrations.autodetector import MigrationAutodetector
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from psycopg import sql

from config.databases import OWNER_ROLE
from config.services import embedded_postgres
from config.services.embedded_postgres import connect
from tests import databases
from tests.unsquashed import APPS, ignore_squashes

Key = tuple[str, str]
SQUASHED = [
    migration
    for (app, _name), migration in MigrationLoader(None).disk_migrations.items()
    if app in APPS and migration.replaces
]
REPLACED = sorted(key for migration in SQUASHED for key in migration.replaces)

pytestmark = pytest.mark.skipif(
    not set(REPLACED) <= MigrationLoader(None).disk_migrations.keys(),
    reason="what was squashed is no longer there",
)


@pytest.fixture(scope="module")
def old() -> MigrationLoader:
    with ignore_squashes():
        return MigrationLoader(None)


@pytest.fixture
def plan_after(monkeypatch):
    """What `migrate` would apply where these are applied: the names of all that it then notes."""

    def plan(applied: Iterable[Key]) -> list[Key]:
        monkeypatch.setattr(MigrationRecorder, "applied_migrations", lambda _self: dict.fromkeys(applied))
        executor = MigrationExecutor(connections["owner"])
        executor.loader.check_consistent_history(connections["owner"])
        assert executor.loader.detect_conflicts() == {}
        steps = executor.migration_plan(executor.loader.graph.leaf_nodes())
        return [
            key
            for migration, _backwards in steps
            for key in migration.replaces or [(migration.app_label, migration.name)]
        ]

    return plan


def test_models_are_the_same(old):
    new = MigrationLoader(None).project_state()
    assert MigrationAutodetector(old.project_state(), new)._detect_changes() == {}


@pytest.mark.parametrize("key", REPLACED, ids=".".join)
def test_wherever_an_installation_is_it_goes_on(old, plan_after, key):
    """It has this migration and what that needs alone; or all but it and what needs that."""
    least = set(old.graph.forwards_plan(key))
    most = set(old.graph.nodes) - set(old.graph.backwards_plan(key))
    for applied in (least, most):
        planned = plan_after(applied)
        assert (len(planned), set(planned)) == (len(set(planned)), set(old.graph.nodes) - applied)


def test_an_installation_that_has_all_has_nothing_to_do(old, plan_after):
    assert plan_after(old.graph.nodes) == []


def test_a_new_one_has_few_to_apply(old, plan_after):
    assert set(plan_after([])) >= set(REPLACED)
    loader = MigrationExecutor(connections["owner"]).loader
    assert not set(REPLACED) & set(loader.graph.nodes)


@pytest.mark.full
def test_the_database_is_the_same(database_cluster, django_db_setup, django_db_blocker):
    """Tables, indexes, policies, triggers, functions, rights; and the rows that migrations made.

    Both are made in this process: a condition on a set is written in the order that the process has it in.
    """
    with django_db_blocker.unblock():
        with ignore_squashes():
            old = _dump_new(database_cluster, "migrated_by_replaced")
        assert _dump_new(database_cluster, "migrated_by_squashed") == old


def _dump_new(sockets, name: str) -> list[str]:
    """What pg_dump says of a database that is made by `migrate`."""
    ours = str(connections["owner"].settings_dict["NAME"])
    with connect(sockets, "postgres") as server:
        databases.drop(server, name)
        server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        databases.point_aliases_at(sockets, name)
        try:
            call_command("migrate", verbosity=0)
            return _dump(sockets, name)
        finally:
            databases.point_aliases_at(sockets, ours)
            databases.drop(server, name)


def _dump(sockets, name: str) -> list[str]:
    def dump(*options: str) -> list[str]:
        command = [embedded_postgres.binaries() / "pg_dump", "-h", sockets, "-U", OWNER_ROLE, *options, name]
        found = subprocess.run(command, capture_output=True, text=True, check=True)
        return [
            line for line in found.stdout.splitlines() if not line.startswith(("\\restrict", "\\unrestrict"))
        ]

    rows = dump("--data-only", "--inserts", "--table=research_*")
    made = [re.sub(r"'[-0-9]{10} [.:0-9]+\+00'", "now", line) for line in rows if line.startswith("INSERT")]
    return dump("--schema-only") + made
