"""Asking: one field first, details behind it."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from research import runs
from research.models import Kind
from research.web.access import person, writers_only
from research.web.forms import NewRunForm


@writers_only
@require_http_methods(["GET", "HEAD", "POST"])
def new_run(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        initial = {"question": request.GET.get("question", "")[:10_000]}
        return render(request, "research/new_run.html", {"form": NewRunForm(initial=initial)})
    form = NewRunForm(request.POST)
    if form.is_valid():
        asked = form.asked()
        try:
            started = runs.start_run(
                owner=person(request),
                kind=Kind.REPORT,
                topic=asked.topic,
                config=asked.config,
                client_key=asked.client_key or None,
            )
        except runs.InvalidTopic as refusal:
            form.add_error("question", str(refusal))
        else:
            return redirect(started)
    return render(request, "research/new_run.html", {"form": form}, status=422)
