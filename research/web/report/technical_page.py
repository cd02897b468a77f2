"""Additional pages of a technical answer: three output formats, diagrams, follow-up questions."""

from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_POST, require_safe

from exports.building.build_document import build_document
from exports.stored.exported_headings import translate_heading
from research.models import Kind, Run, Source
from research.pipelines.report.report_config import ConfigError
from research.pipelines.technical.answer.technical_answer import StoredTechnical, read_answer
from research.pipelines.technical.answer.technical_answer_text import ENDINGS, MEDIA_TYPES, format_answer
from research.pipelines.technical.answer.technical_answer_tree import answer_of
from research.pipelines.technical.start_technical_follow_up import start_follow_up
from research.runs.start_and_cancel import InvalidTopic, StartRefused
from research.web.report.technical_view import code_of
from research.web.site.page_request_numbers import whole
from research.web.site.view_access import find, members_only, person, writers_only

MERMAID = Path("node_modules") / "mermaid" / "dist" / "mermaid.min.js"  # pinned in package-lock.json
# Policy for a frame with one diagram: Mermaid writes styles into its drawings.
DIAGRAM_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'self'",
        "sandbox allow-scripts",
    )
)


def _find_answer(run_id: UUID) -> tuple[Run, StoredTechnical]:
    """Return a technical run with its result. Raises Http404 for other kinds, and for one without a result yet."""
    run = find(Run.objects.filter(kind=Kind.TECHNICAL).defer("plan", "outline"), run_id)
    answer = read_answer(run.outcome)
    if answer is None:
        raise Http404
    return run, answer


@members_only
@require_safe
def output(request: HttpRequest, run_id: UUID, form: str) -> HttpResponse:
    """Return the answer as Markdown, JSON or plain text."""
    if form not in MEDIA_TYPES:
        raise Http404
    run, stored = _find_answer(run_id)
    answer = answer_of(build_document(run.pk, with_context=False), stored)
    response = HttpResponse(format_answer(answer, form), content_type=MEDIA_TYPES[form])
    response["Content-Disposition"] = f'attachment; filename="technical-{run.pk}.{ENDINGS[form]}"'
    return response


@members_only
@require_safe
def diagram(request: HttpRequest, run_id: UUID, number: int) -> HttpResponse:
    """Render one diagram as a page for a frame in which scripts may run."""
    run, stored = _find_answer(run_id)
    if number >= len(stored.diagrams):
        raise Http404
    found = stored.diagrams[number]
    named = Source.objects.filter(pk__in=[link.source for link in found.links]).only("title", "canonical_url")
    titles = {source.pk: str(source) for source in named}
    shown = {"title": translate_heading(found.title), "code": code_of(found, run.topic, titles)}
    response = render(request, "research/report/technical_diagram.html", {"diagram": shown})
    response["Content-Security-Policy"] = DIAGRAM_POLICY  # replaces the site's own
    response["X-Frame-Options"] = "SAMEORIGIN"
    return response


@require_safe
@cache_control(public=True, max_age=86_400)
def mermaid(request: HttpRequest) -> HttpResponseBase:
    """Serve the drawing library as npm installed it; without it, diagrams remain text."""
    path = settings.BASE_DIR / MERMAID
    if not path.is_file():
        raise Http404
    return FileResponse(path.open("rb"), content_type="text/javascript; charset=utf-8")


@writers_only
@require_POST
def follow_up(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """Start a run on one of the follow-up questions that the answer proposes."""
    run, stored = _find_answer(run_id)
    number = whole(request.POST.get("number", ""), -1)
    if not 0 <= number < len(stored.follow_ups):
        raise Http404
    try:
        return redirect(start_follow_up(run, person(request), stored.follow_ups[number]))
    except (ConfigError, InvalidTopic, StartRefused) as refused:
        messages.error(request, _("It can’t be started: %(why)s") % {"why": refused})
        return redirect("research:report", run.pk)
