"""The report reader: takes the document tree and nothing else."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from exports.build import build_document
from exports.document import cited_of
from exports.rechecked import evidence_version
from research.models import Kind, Run
from research.reviewing.marking import marks_of
from research.web.access import find, may_review, members_only
from research.web.evidence_mix import evidence_mix
from research.web.kind_pages import own_parts
from research.web.questions import decisions_of
from research.web.steering import FollowUpForm


@members_only
@require_safe
def report(request: HttpRequest, run_id: UUID) -> HttpResponse:
    run = find(Run.objects.defer("plan", "outline"), run_id)
    if run.kind == Kind.TABLE:
        return redirect("research:table", run_id)
    document = build_document(run_id, with_context=False)
    shown = {
        "run": run,
        "evidence_version": evidence_version(run),
        "document": document,
        "answer": document.answer,
        "cited": cited_of(document.sources),
        "mix": evidence_mix(document.counts),
        "disputed": sum(claim.contradiction_status != "none" for claim in document.claims),
        "noted": len(document.gaps) + len(document.warnings),
        "moved": [claim for claim in document.claims if claim.changed],
        "follow_up": FollowUpForm(prefix="follow") if run.is_finished and run.kind == Kind.REPORT else None,
        "parts": own_parts(run, document),
        "decisions": decisions_of(run_id),
        "marks": marks_of(run),
        "may_review": may_review(request),
    }
    return render(request, "research/report.html", shown)
