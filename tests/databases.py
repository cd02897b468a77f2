"""Databases for tests: one cluster a test run, one migrated template, one copy of it a process."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from django.core.management import call_command
from django.db import connections
from psycopg import sql

from config.databases import APP_ROLE, OWNER_ROLE
from config.services.embedded import locked, using
from config.services.paths import ServicePaths
from config.services.postgres import Postgres, connect

TEMPLATE = "plumbline_template"
# A test's cluster need not survive a power cut.
FAST = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "max_connections": "200"}


@contextmanager
def cluster(paths: ServicePaths) -> Iterator[Path]:
    """The run's cluster, started by whoever comes first; yields its socket folder."""
    with using(paths, [Postgres(paths, FAST)]):
        yield paths.postgres_sockets


def point_aliases_at(sockets: Path, name: str) -> None:
    """Let Django's two aliases use the database `name`."""
    for alias in connections:
        connections[alias].close()
        connections[alias].settings_dict.update(HOST=str(sockets), NAME=name)


def make_template(paths: ServicePaths) -> None:
    """Migrate the template, through the owner as everywhere; nothing happens when it exists."""
    sockets = paths.postgres_sockets
    with locked(paths.run / "template.lock"), connect(sockets, "postgres") as server:
        if server.execute("SELECT 1 FROM pg_database WHERE datname = %s", [TEMPLATE]).fetchone():
            return
        draft = f"{TEMPLATE}_draft"
        server.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(draft)))
        server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(draft)))
        point_aliases_at(sockets, draft)
        call_command("migrate", verbosity=0)
        connections.close_all()
        rename = sql.SQL("ALTER DATABASE {} RENAME TO {}")
        server.execute(rename.format(sql.Identifier(draft), sql.Identifier(TEMPLATE)))


def recreate(sockets: Path, name: str) -> None:
    """Make `name` a fresh copy of the template; who is still connected to the old one is cut off."""
    connections.close_all()
    with connect(sockets, "postgres") as server:
        server.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))
        copy = sql.SQL("CREATE DATABASE {} TEMPLATE {}")
        server.execute(copy.format(sql.Identifier(name), sql.Identifier(TEMPLATE)))


def urls(sockets: Path, name: str) -> dict[str, str]:
    """The environment with which another process reaches the database `name`."""
    host = quote(str(sockets), safe="")
    return {
        "DATABASE_URL": f"postgresql://{APP_ROLE}@/{name}?host={host}",
        "DATABASE_OWNER_URL": f"postgresql://{OWNER_ROLE}@/{name}?host={host}",
    }
