"""What a report lacks: gaps and warnings, counted from its rows."""

from collections.abc import Mapping, Sequence
from datetime import date
from uuid import UUID

from citations.models import Citation, Claim, Warning
from research.models import Run


def find_shortcomings(
    run: Run, claims: Sequence[Claim], citations: Mapping[UUID, Sequence[Citation]], today: date
) -> list[Warning]:
    return []
