"""The changes from one run to another, as a page and as JSON.

The comparison of claims needs numpy and is imported at first use.
"""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from research.models import Run
from research.web.site.view_access import members_only


@members_only
@require_safe
def changes(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """Show the changes; without an earlier run to compare with, offer those of the same question."""
    from research.web.runs.compared_runs_page import page

    return page(request, run_id)


@members_only
@require_safe
def changes_as_json(request: HttpRequest, run_id: UUID) -> HttpResponse:
    from research.web.runs.compared_runs_page import download

    return download(request, run_id)


def change_of(run: Run) -> str:
    """Return a sentence on what changed since the run that this one repeats; empty if there is nothing to report."""
    before = run.parent if run.is_compared and run.is_finished else None
    if before is None:
        return ""
    from research.runs.comparison.run_changes import counts_between
    from research.runs.comparison.summarize_run_changes import changes_since

    return changes_since(counts_between(before, run), before.created_at)
