"""SQL statements that rank passages. Composing one with Django's ORM takes five times as long as executing it."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple
from uuid import UUID

import numpy as np
import numpy.typing as npt
from django.db import connection

from research.library.retrieval.library_selective_words import WeightedWords
from research.models import LibraryChunk

Vector = npt.NDArray[np.float32]
Place = tuple[UUID, UUID, int, int]  # a passage, its document, its start and end there
Value = str | int | float | UUID | list[UUID]

_TABLE = LibraryChunk._meta.db_table
_PLACE = "id, document_id, start_offset, end_offset"
# A phrase, because PostgreSQL splits "800-63B" and "4.0.3": the parts in order count as one term.
_QUERY = "phraseto_tsquery('english'::regconfig, %s)"
_WORTH = f"CASE WHEN search @@ {_QUERY} THEN %s::float8 * (0.5 + ts_rank(search, {_QUERY})) ELSE 0 END"


class SqlClause(NamedTuple):
    """Part of a statement with its parameters."""

    words: str
    values: tuple[Value, ...] = ()


class Order(NamedTuple):
    """A ranking of passages: `where` selects them, `by` sorts them, best first."""

    where: SqlClause
    by: SqlClause


def both(clause: SqlClause, other: SqlClause) -> SqlClause:
    return SqlClause(f"{clause.words} AND {other.words}", (*clause.values, *other.values))


def of_documents(found: Sequence[UUID]) -> SqlClause:
    return SqlClause("document_id = ANY(%s)", (list(found),))


def by_words(weighted: Sequence[WeightedWords]) -> Order:
    """Rank passages that contain at least one of the words, by how many, how rare and how frequent they are."""
    worth = [value for words in weighted for value in (words.words, words.weight, words.words)]
    asked = any_of(words.words for words in weighted)
    by = SqlClause(f"({_sum(len(weighted))}) DESC", tuple(worth))
    return Order(SqlClause(f"search @@ ({asked.words})", asked.values), by)


@lru_cache(maxsize=64)
def _sum(terms: int) -> str:
    return " + ".join([_WORTH] * terms)


def any_of(words: Iterable[str]) -> SqlClause:
    """Return a query for the text index: passages with at least one of the words."""
    values = tuple(words)
    return SqlClause(" || ".join([_QUERY] * len(values)), values)


def through_the_index(words: Iterable[str]) -> SqlClause:
    """Select the tenant's library passages with one of the words through the text index, by a security-definer
    function.
    """
    asked = any_of(words)
    return SqlClause(f"id = ANY(plumbline_passages_with({asked.words}))", asked.values)


def by_meaning(model_id: str, vector: Vector) -> Order:
    """Rank passages with a vector of the same model and size, nearest first.

    The size is compared because one name may have stood for models of two sizes.
    """
    where = SqlClause("embedding_model = %s AND vector_dims(embedding) = %s", (model_id, len(vector)))
    return Order(where, SqlClause("embedding <=> %s::vector", (_text(vector),)))


def _text(vector: Vector) -> str:
    return f"[{','.join(map(str, vector.tolist()))}]"


def counts(where: SqlClause, terms: Sequence[str]) -> tuple[int, list[int]]:
    """Return the number of passages, and how many of them contain each of the terms."""
    filters = "".join([f", count(*) FILTER (WHERE search @@ {_QUERY})"] * len(terms))
    statement = f"SELECT count(*){filters} FROM {_TABLE} WHERE {where.words}"  # noqa: S608 - words of our own
    with connection.cursor() as cursor:
        cursor.execute(statement, (*terms, *where.values))
        total, *held = cursor.fetchone()
    return int(total), [int(count) for count in held]


def best(where: SqlClause, order: Order, most: int) -> list[Place]:
    """Return the best passages, best first; ties are sorted by id."""
    statement = (
        f"SELECT {_PLACE} FROM {_TABLE} WHERE {where.words} AND {order.where.words} "  # noqa: S608 - words of our own
        f"ORDER BY {order.by.words}, id LIMIT %s"
    )
    return _places(statement, (*where.values, *order.where.values, *order.by.values, most))


def best_with_worth(
    where: SqlClause, weighted: Sequence[WeightedWords], most: int
) -> list[tuple[float, Place]]:
    """Return the best passages by words with their scores."""
    order = by_words(weighted)
    statement = (
        f"SELECT {_sum(len(weighted))} AS worth, {_PLACE} FROM {_TABLE} "  # noqa: S608 - words of our own
        f"WHERE {where.words} AND {order.where.words} ORDER BY worth DESC, id LIMIT %s"
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, (*order.by.values, *where.values, *order.where.values, most))
        return [(float(worth), tuple(place)) for worth, *place in cursor.fetchall()]


def best_of_each(where: SqlClause, order: Order, most: int) -> list[Place]:
    """Return the best passages of each document, up to `most` of each."""
    statement = (
        f"SELECT {_PLACE} FROM (SELECT {_PLACE}, "  # noqa: S608 - words of our own
        f"row_number() OVER (PARTITION BY document_id ORDER BY {order.by.words}, id) AS place "
        f"FROM {_TABLE} WHERE {where.words} AND {order.where.words}) AS ranked "
        "WHERE place <= %s ORDER BY document_id, place"
    )
    return _places(statement, (*order.by.values, *where.values, *order.where.values, most))


def first_of_each(where: SqlClause, most: int) -> list[Place]:
    """Return the first passages of each document, up to `most` of each, in reading order."""
    statement = (
        f"SELECT {_PLACE} FROM {_TABLE} WHERE {where.words} AND chunk_index < %s "  # noqa: S608 - words of our own
        "ORDER BY document_id, chunk_index"
    )
    return _places(statement, (*where.values, most))


def _places(statement: str, values: tuple[Value, ...]) -> list[Place]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return [tuple(row) for row in cursor.fetchall()]
