"""The first page: ask, look at samples, go on with what is there."""

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from research.library.folders import SAMPLE
from research.llm.settings import engine
from research.models import DocumentStatus, LibraryDocument, Run, State
from research.sample.listing import suggested_questions
from research.web.access import members_only
from research.web.question_form import QuestionForm
from research.web.questions import open_questions
from research.web.run_list import with_mixes

RECENT = 6


@members_only
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    recent = Run.objects.order_by("-created_at").defer("plan", "outline")[:RECENT]
    ready = LibraryDocument.objects.filter(status=DocumentStatus.READY)
    questions = _sample_questions(ready)
    shown = {
        "form": QuestionForm(),
        "engine": engine(),
        "rows": with_mixes(recent),
        "documents": ready.count(),
        "samples": questions,
        "questions": open_questions()[:RECENT],
        "sample_report": _sample_report(questions),
    }
    return render(request, "research/home.html", shown)


def _sample_questions(ready: QuerySet[LibraryDocument]) -> list[str]:
    """What to try, where the sample library is there to answer it."""
    if not ready.filter(folder=SAMPLE).exists():
        return []
    return [suggestion.question for suggestion in suggested_questions()]


def _sample_report(questions: list[str]) -> Run | None:
    """The oldest finished report on one of the sample questions: the one made at first start."""
    done = Run.objects.filter(state=State.COMPLETED, topic__in=questions)
    return done.order_by("created_at").only("topic").first()
