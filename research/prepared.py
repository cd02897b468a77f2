"""Statements that every step or call needs: the server reads and plans each once a connection, not each time.

    with prepared() as cursor:
        cursor.execute(CLAIM, parameters)

Planning one of them costs the server more than doing it. Their values go apart from their words: each must have a type,
by its place or by a cast (`%(limit)s::int`). A list whose values may have different types goes as text (`texts`), since
the same words with other types are another statement to the server. What it returns is named column by column: after a
migration `*` would be something else than what was prepared.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partialmethod

import psycopg
from django.db import connection
from django.db.backends.utils import CursorWrapper


class PreparedCursor(psycopg.Cursor[tuple[object, ...]]):
    """Prepares what it executes where the connection allows it: not behind a pooler that lends connections by
    transaction (`config.databases`).
    """

    execute = partialmethod(psycopg.Cursor.execute, prepare=True)


@contextmanager
def prepared() -> Iterator[CursorWrapper]:
    """A cursor like `connection.cursor()`, whose statements are prepared."""
    connection.ensure_connection()
    wrapped = connection._prepare_cursor  # type: ignore[attr-defined]  # there is no public way
    with wrapped(PreparedCursor(connection.connection)) as cursor:
        yield cursor


def texts(values: Iterable[object]) -> list[str | None]:
    """For a cast of the whole list, such as `%s::bigint[]`."""
    return [None if value is None else str(value) for value in values]
