"""Multiply runs for benchmarks: copy finished ones with their sources, sections, claims and citations in SQL.

A copy's ids are derived from the original's and the copy's number, so references between copied rows stay
intact.
Passages, texts and files are shared with the original. Use only in a data folder made for measuring.
"""

from collections.abc import Sequence
from uuid import UUID

from django.db import connection
from django.db.models import Field, GeneratedField, Model

from citations.models import Citation, Claim, Section
from research.models import Run, Source
from research.models.base_models import TenantKey

# Parents before children, each with the SQL expression for the run that a row belongs to.
COPIED: Sequence[tuple[type[Model], str]] = (
    (Run, "id"),
    (Source, "run_id"),
    (Section, "run_id"),
    (Claim, "run_id"),
    (Citation, "(SELECT run_id FROM citations_claim WHERE citations_claim.id = claim_id)"),
)
_OWN = {model for model, _ in COPIED}


def copy_runs(runs: Sequence[UUID], first: int, times: int) -> int:
    """Make `times` copies of each run, numbered from `first`; return the number of rows. Needs the tenant
    set.
    """
    rows = 0
    with connection.cursor() as cursor:
        for model, belongs in COPIED:
            cursor.execute(_statement(model, belongs), [first, first + times - 1, list(runs)])
            rows += cursor.rowcount
    return rows


def _statement(model: type[Model], belongs: str) -> str:
    fields = [field for field in model._meta.local_fields if not isinstance(field, GeneratedField)]
    names = ", ".join(f'"{field.column}"' for field in fields)
    values = ", ".join(_value(field) for field in fields)
    table = model._meta.db_table
    return (
        f"INSERT INTO {table} ({names}) SELECT {values} FROM {table} AS copied, "  # noqa: S608 - names of our own
        f"generate_series(%s::int, %s::int) AS copy WHERE {belongs} = ANY(%s)"
    )


def _value(field: "Field[object, object]") -> str:
    column = f'copied."{field.column}"'
    parent = field.remote_field.model if isinstance(field, TenantKey) else None
    if field.primary_key or parent in _OWN:
        return f"md5({column}::text || ' ' || copy)::uuid"
    if field.name == "client_key":
        return "'copy ' || copy || ' of ' || copied.id"
    if field.name == "created_at" and field.model is Run:
        return f"{column} - copy * interval '7 minutes'"
    return column
