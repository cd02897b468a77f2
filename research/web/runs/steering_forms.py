"""Handles instructions to an active run, and starts runs from one that has ended."""

from collections.abc import Callable
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from research.models import Run
from research.pipelines.report.report_follow_up import extend as start_extension
from research.pipelines.report.report_follow_up import start_follow_up
from research.pipelines.report.send_report_instruction import InstructionRefused, tell
from research.runs.start_and_cancel import InvalidTopic, StartRefused
from research.web.runs.progress_page_snapshot import load_instructions, select_runs_with_counts
from research.web.runs.run_page import page_of
from research.web.runs.steering_page import (
    ExtensionForm,
    FollowUpForm,
    Forms,
    InstructionForm,
    build_steering,
)
from research.web.site.view_access import find, person, wants_fragment, writers_only


@writers_only
@require_POST
def instruct(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """Return the part of the page for htmx; else redirect, or show the run's page with the reason for a refusal."""
    run = find(select_runs_with_counts(), run_id)
    form = InstructionForm(request.POST, prefix="instruct")
    if form.is_valid() and _was_told(request, run_id, form):
        if wants_fragment(request):
            return _part(request, find(select_runs_with_counts(), run_id), Forms())
        messages.success(
            request, _("Saved. The run reads it at its next step; the outcome will be shown here.")
        )
        return redirect(run)
    sent = Forms(instruction=form)
    if wants_fragment(request):
        return _part(request, run, sent, status=422)
    return page_of(request, run, forms=sent)


def _was_told(request: HttpRequest, run_id: UUID, form: InstructionForm) -> bool:
    """Store the instruction and return True; if it is refused, add the reason to the form and return False."""
    try:
        tell(run_id, person(request), form.cleaned_data["text"], form.cleaned_data["client_key"])
    except InstructionRefused as refused:
        form.add_error("text", str(refused))
        return False
    return True


def _part(request: HttpRequest, run: Run, sent: Forms, status: int = 200) -> HttpResponse:
    shown = {"run": run, "steering": build_steering(run, sent), "told": load_instructions(run)}
    return render(request, "research/runs/_steering_part.html", shown, status=status)


@writers_only
@require_POST
def follow_up(request: HttpRequest, run_id: UUID) -> HttpResponse:
    parent, form = find(select_runs_with_counts(), run_id), FollowUpForm(request.POST, prefix="follow")

    def start() -> Run:
        given = form.cleaned_data
        return start_follow_up(parent, person(request), given["question"], given["client_key"] or None)

    child = _start_run(form, "question", start)
    return redirect(child) if child else page_of(request, parent, forms=Forms(follow_up=form))


@writers_only
@require_POST
def extend(request: HttpRequest, run_id: UUID) -> HttpResponse:
    parent, form = find(select_runs_with_counts(), run_id), ExtensionForm(request.POST, prefix="extend")

    def start() -> Run:
        given = form.cleaned_data
        return start_extension(parent, person(request), given["more"], given["client_key"] or None)

    child = _start_run(form, "more", start)
    return redirect(child) if child else page_of(request, parent, forms=Forms(extension=form))


def _start_run(form: forms.Form, field: str, start: Callable[[], Run]) -> Run | None:
    """Start the run; if it is refused, add the reason to the form and return None."""
    if not form.is_valid():
        return None
    try:
        return start()
    except (InvalidTopic, StartRefused) as refused:
        form.add_error(field, str(refused))
        return None
