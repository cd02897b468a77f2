"""The readiness check of this process, for load balancers."""

from collections.abc import Callable
from pathlib import Path

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor

from research.storage.keys.data_encryption_keys import CannotOpen, open_own, seal_own


def complaints() -> list[str]:
    """Return the names of the failed checks; an empty list means ready.

    The queue may be unreachable: its messages wait in database rows.
    """
    return [name for name, is_missing in _CHECKS.items() if is_missing()]


def queue_is_away() -> bool:
    server = redis.Redis.from_url(settings.REDIS_LOCATION, socket_timeout=2, socket_connect_timeout=2)
    try:
        return not server.ping()
    except redis.RedisError:
        return True
    finally:
        server.close()


def _database_is_away() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return True
    return False


def migrations_are_open(on: BaseDatabaseWrapper | None = None) -> bool:
    """Return True if the tables are older than this program; False if the database does not answer.

    Migrations are never undone, so a process that has seen them applied does not check again.
    """
    if not _seen_migrated:
        try:
            executor = MigrationExecutor(on or connection)
            plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
        except DatabaseError:
            return False  # reported by another check
        _seen_migrated.extend([] if plan else [True])
    return not _seen_migrated


def tables_are_older() -> bool:
    """Check the migrations on a new connection, because a failed transaction answers no more queries."""
    apart = connection.copy()
    try:
        return migrations_are_open(apart)
    finally:
        apart.close()


def _key_is_missing() -> bool:
    try:
        return open_own(seal_own(b"ready", "readiness"), "readiness") != b"ready"
    except (OSError, CannotOpen):
        return True
    except DatabaseError:
        return False  # reported by another check


def _backup_keys_are_away() -> bool:
    """Return True if the configured ring of backup keys is not mounted.

    It must be mounted in every process: otherwise what is erased elsewhere would stay readable here.
    """
    ring: Path = settings.PLUMBLINE_BACKUP_KEYS
    return bool(settings.PLUMBLINE_S3_BUCKET) and ring != settings.PATHS.backup_keys and not ring.is_dir()


_seen_migrated: list[bool] = []
_CHECKS: dict[str, Callable[[], bool]] = {
    "database": _database_is_away,
    "migrations": migrations_are_open,
    "key": _key_is_missing,
    "backup_keys": _backup_keys_are_away,
}
