"""The page that asks a question: one field, with folded details."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_vary_headers
from django.utils.timezone import localdate
from django.views.decorators.http import require_http_methods

from research.library.knowledge.known_claims import find_known_claims
from research.library.library_folders import library_folders
from research.models import Kind, Run, Schedule
from research.runs import start_and_cancel
from research.web.ask.ask_form_hints import add_hint_words, sharper
from research.web.ask.ask_question_form import NewRunForm, build_initial_values
from research.web.ask.estimate_view import offer_for
from research.web.ask.library_scope_field import first_choice
from research.web.ask.schedule_form import DAILY, MAX_NAME
from research.web.site.view_access import find, person, wants_fragment, writers_only

MAX_WORDS = 100  # limit of a suggestion
ESTIMATED_BY = ("target_sources", "depth", "budget_credits")


@writers_only
@require_http_methods(["GET", "HEAD", "POST"])
def new_run(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return _estimate(request) if wants_fragment(request) else _empty_form(request)
    if "add" in request.POST:
        return _add_words(request)
    if wants_fragment(request):
        return _offer_words(request)
    form = NewRunForm(request.POST)
    if "schedule" in request.POST and form.is_valid():
        return redirect("research:edit_schedule", _create_schedule(request, form).pk)
    started = _start_run(request, form) if form.is_valid() else None
    if started is None:
        return _page(request, form, status=422)
    return redirect("research:plan", started.pk) if "draft" in request.POST else redirect(started)


def _empty_form(request: HttpRequest) -> HttpResponse:
    """Return an empty form, or one with the values of an earlier run."""
    again = run_id_of(request.GET.get("again", ""))
    if again:
        initial = build_initial_values(find(Run.objects.only("topic", "config"), again))
    else:
        initial = {"folders": first_choice(person(request), library_folders())}
    return _page(request, NewRunForm(initial=initial))


def run_id_of(given: str) -> UUID | None:
    """Parse a run's id from a URL; None if it is invalid."""
    try:
        return UUID(given)
    except ValueError:
        return None


def _offer_words(request: HttpRequest) -> HttpResponse:
    """Render suggestions that would make the question being typed more specific."""
    question = request.POST.get("question", "")
    shown = {"sharper": sharper(question, localdate()), "known": find_known_claims(question)}
    return _vary_on_htmx(render(request, "research/ask/_sharper.html", shown))


def _add_words(request: HttpRequest) -> HttpResponse:
    """Render the form as it was filled in, with the chosen words added to the question."""
    sent = request.POST.copy()
    question = add_hint_words(request.POST.get("question", ""), request.POST.get("add", "")[:MAX_WORDS])
    sent["question"] = question
    if not wants_fragment(request):
        return _page(request, NewRunForm(sent))
    form = NewRunForm(initial={"question": question})
    form.fields["question"].widget.attrs["autofocus"] = True
    shown = {"form": form, "sharper": sharper(question, localdate()), "known": find_known_claims(question)}
    return _vary_on_htmx(render(request, "research/ask/_asking.html", shown))


def _estimate(request: HttpRequest) -> HttpResponse:
    """Render the estimate for the number of sources that was just typed."""
    typed = [request.GET.get(name, "") for name in ESTIMATED_BY]
    shown = {"offer": offer_for(*typed)}
    return _vary_on_htmx(render(request, "research/ask/_estimate.html", shown))


def _page(request: HttpRequest, form: NewRunForm, status: int = 200) -> HttpResponse:
    typed = [str(form[name].value() or "") if name in form.fields else "" for name in ESTIMATED_BY]
    question = str(form["question"].value() or "")
    shown = {
        "form": form,
        "offer": offer_for(*typed),
        "sharper": sharper(question, localdate()),
        "known": find_known_claims(question),
    }
    return _vary_on_htmx(render(request, "research/ask/new_run.html", shown, status=status))


def _vary_on_htmx(response: HttpResponse) -> HttpResponse:
    """Vary on htmx: page and fragment share one URL, and caches must distinguish them."""
    patch_vary_headers(response, ["HX-Request"])
    return response


def _create_schedule(request: HttpRequest, form: NewRunForm) -> Schedule:
    """Create a schedule from a valid form, paused until its times are set on the schedule's page."""
    question = form.build_question()
    return Schedule.objects.create(
        owner=person(request),
        kind=Kind.REPORT,
        name=question.topic[:MAX_NAME],
        topic=question.topic,
        config=dict(question.config),
        cron=DAILY,
        enabled=False,
    )


def _start_run(request: HttpRequest, form: NewRunForm) -> Run | None:
    """Start the run of a valid form; return None if it was refused, in which case the form has the reason."""
    question = form.build_question()
    try:
        return start_and_cancel.start_run(
            owner=person(request),
            kind=Kind.REPORT,
            topic=question.topic,
            config=question.config,
            client_key=question.client_key,
        )
    except start_and_cancel.InvalidTopic as refusal:
        form.add_error("question", str(refusal))
    except start_and_cancel.StartRefused as refusal:
        form.add_error(None, str(refusal))
    return None
