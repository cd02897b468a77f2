"""The page of a run: its progress, its summary, and its actions."""

from collections.abc import Callable
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from exports.building.build_document import authorship_of, read_claims_that_say
from exports.building.build_document_authorship import ANSWERING, describe_choice_by_rules
from exports.document.document_claims import ClaimEntry
from research.accounts.workspace_roles import Right
from research.db.tenancy import access_in, current_tenant_id
from research.models import Kind, Run, State, Step
from research.ops.retention.delete_run_after_retention import RunNotDeleted, delete_run
from research.runs import start_and_cancel
from research.runs.rerun import rerun
from research.web.report.evidence_mix_view import mixes_of
from research.web.runs.changes_page import change_of
from research.web.runs.escalation_view import RefusedAnswer, decisions_of, questions_of
from research.web.runs.progress_page_polls import (
    ANYBODYS_TOKEN,
    TAGGED,
    Viewer,
    remember,
    update_for,
    with_token,
)
from research.web.runs.progress_page_snapshot import select_runs_with_counts, tag_of, take_snapshot
from research.web.runs.steering_page import Forms, build_steering
from research.web.site.view_access import (
    find,
    has_right,
    may_review,
    may_write,
    members_only,
    person,
    rights_of,
    wants_fragment,
    writers_only,
)
from research.web.table.table_overview_view import overview_of

QUICK = timedelta(minutes=1)  # until the end of a run: nobody reads its progress closely in less


