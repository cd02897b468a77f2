"""The first page: ask, look at samples, go on with what is there."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from research.library import SAMPLE
from research.models import DocumentStatus, LibraryDocument, Run, State
from research.web.access import members_only
from research.web.forms import NewRunForm
from research.web.run_list import with_mixes
from research.web.samples import SAMPLE_QUESTIONS

RECENT = 6


@members_only
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    recent = Run.objects.order_by("-created_at").defer("plan", "outline")[:RECENT]
    ready = LibraryDocument.objects.filter(status=DocumentStatus.READY)
    has_samples = ready.filter(folder=SAMPLE).exists()
    shown = {
        "form": NewRunForm(),
        "rows": with_mixes(recent),
        "documents": ready.count(),
        "samples": SAMPLE_QUESTIONS if has_samples else (),
        "sample_report": _sample_report() if has_samples else None,
    }
    return render(request, "research/home.html", shown)


def _sample_report() -> Run | None:
    """The oldest finished report on one of the sample questions: the one made at first start."""
    questions = [str(question) for question in SAMPLE_QUESTIONS]
    done = Run.objects.filter(state=State.COMPLETED, topic__in=questions)
    return done.order_by("created_at").only("topic").first()
