"""Asking: one field first, details behind it."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_http_methods

from research import runs
from research.models import Kind, Run, Schedule
from research.web.access import find, person, wants_fragment, writers_only
from research.web.offers import offer_for
from research.web.question_form import NewRunForm, asked_before
from research.web.schedule_form import DAILY, LONGEST_NAME


@writers_only
@require_http_methods(["GET", "HEAD", "POST"])
def new_run(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return _estimate(request) if wants_fragment(request) else _empty_form(request)
    form = NewRunForm(request.POST)
    if "schedule" in request.POST and form.is_valid():
        return redirect("research:edit_schedule", _put_on_schedule(request, form).pk)
    started = _started(request, form) if form.is_valid() else None
    return redirect(started) if started else _page(request, form, status=422)


def _empty_form(request: HttpRequest) -> HttpResponse:
    """Empty, or as an earlier run was asked for."""
    again = _run_id(request.GET.get("again", ""))
    initial = asked_before(find(Run.objects.only("topic", "config"), again)) if again else {}
    return _page(request, NewRunForm(initial=initial))


def _run_id(given: str) -> UUID | None:
    try:
        return UUID(given)
    except ValueError:
        return None


def _estimate(request: HttpRequest) -> HttpResponse:
    """What the number of sources that was just typed would take."""
    typed, depth = request.GET.get("target_sources", ""), request.GET.get("depth", "")
    shown = {"offer": offer_for(typed, depth)}
    return _told_apart(render(request, "research/_estimate.html", shown))


def _page(request: HttpRequest, form: NewRunForm, status: int = 200) -> HttpResponse:
    typed, depth = str(form["target_sources"].value() or ""), str(form["depth"].value() or "")
    shown = {"form": form, "offer": offer_for(typed, depth)}
    return _told_apart(render(request, "research/new_run.html", shown, status=status))


def _told_apart(response: HttpResponse) -> HttpResponse:
    """Page and part have one address: caches must keep them apart."""
    patch_vary_headers(response, ["HX-Request"])
    return response


def _put_on_schedule(request: HttpRequest, form: NewRunForm) -> Schedule:
    """Of a valid form: paused until its times are set, on the page where they are."""
    asked = form.asked()
    return Schedule.objects.create(
        owner=person(request),
        kind=Kind.REPORT,
        name=asked.topic[:LONGEST_NAME],
        topic=asked.topic,
        config=dict(asked.config),
        cron=DAILY,
        enabled=False,
    )


def _started(request: HttpRequest, form: NewRunForm) -> Run | None:
    """The run of a valid form; None where it was refused, and then the form says why."""
    asked = form.asked()
    try:
        return runs.start_run(
            owner=person(request),
            kind=Kind.REPORT,
            topic=asked.topic,
            config=asked.config,
            client_key=asked.client_key,
        )
    except runs.InvalidTopic as refusal:
        form.add_error("question", str(refusal))
    except runs.StartRefused as refusal:
        form.add_error(None, str(refusal))
    return None