@members_only
@require_safe
@never_cache
def run(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """Show the run's progress, and the summary of the result once it is there."""
    return page_of(request, find(select_runs_with_counts(), run_id))


def run_with_answer(request: HttpRequest, run_id: UUID, refused: RefusedAnswer) -> HttpResponse:
    """Show the page with a refused answer and the reason."""
    return page_of(request, find(select_runs_with_counts(), run_id), refused=refused)


def page_of(
    request: HttpRequest, found: Run, *, forms: Forms | None = None, refused: RefusedAnswer | None = None
) -> HttpResponse:
    """Render the page of a run from `select_runs_with_counts`; the other arguments hold refused input."""
    shown: dict[str, object] = {
        "snapshot": take_snapshot(found, timezone.now()),
        "decisions": decisions_of(found.pk),
        "steering": build_steering(found, forms or Forms()),
        "is_still": forms is not None or "still" in request.GET,  # text that is being typed stays
        **_build_question_context(request, found),
    }
    if found.is_finished:
        shown["mix"] = mixes_of([found.pk]).get(found.pk)
        shown["change"] = change_of(found)
        shown["rerun_key"] = uuid4().hex
        shown["ended_in"] = _stage_that_failed(found)
        shown["may_delete"] = _may_delete(request, found)
        shown["summary"] = summary = _summary_of(found)
        shown["unjudged"] = _describe_unjudged(found) if summary else ""
        shown["overview"] = overview_of(found) if found.kind == Kind.TABLE else None
    if refused:
        shown["refused"] = refused
    return render(request, "research/runs/run.html", shown, status=422 if refused or forms else 200)


def _summary_of(run: Run) -> list[tuple[str, ClaimEntry | None]]:
    """Return the sentences of the short answer, each with the claim that it is."""
    sentences = [] if run.kind == Kind.TABLE else (run.result or {}).get("summary", [])
    claims = read_claims_that_say(run.pk, sentences)
    return [(sentence, claims.get(sentence)) for sentence in sentences]


def _describe_unjudged(run: Run) -> str:
    """Return the notice that nothing judged whether a finished report answers its question; empty if a model did."""
    if run.kind not in ANSWERING or run.is_insufficient:
        return ""
    return describe_choice_by_rules(authorship_of(run), str(run.outcome.get("engine", "extractive")))


def _stage_that_failed(run: Run) -> str:
    """Return the last state of a failed run; empty for others."""
    if run.state != State.FAILED:
        return ""
    visits = Step.objects.filter(run=run, handler__startswith="state.").order_by("-step_index")
    return (visits.values_list("handler", flat=True).first() or "").removeprefix("state.")


def _build_question_context(request: HttpRequest, found: Run) -> dict[str, object]:
    """Build the context for the run's open questions, and for whether this person may answer them."""
    questions = questions_of(found)
    return {"questions": questions, "may_review": bool(questions) and may_review(request)}


@members_only
@require_safe
@never_cache
def progress(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """Answer a poll of run.html with partials of one snapshot; with 304 while its version is current.

    The page of a run that ends while it is watched opens its result, unless there was time to begin to read.
    """
    run = find(Run.objects.only(*TAGGED, "kind", "completed_at"), run_id)
    now = timezone.now()
    access = access_in(request)
    version = access.version if access else 0
    viewer = Viewer(current_tenant_id(), get_language() or "", rights_of(request), version)
    remember(request, viewer)
    if request.headers.get("HX-PTag") == tag_of(run, now):
        return HttpResponseNotModified()
    if not wants_fragment(request):
        return redirect(run)
    response = HttpResponse(_render_shared_update(request, run, viewer, now))
    response["HX-PTag"] = tag_of(run, now)
    if run.state == State.COMPLETED and run.completed_at and run.completed_at - run.created_at < QUICK:
        page = "research:table" if run.kind == Kind.TABLE else "research:report"
        response["HX-Redirect"] = reverse(page, args=(run.pk,))
    return response


def _render_shared_update(request: HttpRequest, run: Run, viewer: Viewer, now: datetime) -> str:
    """Return the rendered partials, shared by all viewers with the same rights, with this visitor's CSRF token."""

    def render_update() -> str:
        counted = find(select_runs_with_counts(), run.pk)
        shown = {
            "snapshot": take_snapshot(counted, now),
            **_build_question_context(request, counted),
            "may": viewer.may,
        }
        made_for = {"csrf_token": ANYBODYS_TOKEN, "workspace": access_in(request)}
        return render_to_string("research/runs/_progress_update.html", {**shown, **made_for})

    return with_token(update_for(viewer, run.pk, tag_of(run, now), render_update), request)


@writers_only
@require_POST
def ask_again(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """Run the same question again with new searches. A second click finds the run of the first."""
    parent = find(Run.objects.all(), run_id)
    key = request.POST.get("key", "")[:32]
    try:
        return redirect(rerun(parent, person(request), client_key=f"rerun.{run_id}.{key}" if key else None))
    except (start_and_cancel.StartRefused, start_and_cancel.InvalidTopic) as refusal:
        messages.error(request, str(refusal))
        return redirect(parent)


@writers_only
@require_POST
def cancel(request: HttpRequest, run_id: UUID) -> HttpResponse:
    return _act(
        request,
        run_id,
        start_and_cancel.cancel_run,
        _("Cancelled. Everything found so far is kept: the unfinished report can be read and downloaded."),
    )


@writers_only
@require_POST
def pause(request: HttpRequest, run_id: UUID) -> HttpResponse:
    return _act(
        request,
        run_id,
        start_and_cancel.pause_run,
        _("Paused. Steps that have started will finish; no new ones start, and all time limits stop."),
    )


@writers_only
@require_POST
def resume(request: HttpRequest, run_id: UUID) -> HttpResponse:
    return _act(request, run_id, start_and_cancel.resume_run, _("The run continues where it stopped."))


@writers_only
@require_POST
def delete(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """Delete a run and everything that belongs to it: one's own run, or anybody's for an owner of the workspace."""
    run = find(Run.objects.all(), run_id)
    if not _may_delete(request, run):
        messages.error(
            request,
            _("Only the person who asked and owners of the workspace can delete it. Nothing was deleted."),
        )
        return redirect(run)
    try:
        delete_run(run_id)
    except RunNotDeleted as refused:
        messages.error(request, str(refused))
        return redirect(run)
    messages.success(
        request,
        _("The run was deleted, with its report, sources, files and links. Its cost stays in the ledger."),
    )
    return redirect("research:runs")


def _may_delete(request: HttpRequest, run: Run) -> bool:
    return has_right(request, Right.OWN) or (may_write(request) and run.owner_id == person(request).pk)


def _act(request: HttpRequest, run_id: UUID, act: Callable[[UUID], bool], done: str) -> HttpResponse:
    """Carry out an action, show a message, and return to the run or its table.

    A late or repeated action changes nothing.
    """
    run = find(Run.objects.only("state", "kind"), run_id)
    if act(run_id):
        messages.success(request, done)
    else:
        messages.info(request, _("Nothing was changed: the run had ended or was already in that state."))
    is_table = run.kind == Kind.TABLE and request.POST.get("to") == "table"
    return redirect("research:table", run_id) if is_table else redirect(run)
