"""The one way in which operations find their rows: another workspace's do not exist here."""

from typing import TypeVar
from uuid import UUID

from django.db.models import Model, QuerySet

from research.integrations.api.problems import Problem
from research.models import Run

Row = TypeVar("Row", bound=Model)


def find(rows: QuerySet[Row], pk: UUID) -> Row:
    """Raises Problem."""
    found = rows.filter(pk=pk).first()
    if found is None:
        raise Problem("not_found")
    return found


def find_run(run_id: UUID) -> Run:
    """Without what is large. Raises Problem."""
    return find(Run.objects.defer("plan", "outline"), run_id)
