"""A run's sources: cited, read but not used, failed; each with its reason."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from exports.build import cited_numbers
from exports.evidence import source_entry, source_rows
from research.models import Run, SourceStatus
from research.web.access import find, members_only

NOT_READ = frozenset({SourceStatus.FAILED, SourceStatus.PENDING, SourceStatus.FETCHING})


@members_only
@require_safe
def sources(request: HttpRequest, run_id: UUID) -> HttpResponse:
    run = find(Run.objects.defer("plan", "outline"), pk=run_id)
    numbers = cited_numbers(run_id)
    entries = [source_entry(source, numbers.get(source.pk)) for source in source_rows(run_id)]
    groups = {
        "cited": sorted((s for s in entries if s.number), key=lambda source: source.number or 0),
        "unused": [s for s in entries if not s.number and s.status not in NOT_READ],
        "failed": [s for s in entries if not s.number and s.status in NOT_READ],
    }
    return render(request, "research/sources.html", {"run": run, "total": len(entries), **groups})
