"""The log of a run: each step with its agent, tools and duration, as a page and as a file."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from uuid import UUID

from django import forms
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from research.accounts.workspace_roles import Right
from research.agents.tools.agent_notebook import read_workspace
from research.db.tenancy import current_tenant_id
from research.llm.call_store.read_model_calls import LoggedCall, load_logged_calls
from research.models import Run, State, Step
from research.web.runs.trace.log_page_download import stream_log_json
from research.web.runs.trace.log_page_entries import EntryText, tell
from research.web.runs.trace.log_page_timeline import (
    WHATS,
    TimelineEntry,
    TimelineEntryKind,
    TimelineFilter,
    timeline,
)
from research.web.site.value_labels import ROLES, STATES, STEP_STATUSES, Words
from research.web.site.view_access import find, has_right, members_only


def _choices(words: Words) -> list[tuple[str, object]]:
    return [("", _("All")), *words.items()]


WORKING = {
    state: STATES[state] for state in State.values if state not in ("completed", "failed", "cancelled")
}


class LogFilterForm(forms.Form):
    """The filter of a run's log. Invalid values in the URL are ignored."""

    what = forms.ChoiceField(label=_("Kind"), required=False, choices=_choices(WHATS))
    role = forms.ChoiceField(label=_("Role"), required=False, choices=_choices(ROLES))
    stage = forms.ChoiceField(label=_("Stage"), required=False, choices=_choices(WORKING))
    status = forms.ChoiceField(label=_("State"), required=False, choices=_choices(STEP_STATUSES))

    @property
    def timeline_filter(self) -> TimelineFilter:
        self.is_valid()
        given = self.cleaned_data
        return TimelineFilter(
            what=given.get("what", ""),
            role=given.get("role", ""),
            state=given.get("stage", ""),
            status=given.get("status", ""),
        )


@members_only
@require_safe
def log(request: HttpRequest, run_id: UUID) -> HttpResponse:
    run = find(Run.objects.all(), run_id)
    form = LogFilterForm(request.GET)
    entries = timeline(run, form.timeline_filter, request.GET.get("page"))
    calls = _calls(run.pk, entries.entries) if has_right(request, Right.OWN) else {}
    shown = {
        "run": run,
        "form": form,
        "page": entries.page,
        "entries": [
            (entry, _describe_entry(entry), calls.get(entry.row.pk, ())) for entry in entries.entries
        ],
        "is_filtered": form.has_changed(),
        "workspace": read_workspace(run.pk),
    }
    return render(request, "research/runs/log.html", shown)


def _describe_entry(entry: TimelineEntry) -> EntryText | None:
    return None if entry.what is TimelineEntryKind.STEP else tell(entry)


def _calls(run_id: UUID, entries: Sequence[TimelineEntry]) -> Mapping[UUID, Sequence[LoggedCall]]:
    """Return the model calls of each step on the page."""
    steps = {entry.row.key: entry.row.pk for entry in entries if isinstance(entry.row, Step)}
    found = defaultdict[UUID, list[LoggedCall]](list)
    for call in load_logged_calls(run_id, list(steps)):
        found[steps[call.row.step_key]].append(call)
    return found


@members_only
@require_safe
def log_as_json(request: HttpRequest, run_id: UUID) -> HttpResponseBase:
    run = find(Run.objects.only("pk"), run_id)
    pieces = stream_log_json(current_tenant_id(), run.pk)
    response = StreamingHttpResponse(pieces, content_type="application/json; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="log-{run.pk}.json"'
    return response
