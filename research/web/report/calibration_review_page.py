"""Requests a review of a finished run's claims: the buttons on its report, which lead to the review queue."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from research.models import EscalationStatus, Run
from research.review.calibration_review import CannotMark, ask_for_marks
from research.review.request_review import CannotReview, ask_for_review
from research.web.site.view_access import find, person, reviewers_only


@reviewers_only
@require_POST
def mark_claims(request: HttpRequest, run_id: UUID) -> HttpResponse:
    run = find(Run.objects.only("pk"), run_id)
    try:
        asked = ask_for_marks(run.pk, person(request))
    except CannotMark as refusal:
        messages.error(request, str(refusal))
        return redirect("research:report", run_id)
    if asked.status != EscalationStatus.OPEN:
        messages.info(request, _("All claims of this run have already been marked."))
        return redirect(f"{reverse('research:report', args=[run_id])}#marks")
    return redirect(f"{reverse('research:review')}?run={run_id}")


@reviewers_only
@require_POST
def review_doubts(request: HttpRequest, run_id: UUID) -> HttpResponse:
    run = find(Run.objects.only("pk"), run_id)
    try:
        ask_for_review(run.pk, person(request))
    except CannotReview as refusal:
        messages.error(request, str(refusal))
        return redirect("research:report", run_id)
    return redirect(f"{reverse('research:review')}?run={run_id}")
