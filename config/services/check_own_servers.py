"""The doctor's checks of an external database and queue: they must answer and be configured as required."""

import os
from collections.abc import Iterator
from dataclasses import dataclass

import redis
from django.db import DatabaseError, connection
from redis.exceptions import RedisError

from config.services.doctor import Finding, FindingStatus

# Minimum versions of the server, as a number, and of pgvector.
OLDEST_SERVER = 160_000
OLDEST_VECTOR = (0, 8)
PATIENCE_S = 5

_LOOK = """
SELECT current_setting('server_version_num')::int, current_setting('server_version'),
       (SELECT extversion FROM pg_extension WHERE extname = 'vector'),
       rolname, rolsuper OR rolbypassrls,
       EXISTS (SELECT FROM pg_tables WHERE schemaname = 'public' AND tableowner = rolname)
FROM pg_roles WHERE rolname = current_user
"""


@dataclass(frozen=True, slots=True)
class DatabaseFacts:
    """Facts about the database and the role that is connected to it."""

    number: int  # as 160004
    version: str
    vector: str | None  # as "0.8.1"; None: the extension is not in this database
    role: str
    is_free: bool  # row-level security does not apply to the role
    owns_tables: bool


def database() -> Finding:
    """Check the database as the application's role, which is `default`."""
    os.environ.setdefault("PGCONNECT_TIMEOUT", str(PATIENCE_S))
    try:
        with connection.cursor() as cursor:
            cursor.execute(_LOOK)
            return judge_database(DatabaseFacts(*cursor.fetchone()))
    except DatabaseError as error:
        first = str(error).strip().partition("\n")[0]
        return Finding(
            "PostgreSQL", FindingStatus.BAD, first, "See that it runs, and that DATABASE_URL is right."
        )


def judge_database(seen: DatabaseFacts) -> Finding:
    for detail, remedy in _faults(seen):
        return Finding("PostgreSQL", FindingStatus.BAD, detail, remedy)
    return Finding(
        "PostgreSQL", FindingStatus.GOOD, f"{seen.version} with pgvector {seen.vector}, as {seen.role}"
    )


def _faults(seen: DatabaseFacts) -> Iterator[tuple[str, str]]:
    if seen.number < OLDEST_SERVER:
        yield f"the server is {seen.version}", "Plumbline needs PostgreSQL 16 or newer."
    if seen.vector is None:
        yield "the extension vector is not in this database", "A superuser runs: CREATE EXTENSION vector"
    elif tuple(map(int, seen.vector.split(".")[:2])) < OLDEST_VECTOR:
        yield f"pgvector is {seen.vector}", "Install 0.8 or newer, then: ALTER EXTENSION vector UPDATE"
    if seen.is_free:
        yield (
            f"{seen.role} may bypass row-level security: it would see every workspace's rows",
            f"ALTER ROLE {seen.role} NOSUPERUSER NOBYPASSRLS",
        )
    if seen.owns_tables:
        yield f"{seen.role} owns tables", "Name another role in DATABASE_URL; the owner is for migrate alone."


def queue(url: str) -> Finding:
    """Check the queue at `url`: redis://, rediss:// or unix://."""
    try:
        client = redis.Redis.from_url(
            url, socket_timeout=PATIENCE_S, socket_connect_timeout=PATIENCE_S, decode_responses=True
        )
        with client:
            client.ping()
            queue_settings = _settings_of(client)
    except (RedisError, ValueError) as error:
        return Finding(
            "Valkey", FindingStatus.BAD, str(error), "See that it runs, and that REDIS_URL is right."
        )
    return judge_queue_settings(queue_settings)


def _settings_of(client: redis.Redis) -> dict[str, str]:
    """Return the server's settings; empty if it does not reveal them, as managed ones do."""
    try:
        found = client.config_get("maxmemory-policy", "appendonly")
    except RedisError:
        return {}
    return {str(name): str(value) for name, value in found.items()}


def judge_queue_settings(queue_settings: dict[str, str]) -> Finding:
    """Check that the settings of a queue let it keep everything it is given."""
    if not queue_settings:
        return Finding("Valkey", FindingStatus.GOOD, "answers; its settings are not told")
    required = {"maxmemory-policy": "noeviction", "appendonly": "yes"}
    wrong = [
        f"{name} {queue_settings.get(name)}"
        for name, value in required.items()
        if queue_settings.get(name) != value
    ]
    if not wrong:
        return Finding("Valkey", FindingStatus.GOOD, "answers, and keeps what it is given")
    remedy = "Set " + " and ".join(f"{name} {value}" for name, value in required.items()) + " there."
    return Finding("Valkey", FindingStatus.OPTIONAL, f"answers, but has {' and '.join(wrong)}", remedy)
