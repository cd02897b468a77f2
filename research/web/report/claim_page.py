"""The evidence of a claim: the body of its popover, or a page of its own without htmx."""

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.views.decorators.http import require_safe

from citations.models import Claim, VerificationReport
from exports.building.build_document import read_claim
from exports.building.document_latest_recheck import evidence_version
from research.models import Run
from research.review.calibration_review import MARKED, mark_of
from research.web.site.view_access import find, members_only, wants_fragment

OF_RUN = ("kind", "state", "report_version")  # the columns, of some forty, that a popover needs
CACHED_SECONDS = 3600  # the address contains the report's version


@members_only
@require_safe
def claim(request: HttpRequest, run_id: UUID, number: int) -> HttpResponse:
    is_fragment = wants_fragment(request)
    runs = Run.objects.only(*OF_RUN) if is_fragment else Run.objects.defer("plan", "outline")
    run = find(runs, run_id)
    try:
        entry = read_claim(run_id, number)
    except Claim.DoesNotExist as error:
        raise Http404 from error
    shown: dict[str, object] = {"run": run, "claim": entry}
    if not is_fragment:
        shown["last_number"] = Claim.objects.filter(run=run, section__isnull=False).count()
        shown["level"] = _level(run)
        shown["mark"] = mark_of(run_id, number) if run.kind in MARKED else None
    response = render(
        request, "research/report/_claim.html" if is_fragment else "research/report/claim.html", shown
    )
    # While the run is active, its claims are still being checked and the version does not change.
    if is_fragment and run.is_finished and request.GET.get("v") == evidence_version(run):
        patch_cache_control(response, private=True, max_age=CACHED_SECONDS)
    patch_vary_headers(response, ["HX-Request"])
    return response


def _level(run: Run) -> str | None:
    """Return the level at which the report was verified, or None if it has not been verified yet."""
    checks = VerificationReport.objects.filter(run=run, report_version=run.report_version)
    return checks.values_list("level", flat=True).first()
