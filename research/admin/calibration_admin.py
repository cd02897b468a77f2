"""An admin page that compares confidence with reviewers' decisions; read-only."""

from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from citations.credibility.confidence_calibration import calibration
from research.models import Kind
from research.review.calibration_chart import plot
from research.review.reviewer_verdicts import verdicts


def calibration_page(request: HttpRequest, site: AdminSite) -> HttpResponse:
    """Show the calibration of all runs, or of one kind with `?kind=`; an unknown kind is ignored.

    Runs one query of its own.
    """
    asked = request.GET.get("kind", "")
    kind = asked if asked in Kind.values else ""
    curve = calibration(verdicts(kind))
    shown = {
        **site.each_context(request),
        "title": _("Calibration"),
        "kind": kind,
        "kinds": Kind.values,
        "found": curve,
        "plot": plot(curve),
    }
    return render(request, "admin/citations/claim/calibration.html", shown)
