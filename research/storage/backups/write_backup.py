"""Writes backups: an archive for each workspace under its own key, and one for what belongs to none.

Each workspace is written from one snapshot while work goes on. Users are included with the workspaces that
they belong to, so that no archive that outlives a workspace has data of its people.
"""

import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

import psycopg
from django.db import connection, transaction
from django.db.migrations.recorder import MigrationRecorder
from psycopg import sql

from research.db.tenancy import tenant_context, tenant_ids
from research.storage.backups.backup_archive import ArchiveWriter
from research.storage.backups.backup_tables import RIGHTS, TENANTS, Tables, find_tables
from research.storage.keys.backup_keys import INSTALLATION, key_for
from research.storage.stored_tenant_objects import keys_of, read_sealed_bytes

FORMAT = 1
SUFFIX, CONTENTS = ".plumbline", "backup.json"


@dataclass(frozen=True, slots=True)
class BackupResult:
    """The result of writing one archive. `rows` counts all its tables."""

    name: str
    rows: int
    files: int
    bytes: int
    sha256: str


def write_backup(folder: Path) -> Iterator[BackupResult]:
    """Write the archives into a new folder; `backup.json`, the list of contents, comes last.

    Raises OSError, NoBackupKey.
    """
    folder.mkdir(mode=0o700, parents=True)
    tables = find_tables(connection)
    done: list[BackupResult] = []
    for name in [INSTALLATION, *map(str, tenant_ids())]:
        done.append(_write(folder, name, tables))
        yield done[-1]
    contents = {
        "format": FORMAT,
        "made_at": datetime.now(tz=UTC).isoformat(),
        "migrations": migrations(),
        "archives": {
            result.name: {"sha256": result.sha256, "rows": result.rows, "files": result.files}
            for result in done
        },
    }
    (folder / CONTENTS).write_text(json.dumps(contents, indent=1), encoding="utf-8")


def migrations() -> list[str]:
    """Return the applied migrations: rows fit only a database with the same ones."""
    applied = MigrationRecorder(connection).applied_migrations()
    return sorted(f"{app}.{name}" for app, name in applied)


def _write(folder: Path, name: str, tables: Tables) -> BackupResult:
    path = folder / f"{name}{SUFFIX}"
    with path.open("xb") as file:
        writer = ArchiveWriter(file, key_for(name), name)
        if name == INSTALLATION:
            rows, files = _write_site(writer, tables), 0
        else:
            rows, files = _write_tenant(writer, tables, UUID(name))
        writer.end()
        file.flush()
        os.fsync(file.fileno())
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return BackupResult(name, rows, files, path.stat().st_size, digest)


def _write_site(writer: ArchiveWriter, tables: Tables) -> int:
    """Write the installation's tables, and the people who belong to no workspace."""
    with _snapshot():
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('plumbline.operator', 'on', true)")
            cursor.execute(
                "SELECT id FROM auth_user u WHERE NOT EXISTS (SELECT FROM plumbline_memberships(u.id))"
            )
            alone = [row[0] for row in cursor.fetchall()]
        rows = sum(_copy(writer, tables, name, sql.SQL("true")) for name in tables.site)
        return rows + _copy_people(writer, tables, alone, frozenset())


def _write_tenant(writer: ArchiveWriter, tables: Tables, tenant_id: UUID) -> tuple[int, int]:
    own = sql.SQL("tenant_id = {}").format(sql.Literal(tenant_id))
    with _snapshot(), tenant_context(tenant_id):
        rows = _copy_people(writer, tables, _people(tables), RIGHTS)
        rows += _copy(writer, tables, TENANTS, sql.SQL("id = {}").format(sql.Literal(tenant_id)))
        rows += sum(_copy(writer, tables, name, own) for name in tables.own)
    files = 0
    for key in keys_of(tenant_id):
        sealed = read_sealed_bytes(tenant_id, key)
        if sealed is not None:
            writer.add({"file": key}, [sealed])
            files += 1
    return rows, files


def _snapshot() -> transaction.Atomic:
    """Return a transaction that reads one snapshot, set by its first statement."""
    return _OneMoment(using=None, savepoint=True, durable=False)


class _OneMoment(transaction.Atomic):
    def __enter__(self) -> None:
        is_first = not connection.in_atomic_block
        super().__enter__()
        if is_first:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")


def _people(tables: Tables) -> list[int]:
    """Return the members, and all users that rows of the workspace reference."""
    people: set[int] = set()
    with connection.cursor() as cursor:
        for table, column in tables.of_users:
            query = sql.SQL("SELECT DISTINCT {} FROM {}").format(
                sql.Identifier(column), sql.Identifier(table)
            )
            cursor.execute(query.as_string(None))
            people.update(row[0] for row in cursor.fetchall() if row[0] is not None)
    return sorted(people)


def _copy_people(writer: ArchiveWriter, tables: Tables, people: list[int], without: frozenset[str]) -> int:
    return sum(
        _copy(
            writer, tables, name, sql.SQL("{} = ANY({})").format(sql.Identifier(column), sql.Literal(people))
        )
        for name, column in tables.people.items()
        if name not in without
    )


def _copy(writer: ArchiveWriter, tables: Tables, name: str, condition: sql.Composable) -> int:
    columns = tables.columns[name]
    query = sql.SQL("COPY (SELECT {} FROM {} WHERE {}) TO STDOUT").format(
        sql.SQL(", ").join(map(sql.Identifier, columns)), sql.Identifier(name), condition
    )
    server: psycopg.Connection = connection.connection
    with server.cursor() as cursor:
        with cursor.copy(query) as copied:
            writer.add({"table": name, "columns": list(columns)}, copied)
        return max(cursor.rowcount, 0)
