"""The contradictions of a report, as entries of the document tree."""

from collections.abc import Iterable, Mapping
from uuid import UUID

from django.db.models import prefetch_related_objects

from citations.models import Contradiction
from exports.document.document_tree import CircumstanceEntry, ClaimEntry, ContradictionEntry, Factor
from research.db.bulk_sql import rows_of
from research.models.schemas import StoredCircumstance, StoredGates


def contradiction_rows(run_id: UUID) -> list[Contradiction]:
    of_run = "WHERE one.run_id = %(run)s ORDER BY one.created_at, one.id"
    rows = rows_of(Contradiction, of_run, {"run": run_id})
    prefetch_related_objects([row for row in rows if row.resolved_by_id], "resolved_by")
    return rows


def contradiction_entries(
    rows: Iterable[Contradiction], claims: Mapping[UUID, ClaimEntry]
) -> tuple[ContradictionEntry, ...]:
    """Return the entries, open ones first, otherwise in the order of the rows."""
    return tuple(sorted((_entry(row, claims) for row in rows), key=lambda entry: not entry.is_open))


def _entry(row: Contradiction, claims: Mapping[UUID, ClaimEntry]) -> ContradictionEntry:
    gates = StoredGates.model_validate(row.gates)
    sides = {row.claim_a_id: "a", row.claim_b_id: "b"}
    return ContradictionEntry(
        id=row.pk,
        kind=row.kind,
        a=claims[row.claim_a_id],
        b=claims[row.claim_b_id],
        resolution=row.resolution,
        note=row.note,
        mine=gates.mine,
        theirs=gates.theirs,
        circumstances=tuple(map(_circumstance, gates.circumstances)),
        scores_a=_scores(row.scores_a),
        scores_b=_scores(row.scores_b),
        margin=row.margin,
        winner=sides.get(row.winner_id, "") if row.winner_id else "",
        decided_by=row.resolved_by.get_username() if row.resolved_by else "",
    )


def _circumstance(stored: StoredCircumstance) -> CircumstanceEntry:
    return CircumstanceEntry(stored.circumstance, tuple(stored.mine), tuple(stored.theirs), stored.standing)


def _scores(stored: Mapping[str, float]) -> tuple[Factor, ...]:
    return tuple(Factor(name, float(value)) for name, value in stored.items())
