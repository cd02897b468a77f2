"""What the latest look at a source said of its quotes."""

from collections.abc import Iterable
from uuid import UUID

from citations.models import Citation, Recheck, RecheckedCitation, RecheckState
from exports.document import RecheckEntry
from research.models import Run


def rechecks_of(citations: Iterable[Citation]) -> dict[UUID, RecheckEntry]:
    """By citation; none where nobody has looked, or a look said nothing."""
    rows = RecheckedCitation.objects.filter(citation__in=[one.pk for one in citations])
    latest = (
        rows.select_related("recheck")
        .only("citation_id", "outcome", "now", "created_at", "recheck__finished_at")
        .order_by("citation_id", "-recheck__finished_at")
        .distinct("citation_id")
    )
    return {row.citation_id: _entry(row) for row in latest}


def _entry(row: RecheckedCitation) -> RecheckEntry:
    when = row.recheck.finished_at or row.created_at
    return RecheckEntry(row.outcome, when.date(), row.now)


def evidence_version(run: Run) -> str:
    """Names what the evidence of a run's claims says by now: the report's version, and how many looks there were."""
    looks = Recheck.objects.filter(source__run=run, state=RecheckState.DONE).count()
    return f"{run.report_version}.{looks}" if looks else str(run.report_version)
