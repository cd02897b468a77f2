"""Find the rows of operations; those of other workspaces count as missing."""

from typing import TypeVar
from uuid import UUID

from django.db.models import Model, QuerySet

from research.integrations.api.api_problems import Problem
from research.models import Run

Row = TypeVar("Row", bound=Model)


def find(rows: QuerySet[Row], pk: UUID) -> Row:
    """Return a row. Raises Problem if it does not exist."""
    found = rows.filter(pk=pk).first()
    if found is None:
        raise Problem("not_found")
    return found


def find_run(run_id: UUID) -> Run:
    """Return a run without its large columns. Raises Problem."""
    return find(Run.objects.defer("plan", "outline"), run_id)
