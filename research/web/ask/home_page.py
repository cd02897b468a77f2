"""The first page: a question, samples, recent runs."""

from collections.abc import Iterable, Sequence
from zlib import crc32

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from research.library.library_contents import Stock, stock_of
from research.library.library_folders import SAMPLE, Folder, library_folders
from research.library.sample import sample_library_progress as sample
from research.library.sample.sample_library_listing import load_suggested_questions
from research.llm.budgets.budget_estimates import Estimate
from research.llm.model_settings import engine
from research.models import Kind, Run, State
from research.runs.run_estimate import estimate_for
from research.web.ask.ask_question_form import QuestionForm, offer_folders
from research.web.ask.library_scope_field import first_choice
from research.web.runs.escalation_view import open_questions
from research.web.runs.run_list_page import LISTED, with_mixes
from research.web.site.view_access import members_only, person, wants_fragment

RECENT = 6
LONG_MINUTES = 10  # of a report, from which people should know before they ask


@members_only
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Render the page, or the parts that are polled: the library, sample questions, the latest runs."""
    recent = list(Run.objects.order_by("-created_at").only(*LISTED)[:RECENT])
    folders = library_folders()
    in_stock = stock_of(folders)
    samples = _sample_questions(folders)
    scope_state = _scope_state(folders)
    is_sample_coming = sample.is_under_way()
    writer = engine()
    shown = {
        "form": _form(request, folders),
        "scope_state": scope_state,
        "is_scope_new": request.GET.get("scope") != scope_state,
        "engine": writer,
        "long_report": None if writer == "extractive" else _long_report(),
        "rows": with_mixes(recent),
        "stock": in_stock,
        "sample_stock": stock_of(folder for folder in folders if folder.key == SAMPLE),
        "samples": samples,
        "questions": open_questions()[:RECENT],
        "sample_report": _sample_report(samples),
        "is_sample_coming": is_sample_coming,
        "is_embedded": settings.EMBEDDED_POSTGRES,
        "is_changing": is_sample_coming or _is_filling(in_stock) or any(run.is_active for run in recent),
    }
    part = "research/ask/_home_update.html" if wants_fragment(request) else "research/ask/home.html"
    response = render(request, part, shown)
    patch_vary_headers(response, ["HX-Request"])
    return response


def _long_report() -> Estimate | None:
    """Return the estimate of a report with the workspace's model; None if it is not long."""
    estimate = estimate_for(Kind.REPORT, {})
    return estimate if estimate.minutes_high >= LONG_MINUTES else None


def _form(request: HttpRequest, folders: Sequence[Folder]) -> QuestionForm:
    """Return the form with initial folders: those ticked on a polled page, else those of the person's last question."""
    ticked = request.GET.getlist("folders") or first_choice(person(request), folders)
    form = QuestionForm(initial={"folders": ticked})
    offer_folders(form, folders)
    return form


def _scope_state(folders: Iterable[Folder]) -> str:
    """Return a value that changes when the folders on offer change; while it is equal, an open choice is left as it
    is.
    """
    counts = repr([(folder.key, folder.ready, folder.pending) for folder in folders])
    return f"{crc32(counts.encode()):x}"


def _is_filling(in_stock: Stock) -> bool:
    """Return True if documents are waiting, or the sample library is about to be loaded."""
    return bool(in_stock.waiting) or (settings.EMBEDDED_POSTGRES and not in_stock.ready)


def _sample_questions(folders: Iterable[Folder]) -> list[str]:
    """Return suggested questions if the sample library is ready to answer them, else an empty list."""
    if not any(folder.key == SAMPLE and folder.ready for folder in folders):
        return []
    return [suggestion.question for suggestion in load_suggested_questions()]


def _sample_report(questions: list[str]) -> Run | None:
    """Return the oldest finished report on one of the sample questions, which is made at first start."""
    done = Run.objects.filter(state=State.COMPLETED, topic__in=questions)
    return done.order_by("created_at").only("topic").first()
