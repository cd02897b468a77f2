"""The page of a report's limits: warnings, gaps, omissions, and passed checks."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from exports.building.build_document import build_document
from exports.document.document_tree import Document
from exports.labels.document_finding_labels import LOOKED_FOR, LOOKED_FOR_OF_KINDS, SEVERITY_COUNTS
from research.models import Run
from research.web.site.view_access import find, members_only


@dataclass(frozen=True, slots=True)
class PassedCheck:
    """A check that every run of a kind makes, and that found nothing in this one."""

    code: str
    looked_for: str


@members_only
@require_safe
def warnings(request: HttpRequest, run_id: UUID) -> HttpResponse:
    run = find(Run.objects.defer("plan", "outline"), run_id)
    document = build_document(run_id, with_context=False)
    shown = {
        "run": run,
        "document": document,
        "total": len(document.gaps) + len(document.warnings),
        "severities": _severities(document),
        "passed": _select_passed_checks(document, run.kind),
    }
    return render(request, "research/report/warnings.html", shown)


def _severities(document: Document) -> Sequence[tuple[str, int]]:
    """Return the number of gaps and warnings of each severity that occurs, the worst first."""
    found = Counter(gap.severity for gap in (*document.gaps, *document.warnings))
    return [(severity, found[severity]) for severity in SEVERITY_COUNTS if found[severity]]


def _select_passed_checks(document: Document, kind: str) -> Sequence[PassedCheck]:
    """Return the passed checks; none if there was nothing to check, or the checks have not been made yet."""
    if document.verification is None or not document.claims:
        return ()
    raised = {gap.code for gap in (*document.gaps, *document.warnings)}
    looked_for = LOOKED_FOR_OF_KINDS.get(kind, LOOKED_FOR)
    return [PassedCheck(code, str(words)) for code, words in looked_for.items() if code not in raised]
