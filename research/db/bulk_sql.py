"""Prepared statements for frequent queries: the server parses and plans each once per connection.

    with open_prepared_cursor() as cursor:
        cursor.execute(CLAIM, parameters)

Planning such a statement costs the server more than running it. Parameters are sent apart from the SQL, so
each needs a type, from its context or from a cast (`%(limit)s::int`). A list whose values may have different
types is sent as text (`texts`), since other types would make another statement. Columns are selected by name:
after a migration, `*` would no longer match the prepared statement.
"""

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache, partialmethod
from typing import TypeAlias, TypeVar, cast
from uuid import UUID
from weakref import WeakKeyDictionary

import psycopg
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection
from django.db.backends.utils import CursorWrapper
from django.db.models import Field, Model
from psycopg.types.json import Jsonb

PLANS_KEPT_S = 3.0
_planned: "WeakKeyDictionary[psycopg.Connection[tuple[object, ...]], float]" = WeakKeyDictionary()

M = TypeVar("M", bound=Model)
Converter = Callable[[object, None, object], object]
Parameter = str | UUID | list[str] | list[UUID]
Fields: TypeAlias = "tuple[Field[object, object], ...]"


class PreparedCursor(psycopg.Cursor[tuple[object, ...]]):
    """A cursor that prepares its statements, unless `config.databases` turned that off for a pooler."""

    execute = partialmethod(psycopg.Cursor.execute, prepare=True)


@contextmanager
def open_prepared_cursor() -> Iterator[CursorWrapper]:
    """Open a cursor like `connection.cursor()`, but with prepared statements."""
    connection.ensure_connection()
    session = connection.connection
    usual, session.cursor_factory = session.cursor_factory, PreparedCursor
    try:
        opened = connection.cursor()
    finally:
        session.cursor_factory = usual
    with opened as cursor:
        _plan_anew(session)
        yield cursor


def _plan_anew(session: "psycopg.Connection[tuple[object, ...]]") -> None:
    """Discard the server's plans if they are older than `PLANS_KEPT_S`.

    The server keeps a plan until the table is analysed, a minute later or more. By then a plan made for a
    dozen rows would be used for the thousands that a first run has written.
    """
    if session.prepare_threshold is None:
        return
    now = time.monotonic()
    if now - _planned.setdefault(session, now) > PLANS_KEPT_S:
        _planned[session] = now
        session.pgconn.exec_(b"DISCARD PLANS")


def texts(values: Iterable[object]) -> list[str | None]:
    """Return the values as text, for a cast of the whole list such as `%s::bigint[]`."""
    return [None if value is None else str(value) for value in values]


def rows_of(
    model: type[M], rest: str, parameters: Mapping[str, Parameter], without: frozenset[str] = frozenset()
) -> list[M]:
    """Return rows of the model's table, selected by `rest`, the SQL after the table's name.

    The table's alias is `one`. For tables with many columns Django takes longer to build the statement and
    convert the result than the server to answer it. The columns in `without` are deferred: loaded when first
    accessed.
    """
    names, columns, converters = _shape(model, without)
    with open_prepared_cursor() as cursor:
        cursor.execute(f"SELECT {columns} FROM {model._meta.db_table} AS one {rest}", parameters)  # noqa: S608 - ours
        found = cursor.fetchall()
    return [model.from_db(DEFAULT_DB_ALIAS, names, _convert_row(row, converters)) for row in found]


@lru_cache(maxsize=64)
def _shape(
    model: type[Model], without: frozenset[str]
) -> tuple[list[str], str, tuple[tuple[int, tuple[Converter, ...]], ...]]:
    """Return the columns' attribute names, the SQL that selects them, and their converters."""
    fields = [field for field in model._meta.concrete_fields if field.attname not in without]
    converters = ((place, _converters(field)) for place, field in enumerate(fields))
    columns = ", ".join(f"one.{connection.ops.quote_name(str(field.column))}" for field in fields)
    return [field.attname for field in fields], columns, tuple(each for each in converters if each[1])


def _converters(field: "Field[object, object]") -> tuple[Converter, ...]:
    expression = field.get_col(field.model._meta.db_table)
    return (*connection.ops.get_db_converters(expression), *expression.get_db_converters(connection))


