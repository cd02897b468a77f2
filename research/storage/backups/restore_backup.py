"""Restores workspaces from a backup: each in one transaction, with its files, or not at all."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

import psycopg
from django.db import connections, transaction
from django.db.migrations.loader import MigrationLoader
from psycopg import sql

from research.db.tenancy import tenant_ids
from research.storage.backups.backup_archive import ArchivePart, BadArchive, parts
from research.storage.backups.backup_tables import Tables, find_tables
from research.storage.backups.write_backup import CONTENTS, FORMAT, SUFFIX, migrations
from research.storage.keys.backup_keys import INSTALLATION, ErasedBackupKey, NoBackupKey, load_backup_key
from research.storage.stored_tenant_objects import put_back

OWNER = "owner"


class NotRestored(Exception):
    """An archive was not restored; str() says why."""


NO_KEY = "its backup key is not in PLUMBLINE_BACKUP_KEYS"


@dataclass(frozen=True, slots=True)
class RestoreResult:
    """The result of restoring one archive; `reason` says why nothing was restored."""

    name: str
    rows: int = 0
    files: int = 0
    reason: str = ""


def restore_backup(folder: Path, only: UUID | None = None) -> Iterator[RestoreResult]:
    """Restore what the backup holds and this installation does not.

    Raises NotRestored if nothing can be done.

    Running it again restores what is missing: a workspace that exists is left unchanged.
    """
    names = _contents(folder)
    if only is not None and str(only) not in names:
        raise NotRestored(f"The backup holds no workspace {only}.")
    tables, here = find_tables(connections[OWNER]), set(map(str, tenant_ids()))
    wanted = [str(only)] if only is not None else sorted(names, key=lambda name: (name != INSTALLATION, name))
    is_fresh = not here
    for name in wanted:
        if name in here:
            yield RestoreResult(name, reason="it is here already")
        elif name == INSTALLATION and not is_fresh:
            yield RestoreResult(name, reason="there are workspaces here: the installation's own tables stay")
        else:
            yield _restore_workspace(folder, name, tables)


def _contents(folder: Path) -> set[str]:
    if OWNER not in connections:
        raise NotRestored("DATABASE_OWNER_URL is not set; only the owner of the tables may bring rows back.")
    try:
        contents = json.loads((folder / CONTENTS).read_text(encoding="utf-8"))
        made_with, names = contents["migrations"], set(contents["archives"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise NotRestored(f"There is no whole backup in {folder}: {error}.") from error
    if contents.get("format") != FORMAT or _without_squashed(made_with) != _without_squashed(migrations()):
        raise NotRestored(
            "The backup was made by another version: restore it with that one into a fresh database, then migrate."
        )
    return names


def _without_squashed(names: list[str]) -> set[str]:
    """Those that stand for others are noted beside them, from the release that brought them on."""
    return set(names) - {f"{app}.{name}" for app, name in MigrationLoader(None).replacements}


def _restore_workspace(folder: Path, name: str, tables: Tables) -> RestoreResult:
    try:
        key = load_backup_key(name)
    except ErasedBackupKey:
        return RestoreResult(name, reason="it was erased")
    except FileNotFoundError:
        return RestoreResult(name, reason=NO_KEY)
    except NoBackupKey as error:
        raise NotRestored(f"{error}.") from error
    try:
        with (folder / f"{name}{SUFFIX}").open("rb") as file, transaction.atomic(using=OWNER):
            return _read(name, tables, parts(file, key, name))
    except (BadArchive, OSError) as error:
        raise NotRestored(f"{name}: {error}. Nothing of it was restored.") from error


def _read(name: str, tables: Tables, found: Iterator[ArchivePart]) -> RestoreResult:
    rows = files = 0
    if name == INSTALLATION:
        _empty(tables)
    for part in found:
        if "table" in part.head:
            rows += _write_rows(part, tables)
        else:
            put_back(UUID(name), str(part.head["file"]), b"".join(part.pieces))
            files += 1
    _set_counters(tables)
    return RestoreResult(name, rows, files)


def _empty(tables: Tables) -> None:
    """Empty the installation's tables: `migrate` has created rows, which the backup's rows replace."""
    names = sql.SQL(", ").join(map(sql.Identifier, tables.site))
    _execute(sql.SQL("TRUNCATE {} CASCADE").format(names))


def _write_rows(part: ArchivePart, tables: Tables) -> int:
    name = str(part.head["table"])
    known, given = tables.columns.get(name, ()), part.head["columns"]
    if not isinstance(given, list) or not set(given) <= set(known):
        raise BadArchive(f"it holds a table that this database does not know: {name}")
    columns = sql.SQL(", ").join(sql.Identifier(str(column)) for column in given)
    if name in tables.people:
        return _add_people(part, name, columns)
    return _copy(part, sql.Identifier(name), columns)


def _add_people(part: ArchivePart, name: str, columns: sql.Composed) -> int:
    """Add the users' rows of a backup and return their number; rows that exist already are left unchanged.

    Raises BadArchive if an account here has the id of another person's account in the backup.
    """
    table, aside = sql.Identifier(name), sql.Identifier(f"restored_{name}")
    _execute(sql.SQL("CREATE TEMP TABLE {} (LIKE {}) ON COMMIT DROP").format(aside, table))
    _copy(part, aside, columns)
    if name == "auth_user":
        other = "SELECT count(*) FROM {} a JOIN {} u ON a.id = u.id AND a.username <> u.username"
        if _execute(sql.SQL(other).format(aside, table)):
            raise BadArchive("accounts here have the numbers of other people in the backup")
    added = sql.SQL("INSERT INTO {} ({}) SELECT {} FROM {} ON CONFLICT DO NOTHING RETURNING 1")
    counted = sql.SQL("WITH added AS ({}) SELECT count(*) FROM added")
    count = _execute(counted.format(added.format(table, columns, columns, aside)))
    _execute(sql.SQL("DROP TABLE {}").format(aside))
    return count


def _copy(part: ArchivePart, table: sql.Identifier, columns: sql.Composed) -> int:
    with _server().cursor() as cursor:
        with cursor.copy(sql.SQL("COPY {} ({}) FROM STDIN").format(table, columns)) as copied:
            for piece in part.pieces:
                copied.write(piece)
        return max(cursor.rowcount, 0)


COUNTED = """
SELECT c.relname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = 'public' AND a.attname = 'id' AND a.attidentity <> ''
"""


def _set_counters(tables: Tables) -> None:
    """Set the id sequences past the restored rows."""
    with _server().cursor() as cursor:
        cursor.execute(COUNTED)
        counted = {name for (name,) in cursor.fetchall()}
    for name in counted & {*tables.site, *tables.people}:
        words = "SELECT setval(pg_get_serial_sequence({}, 'id'), coalesce(max(id), 0) + 1, false) FROM {}"
        _execute(sql.SQL(words).format(sql.Literal(name), sql.Identifier(name)))


def _execute(query: sql.Composed) -> int:
    """Return the query's single number; 0 if it has none."""
    with _server().cursor() as cursor:
        cursor.execute(query)
        row = cursor.fetchone() if cursor.description else None
        return int(row[0]) if row and row[0] is not None else 0


def _server() -> psycopg.Connection:
    found: psycopg.Connection = connections[OWNER].connection
    return found
