"""Requests rechecks of a source and shows their outcome."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from citations.models import RECHECK_OPEN, Recheck, RecheckedCitation, RecheckOutcome
from research.library.rechecks.request_library_rechecks import RecheckRefused, request_recheck
from research.models import Source
from research.web.site.view_access import find, members_only, person, wants_fragment, writers_only


@dataclass(frozen=True, slots=True)
class RecheckView:
    """The last finished recheck, and whether another is in progress."""

    source: Source
    is_under_way: bool = False
    waits_until: datetime | None = None
    last: Recheck | None = None
    outcomes: Sequence[RecheckedCitation] = ()

    @property
    def counts(self) -> Sequence[tuple[str, int]]:
        """Return the number of citations by outcome, the worst first."""
        counted = Counter(outcome.outcome for outcome in self.outcomes)
        order = (RecheckOutcome.GONE, RecheckOutcome.CHANGED, RecheckOutcome.STILL_THERE)
        return [(outcome.value, counted[outcome]) for outcome in order if counted[outcome]]


def recheck_view(source: Source) -> RecheckView:
    looks = list(Recheck.objects.filter(source=source).order_by("-created_at")[:2])
    under_way = next((look for look in looks if look.state in RECHECK_OPEN), None)
    last = next((look for look in looks if look.finished_at), None)
    outcomes = (
        RecheckedCitation.objects.filter(recheck=last).select_related("citation__claim") if last else ()
    )
    ordered = sorted(outcomes, key=lambda outcome: (outcome.citation.start_offset, outcome.citation.pk))
    waits_until = under_way.not_before if under_way and under_way.reason else None
    return RecheckView(source, under_way is not None, waits_until, last, ordered)


@writers_only
@require_POST
def recheck(request: HttpRequest, source_id: UUID) -> HttpResponse:
    """Request a recheck; the page shows the outcome."""
    source = find(Source.objects.select_related("library_document"), source_id)
    try:
        request_recheck(source, person(request))
    except RecheckRefused as refused:
        messages.info(request, str(refused))
    else:
        messages.success(request, _("The source is being checked again. The result will be shown here."))
    return redirect(f"{reverse('research:source', args=[source_id])}#recheck")


@members_only
@require_safe
@never_cache
def recheck_status(request: HttpRequest, source_id: UUID) -> HttpResponse:
    """Render the fragment that the source page polls during a recheck."""
    source = find(Source.objects.only("pk"), source_id)
    if not wants_fragment(request):
        return redirect("research:source", source_id)
    return render(
        request, "research/report/_recheck.html", {"recheck": recheck_view(source), "is_cited": True}
    )
