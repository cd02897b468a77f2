"""The report page, rendered from the document tree."""

from dataclasses import dataclass
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from exports.building.build_document import build_document
from exports.building.document_latest_recheck import evidence_version
from exports.document.document_tree import select_cited_sources
from research.models import Kind, Run
from research.review.calibration_review import marks_of
from research.review.request_review import doubts_of
from research.web.ask.run_kind_pages import own_parts
from research.web.knowledge.known_claims_view import read_known_before
from research.web.report.evidence_mix_view import evidence_mix
from research.web.runs.escalation_view import decisions_of
from research.web.runs.steering_page import FollowUpForm
from research.web.site.page_fragment_cache import part_of
from research.web.site.view_access import find, may_review, members_only


@dataclass(frozen=True, slots=True)
class _RenderedReport:
    """The rendered report on its page."""

    opening: str
    text: str
    has_own_styles: bool = False

    def __len__(self) -> int:
        return len(self.opening) + len(self.text)


@members_only
@require_safe
def report(request: HttpRequest, run_id: UUID) -> HttpResponse:
    run = find(Run.objects.defer("outline"), run_id)
    if run.kind == Kind.TABLE:
        return redirect("research:table", run_id)
    # The panels of other kinds have forms that depend on the visitor.
    is_same_for_all = run.kind == Kind.REPORT
    body = part_of(request, run, "report", lambda: _body(run)) if is_same_for_all else _body(run, request)
    follow_up = FollowUpForm(prefix="follow") if is_same_for_all and run.is_finished else None
    shown = {
        "run": run,
        "body": body,
        "follow_up": follow_up,
        "follow_ups": run.outcome.get("follow_ups", ()),
        "doubts": doubts_of(run),
        "may_review": may_review(request),
        "known": read_known_before(run) if is_same_for_all else None,
    }
    return render(request, "research/report/report.html", shown)


def _body(run: Run, request: HttpRequest | None = None) -> _RenderedReport:
    shown = _build_context(run) | ({"may_review": may_review(request)} if request else {})
    opening, text = (
        render_to_string(f"research/report/_report_{part}.html", shown, request)
        for part in ("opening", "text")
    )
    return _RenderedReport(opening, text, shown["parts"] is not None)


def _build_context(run: Run) -> dict[str, object]:
    document = build_document(run.pk, with_context=False, run=run)
    return {
        "run": run,
        "evidence_version": evidence_version(run),
        "document": document,
        "answer": document.answer,
        "cited": select_cited_sources(document.sources),
        "mix": evidence_mix(document.counts),
        "disputed": sum(claim.contradiction_status != "none" for claim in document.claims),
        "noted": len(document.gaps) + len(document.warnings),
        "moved": [claim for claim in document.claims if claim.changed_citations],
        "parts": own_parts(run, document),
        "decisions": decisions_of(run.pk),
        "marks": marks_of(run),
    }
