"""Reads the results of the latest recheck of a source's quotes."""

from collections.abc import Iterable
from uuid import UUID

from citations.models import Citation, RecheckState
from exports.document.document_tree import RecheckEntry
from research.db.bulk_sql import open_prepared_cursor
from research.models import Run

_LATEST = """
SELECT DISTINCT ON (one.citation_id) one.citation_id, one.outcome, coalesce(look.finished_at, one.created_at), one.now
FROM citations_recheckedcitation one JOIN citations_recheck look ON look.id = one.recheck_id
WHERE one.citation_id = ANY(%(citations)s::uuid[])
ORDER BY one.citation_id, look.finished_at DESC
"""
_LOOKS = """
SELECT count(*) FROM citations_recheck look JOIN research_source source ON source.id = look.source_id
WHERE source.run_id = %(run)s AND look.state = %(done)s
"""


def rechecks_of(citations: Iterable[Citation]) -> dict[UUID, RecheckEntry]:
    """Return the latest outcome for each citation that has one."""
    with open_prepared_cursor() as cursor:
        cursor.execute(_LATEST, {"citations": [citation.pk for citation in citations]})
        return {
            citation: RecheckEntry(outcome, when.date(), now)
            for citation, outcome, when, now in cursor.fetchall()
        }


def evidence_version(run: Run) -> str:
    """Return a value that changes with the evidence of a run's claims.

    It consists of the report's version and the number of rechecks.
    """
    with open_prepared_cursor() as cursor:
        cursor.execute(_LOOKS, {"run": run.pk, "done": RecheckState.DONE.value})
        looks = cursor.fetchone()[0]
    return f"{run.report_version}.{looks}" if looks else str(run.report_version)
