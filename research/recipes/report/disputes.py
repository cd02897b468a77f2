"""Which claims of a report stand against each other, and how that is settled."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from citations.confidence import Conflict
from citations.models import Citation, Claim, Contradiction


@dataclass(frozen=True, slots=True)
class Disputes:
    found: tuple[Contradiction, ...] = ()

    def conflict_of(self, claim: UUID) -> Conflict:
        return Conflict.NONE

    def rows(self, run_id: UUID) -> list[Contradiction]:
        return list(self.found)


def find_disputes(claims: Sequence[Claim], citations: Mapping[UUID, Sequence[Citation]]) -> Disputes:
    return Disputes()
