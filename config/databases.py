"""The database aliases: `default` connects as the application's role, `owner` as the role that owns the tables."""

from pathlib import Path
from typing import NotRequired, TypedDict

import environ
from django.core.exceptions import ImproperlyConfigured
from django.db.backends.utils import CursorWrapper
from psycopg import sql

DATABASE = "plumbline"
APP_ROLE = "plumbline_app"
OWNER_ROLE = "plumbline_owner"


# A process that stops in the middle of a transaction (suspended, out of memory, disconnected) keeps its
# locks: the server ends the session so that others can continue. Our transactions wait for nothing but the
# database.
IDLE_LIMIT_S = 30
# A new connection costs the server 10 ms and more: worker threads keep theirs between messages.
KEPT_S = 60


class DatabaseOptions(TypedDict, total=False):
    options: str
    pool: dict[str, int]
    server_side_binding: bool
    prepare_threshold: int


class Alias(TypedDict):
    """The settings of one database alias, as Django expects them."""

    ENGINE: str
    NAME: str
    USER: str
    PASSWORD: str
    HOST: str
    PORT: str
    OPTIONS: DatabaseOptions
    CONN_MAX_AGE: NotRequired[int]
    CONN_HEALTH_CHECKS: NotRequired[bool]
    DISABLE_SERVER_SIDE_CURSORS: NotRequired[bool]


def database_settings(
    *, app_url: str, owner_url: str, sockets: Path, pool_size: int, is_lent: bool = False
) -> dict[str, Alias]:
    """Build the aliases from the two URLs or, without them, from the embedded server's socket folder.

    A process that never migrates needs no owner: its alias is then left out. `pool_size` 0 means one
    connection for each thread (right for workers, which keep theirs); above 0 it is the pool's upper limit.
    `is_lent`: the URL of the application is that of a pooler that assigns connections per transaction
    (PgBouncer): then nothing that belongs to a session is used, and `IDLE_LIMIT_S` is set in each
    transaction.
    """
    if not app_url and owner_url:
        raise ImproperlyConfigured("DATABASE_OWNER_URL is set but DATABASE_URL is not; set both or neither.")
    if not app_url:
        aliases = {
            "default": _build_embedded_alias(sockets, APP_ROLE),
            "owner": _build_embedded_alias(sockets, OWNER_ROLE),
        }
        # Prepared statements are allowed (research.db.bulk_sql). For an external server DATABASE_URL decides: not all
        # poolers support them.
        aliases["default"]["OPTIONS"]["prepare_threshold"] = 5
    else:
        aliases = {"default": _parse_url("DATABASE_URL", app_url)}
        if owner_url:
            aliases["owner"] = _parse_url("DATABASE_OWNER_URL", owner_url)
    _refuse_owner_as_application(aliases)
    if is_lent:
        aliases["default"]["DISABLE_SERVER_SIDE_CURSORS"] = True
    else:
        aliases["default"]["OPTIONS"]["options"] = f"-c idle_in_transaction_session_timeout={IDLE_LIMIT_S}s"
    if pool_size:
        use_pool(aliases["default"], pool_size)
    else:
        aliases["default"]["CONN_MAX_AGE"] = KEPT_S
        aliases["default"]["CONN_HEALTH_CHECKS"] = True
    return aliases


def use_pool(alias: Alias, size: int) -> None:
    """Make threads share at most `size` connections instead of keeping one each."""
    alias["OPTIONS"]["pool"] = {"min_size": 1, "max_size": size, "timeout": 10}
    alias["CONN_MAX_AGE"] = 0
    alias["CONN_HEALTH_CHECKS"] = False


def _build_embedded_alias(sockets: Path, role: str) -> Alias:
    return Alias(
        ENGINE="django.db.backends.postgresql",
        NAME=DATABASE,
        USER=role,
        PASSWORD="",
        HOST=str(sockets),
        PORT="5432",
        OPTIONS={},
    )


def _parse_url(name: str, url: str) -> Alias:
    try:
        parts = environ.Env.db_url_config(url)
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} is not a database URL: {error}") from error
    if parts.get("ENGINE") != "django.db.backends.postgresql" or not parts.get("NAME"):
        raise ImproperlyConfigured(f"{name} must look like postgresql://user:password@host:5432/database.")
    return Alias(
        ENGINE="django.db.backends.postgresql",
        NAME=parts["NAME"],
        USER=parts.get("USER", ""),
        PASSWORD=parts.get("PASSWORD", ""),
        HOST=parts.get("HOST", ""),
        PORT=str(parts.get("PORT", "")),
        OPTIONS=parts.get("OPTIONS", {}),
    )


def _refuse_owner_as_application(aliases: dict[str, Alias]) -> None:
    """Raise ImproperlyConfigured if both roles are one: row-level security does not apply to a table's owner."""
    if "owner" in aliases and aliases["owner"]["USER"] == aliases["default"]["USER"]:
        raise ImproperlyConfigured("DATABASE_URL and DATABASE_OWNER_URL must name two different roles.")


def grant_future_tables(cursor: CursorWrapper, role: str) -> None:
    """Grant `role` the use of tables that migrations will create. A migration may revoke what it must not do.

    Called once before the migrations; a grant on all tables after them would undo such revocations.
    """
    name = sql.Identifier(role)
    cursor.execute(sql.SQL("GRANT USAGE ON SCHEMA public TO {}").format(name))
    for rights in ("SELECT, INSERT, UPDATE, DELETE ON TABLES", "USAGE, SELECT ON SEQUENCES"):
        statement = sql.SQL("ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT {} TO {}")
        cursor.execute(statement.format(sql.SQL(rights), name))
