"""The tables of each kind of archive, read from PostgreSQL's catalog so that none can be forgotten."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.db.backends.base.base import BaseDatabaseWrapper

USERS, TENANTS = "auth_user", "research_tenant"
# Short-lived, or created by `migrate`; the admin's log repeats names and questions of workspaces.
LEFT_OUT = frozenset(
    {
        "django_migrations",
        "django_session",
        "django_admin_log",
        "account_emailconfirmation",
        "usersessions_usersession",
    }
)
PASSING = ("axes_", "django_celery_beat_")  # sign-in attempts; beat's copy of the schedules
# Admin permissions reference rows of the installation that another one does not have.
RIGHTS = frozenset({"auth_user_groups", "auth_user_user_permissions"})

TABLES = """
SELECT c.relname,
    EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped)
        AND c.relrowsecurity
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') ORDER BY c.relname
"""
COLUMNS = """
SELECT c.relname, array_agg(a.attname::text ORDER BY a.attnum)
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
GROUP BY c.relname
"""
REFERENCES = """
SELECT k.conrelid::regclass::text, k.confrelid::regclass::text, a.attname
FROM pg_constraint k JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[array_length(k.conkey, 1)]
WHERE k.contype = 'f' ORDER BY 1, 2, 3
"""


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables by owner. `own`: tenants'. `people`: users', with the column that names the user.

    `site`: the installation's.

    Each is in an order in which rows can be inserted: referenced tables come first, unless there is a cycle.
    """

    own: tuple[str, ...]
    people: Mapping[str, str]
    site: tuple[str, ...]
    columns: Mapping[str, tuple[str, ...]]
    of_users: tuple[tuple[str, str], ...]  # columns of `own` that reference a user


def find_tables(connection: BaseDatabaseWrapper) -> Tables:
    with connection.cursor() as cursor:
        cursor.execute(TABLES)
        owned = {str(name): bool(is_owned) for name, is_owned in cursor.fetchall()}
        cursor.execute(COLUMNS)
        columns = {str(name): tuple(names) for name, names in cursor.fetchall()}
        cursor.execute(REFERENCES)
        references = [(str(child), str(parent), str(column)) for child, parent, column in cursor.fetchall()]
    order = [name for name in _parents_first(owned, references) if _is_kept(name)]
    to_users = [(child, column) for child, parent, column in references if parent == USERS]
    people = {USERS: "id"} | {
        child: column for child, column in to_users if not owned[child] and _is_kept(child)
    }
    return Tables(
        own=tuple(name for name in order if owned[name]),
        people={name: people[name] for name in order if name in people},
        site=tuple(name for name in order if not owned[name] and name != TENANTS and name not in people),
        columns=columns,
        of_users=tuple((child, column) for child, column in to_users if owned[child]),
    )


def _is_kept(name: str) -> bool:
    return name not in LEFT_OUT and not name.startswith(PASSING)


def _parents_first(names: Mapping[str, bool], references: list[tuple[str, str, str]]) -> Iterator[str]:
    """Yield the tables in an order in which referenced ones come first.

    In a cycle of references any one of them comes first: the database checks them at the commit.
    """
    parents: dict[str, list[str]] = {name: [] for name in names}
    for child, parent, _column in references:
        parents[child].append(parent)
    done: set[str] = set()

    def visit(name: str) -> Iterator[str]:
        if name not in done:
            done.add(name)
            for parent in parents[name]:
                yield from visit(parent)
            yield name

    for name in sorted(names):
        yield from visit(name)
