"""Nothing of the product needs a session of the database: a pooler may lend connections by transaction."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import connection

from config.databases import Alias, database_settings
from research.db.tenancy import create_tenant, tenant_context

ROOT = Path(settings.BASE_DIR)
ROOMS = ("config", "research", "citations", "exports", "slides")
OF_SERVERS = ("embedded_postgres.py", "databases.py", "bench_filled_database.py")  # without a pool
# What outlives its transaction. The embedded server alone is set up by other means; migrations, and what loads a
# made-up library to measure search in it, reach the database by an address of their own.
SESSIONS = re.compile(
    r"""pg_(?:try_)?advisory_(?:un)?lock(?:_shared)?\s*\(
    | (?:^|;)\s*SET\s+(?!LOCAL\b|CONSTRAINTS\b|TRANSACTION\b)\w
    | set_config\([^)]*,\s*false\s*\)
    | (?:^|;\s*)(?:LISTEN|NOTIFY|PREPARE|DEALLOCATE|DISCARD)\s+[A-Za-z_"]
    | \bWITH\s+HOLD\b
    | CREATE\s+TEMP(?:ORARY)?\s+TABLE(?!.*ON\s+COMMIT\s+DROP)""",
    re.VERBOSE | re.DOTALL,
)
A_STATEMENT = re.compile(
    r"\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH|SET|LISTEN|NOTIFY|PREPARE|CREATE|BEGIN|DISCARD)\b|.*;\s*SET\b",
    re.S,
)


def texts() -> Iterator[tuple[str, str]]:
    """Every text of our code that could be a statement, with its place."""
    for path in (path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))):
        if "migrations" in path.parts or path.name in OF_SERVERS:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and A_STATEMENT.match(node.value)
            ):
                yield f"{path.relative_to(ROOT)}:{node.lineno}", node.value


def test_no_statement_leaves_anything_in_its_session():
    found = {place: text for place, text in texts() if SESSIONS.search(text)}
    assert found == {}


@pytest.mark.parametrize(
    "text",
    [
        "SELECT pg_try_advisory_lock(%s)",
        "SELECT pg_advisory_unlock(%s)",
        "SET statement_timeout = 5",
        "SET SESSION work_mem = '1MB'",
        "SET ROLE somebody",
        "BEGIN; SET work_mem TO 5",
        "SELECT set_config('plumbline.tenant', %s, false)",
        "LISTEN wakeup",
        "PREPARE one AS SELECT 1",
        "CREATE TEMP TABLE aside (LIKE research_run)",
    ],
)
def test_what_needs_a_session_would_be_found(text):
    assert A_STATEMENT.match(text)
    assert SESSIONS.search(text)


@pytest.mark.parametrize(
    "text",
    ["SELECT pg_try_advisory_xact_lock(%s)", "BEGIN; SET LOCAL synchronous_commit = off",
     "SELECT set_config('plumbline.tenant', %s, true)", "CREATE TEMP TABLE {} (LIKE {}) ON COMMIT DROP"],
)  # fmt: skip
def test_what_ends_with_its_transaction_is_no_matter(text):
    assert not SESSIONS.search(text)


def alias(*, is_lent: bool) -> Alias:
    url = "postgresql://app@pooler:6432/plumbline"
    return database_settings(app_url=url, owner_url="", sockets=ROOT, pool_size=0, is_lent=is_lent)["default"]


def test_a_pooler_is_asked_for_no_option_of_a_session_and_for_no_cursor_that_stays():
    assert "options" not in alias(is_lent=True)["OPTIONS"]
    assert alias(is_lent=True)["DISABLE_SERVER_SIDE_CURSORS"] is True
    assert alias(is_lent=True)["OPTIONS"].get("prepare_threshold") is None
    assert "idle_in_transaction_session_timeout=30s" in alias(is_lent=False)["OPTIONS"]["options"]


@pytest.mark.django_db(transaction=True)
def test_behind_a_pooler_each_transaction_sets_its_own_limit(settings):
    settings.PLUMBLINE_POOLER = True
    tenant = create_tenant("Pooled").pk
    with connection.cursor() as cursor:
        cursor.execute("SET idle_in_transaction_session_timeout = 0")
        with tenant_context(tenant):
            cursor.execute("SHOW idle_in_transaction_session_timeout")
            assert cursor.fetchone() == ("30s",)
        cursor.execute("SHOW idle_in_transaction_session_timeout")
        assert cursor.fetchone() == ("0",)
    connection.close()


def test_the_embedded_database_has_no_pooler(monkeypatch):
    import importlib

    import config.settings

    monkeypatch.setenv("PLUMBLINE_POOLER", "yes")
    with pytest.raises(ImproperlyConfigured, match="PLUMBLINE_POOLER"):
        importlib.reload(config.settings)
    monkeypatch.undo()