def _convert_row(
    row: tuple[object, ...], converters: tuple[tuple[int, tuple[Converter, ...]], ...]
) -> list[object]:
    values = list(row)
    for place, steps in converters:
        for step in steps:
            values[place] = step(values[place], None, connection)
    return values


def insert_rows(rows: Sequence[Model], *, unless_there: bool = False, replacing: tuple[str, ...] = ()) -> int:
    """Insert rows of one model, with one statement that is the same for any number of them.

    Columns that the database fills (defaults, generated columns) are left out and not read back. With
    `unless_there`, rows that violate a unique constraint are skipped. Return the number of rows inserted.
    """
    if not rows:
        return 0
    statement, fields = _insertion(type(rows[0]), unless_there, replacing)
    with open_prepared_cursor() as cursor:
        cursor.execute(statement, _columns(rows, fields, add=True))
        count: int = cursor.rowcount
    for row in rows:
        row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS
    return count


@lru_cache(maxsize=64)
def _insertion(model: type[Model], unless_there: bool, replacing: tuple[str, ...]) -> "tuple[str, Fields]":
    """Return the statement, and the fields whose values it takes as one list of texts each."""
    fields = tuple(
        field for field in model._meta.concrete_fields if not (field.generated or field.has_db_default())
    )
    names = ", ".join(connection.ops.quote_name(str(field.column)) for field in fields)
    lists = ", ".join(f"%s::{_without_limit(field)}[]" for field in fields)
    conflict = "ON CONFLICT DO NOTHING" if unless_there else ""
    if replacing:
        kept = {"id", "created_at", *replacing}
        changes = ", ".join(
            f"{name} = excluded.{name}"
            for field in fields
            if field.column not in kept and (name := connection.ops.quote_name(str(field.column)))
        )
        conflict = f"ON CONFLICT ({', '.join(replacing)}) DO UPDATE SET {changes}"
    into = f"INSERT INTO {model._meta.db_table} ({names})"
    return f"{into} SELECT * FROM unnest({lists}) {conflict}", fields  # noqa: S608 - ours


def update_rows(rows: Sequence[Model], names: Sequence[str] = ()) -> None:
    """Update distinct rows of one model, with one statement for any number of rows.

    `names` are the columns to update; all if empty. Raises DatabaseError if one of the rows no longer exists.
    """
    if not rows:
        return
    statement, fields = _update(type(rows[0]), frozenset(names))
    with open_prepared_cursor() as cursor:
        cursor.execute(statement, _columns(rows, fields, add=False))
        if cursor.rowcount != len(rows):
            raise DatabaseError(f"Of {len(rows)} rows only {cursor.rowcount} are there.")


@lru_cache(maxsize=64)
def _update(model: type[Model], chosen: frozenset[str]) -> "tuple[str, Fields]":
    """Return the statement, and the fields whose values it takes, the primary key first."""
    key = cast("Field[object, object]", model._meta.pk)
    fields = (
        key,
        *(
            field
            for field in model._meta.concrete_fields
            if field is not key and not field.generated and (not chosen or field.name in chosen)
        ),
    )
    names = [connection.ops.quote_name(str(field.column)) for field in fields]
    lists = ", ".join(f"%s::{_without_limit(field)}[]" for field in fields)
    changes = ", ".join(f"{name} = new.{name}" for name in names[1:])
    rows = f"unnest({lists}) AS new({', '.join(names)})"
    return (
        f"UPDATE {model._meta.db_table} AS one SET {changes} FROM {rows} WHERE one.{names[0]} = new.{names[0]}",  # noqa: S608 - ours
        fields,
    )


def _columns(rows: Sequence[Model], fields: "Fields", *, add: bool) -> list[list[str | None]]:
    """Return the rows' values, field by field, in PostgreSQL's text format."""
    return [
        [_text(field.get_db_prep_save(field.pre_save(row, add=add), connection)) for row in rows]
        for field in fields
    ]


def _without_limit(field: "Field[object, object]") -> str:
    """Return the field's database type without its length: a cast to a limited type truncates silently."""
    return str(field.db_type(connection)).partition("(")[0]


def _text(value: object) -> str | None:
    """Return the value in PostgreSQL's text format."""
    match value:
        case None:
            return None
        case Jsonb():
            return str((value.dumps or json.dumps)(value.obj))
        case psycopg.Binary():
            return f"\\x{bytes(value.obj).hex()}"
        case _:
            return str(value)
