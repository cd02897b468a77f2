"""The plan of a run: its goal, its steps, its changes; and forms to edit it.

Each row is a form of its own, and the page shows what is stored: an action redirects, and the control that was pressed
is focused again.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from research.engine.states.transitions import lock_run
from research.library.knowledge.known_claims import Offer, find_known_claims
from research.models import Kind, Run, State
from research.models.schemas import Plan, Subtopic
from research.runs.run_plan_edits import (
    PlanEditRefused,
    with_changed_step,
    with_goal,
    with_moved_step,
    with_step,
    without_step,
)
from research.runs.run_plan_versions import PlanRefused, edit_plan
from research.web.runs.escalation_view import may_replan
from research.web.runs.plan_forms import GoalForm, StepForm
from research.web.runs.plan_view import NEW, PlanView, plan_view, prefix_of
from research.web.site.page_request_numbers import whole
from research.web.site.view_access import find, may_review, members_only, person, reviewers_only


@dataclass(frozen=True, slots=True)
class Edit:
    """An edited plan, a note for the history, and the control to focus."""

    plan: Plan
    note: str
    focus: str


class PlanFormRefused(Exception):
    """Raised when the input of a plan's form is invalid; the form says why."""

    def __init__(self, prefix: str, form: GoalForm | StepForm) -> None:
        super().__init__(prefix)
        self.typed: Mapping[str, GoalForm | StepForm] = {prefix: form}


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def plan(request: HttpRequest, run_id: UUID) -> HttpResponseBase:
    return _edit(request, run_id) if request.method == "POST" else _show(request, run_id)


@members_only
def _show(request: HttpRequest, run_id: UUID) -> HttpResponse:
    run = find(Run.objects.defer("outline"), run_id)
    wanted = request.GET.get("version", "")
    number = whole(wanted, -1)
    view = plan_view(run, None if number < 0 else number)
    if view is None and (wanted or run.plan):
        raise Http404
    return _page(request, run, view)


def _page(request: HttpRequest, run: Run, view: PlanView | None, status: int = 200) -> HttpResponse:
    shown = {
        "run": run,
        "view": view,
        "focus": request.GET.get("at", ""),
        "may_replan": may_replan(run),
        "may_edit": run.is_waiting and may_review(request),
        "rerun_key": uuid4().hex,
        "known": _find_known(run),
        "is_following": view is None and run.is_active or view is not None and _is_being_weighed(run, view),
    }
    return render(request, "research/runs/plan.html", shown, status=status)


def _find_known(run: Run) -> Offer:
    """Return what earlier runs may contribute; the run has not checked it yet."""
    is_wanted = run.kind == Kind.REPORT and not run.is_finished and not run.config.get("ignore_known")
    return find_known_claims(run.topic, without_run=run.pk) if is_wanted else Offer()


def _is_being_weighed(run: Run, view: PlanView) -> bool:
    """Return True if the plan exists and the run has not decided yet whether to ask a person about it."""
    return view.is_latest and run.state == State.PLANNING and run.paused_at is None


@reviewers_only
def _edit(request: HttpRequest, run_id: UUID) -> HttpResponse:
    find(Run.objects.only("pk"), run_id)
    run = lock_run(run_id)  # so that the edited plan is the one that was shown
    view = plan_view(run) if run else None
    if run is None or view is None:
        raise Http404
    try:
        edit = _dispatch_edit(request, view)
        edit_plan(run_id, person(request), edit.plan, edit.note)
    except PlanFormRefused as refusal:
        return _page(request, run, plan_view(run, typed=refusal.typed), status=422)
    except (PlanEditRefused, PlanRefused) as refusal:
        messages.error(request, str(refusal))
        return redirect("research:plan", run_id)
    messages.success(request, edit.note)
    return redirect(f"{reverse('research:plan', args=[run_id])}?{urlencode({'at': edit.focus})}")


def _dispatch_edit(request: HttpRequest, view: PlanView) -> Edit:
    """Carry out the edit. Raises PlanEditRefused and PlanFormRefused."""
    if request.POST.get("version") != str(view.number):
        raise PlanEditRefused(
            _(
                "The plan has been changed in the meantime. This is the current version; repeat your change if "
                "you still need it."
            )
        )
    act = _ACTS.get(request.POST.get("act", ""))
    if act is None:
        raise PlanEditRefused(_("Plans do not support this action."))
    return act(request, view, _index(request))


def _index(request: HttpRequest) -> int:
    """Return the index of the step that the request names, from 0; -1 if it names none."""
    return whole(request.POST.get("step", "")) - 1


def _restate(request: HttpRequest, view: PlanView, _index: int) -> Edit:
    form = GoalForm(request.POST, prefix="goal")
    if not form.is_valid():
        raise PlanFormRefused("goal", form)
    return Edit(with_goal(view.plan, form.cleaned_data["goal"]), _("The goal was changed."), "goal")


def _add(request: HttpRequest, view: PlanView, _index: int) -> Edit:
    form = StepForm(request.POST, prefix=NEW)
    step = _parse_step(form, NEW)
    changed = _unless_refused(form, NEW, lambda: with_step(view.plan, step))
    note = _("Step “%(name)s” was added.") % {"name": step.name}
    return Edit(changed, note, prefix_of(len(view.plan.subtopics)))


def _save(request: HttpRequest, view: PlanView, index: int) -> Edit:
    if not 0 <= index < len(view.plan.subtopics):
        raise PlanEditRefused(_("The plan no longer has this step."))
    prefix = prefix_of(index)
    form = StepForm(request.POST, step=view.plan.subtopics[index], prefix=prefix)
    step = _parse_step(form, prefix)
    changed = _unless_refused(form, prefix, lambda: with_changed_step(view.plan, index, step))
    return Edit(changed, _("Step “%(name)s” was changed.") % {"name": step.name}, prefix)


def _parse_step(form: StepForm, prefix: str) -> Subtopic:
    if not form.is_valid():
        raise PlanFormRefused(prefix, form)
    return form.step()


def _unless_refused(form: StepForm, prefix: str, edit: Callable[[], Plan]) -> Plan:
    try:
        return edit()
    except PlanEditRefused as refusal:
        form.add_error("name", str(refusal))
        raise PlanFormRefused(prefix, form) from refusal


def _remove(_request: HttpRequest, view: PlanView, index: int) -> Edit:
    changed = without_step(view.plan, index)
    note = _("Step “%(name)s” was removed.") % {"name": view.plan.subtopics[index].name}
    return Edit(changed, note, prefix_of(min(index, len(changed.subtopics) - 1)))


def _up(_request: HttpRequest, view: PlanView, index: int) -> Edit:
    return _move_step(view, index, -1)


def _down(_request: HttpRequest, view: PlanView, index: int) -> Edit:
    return _move_step(view, index, 1)


def _move_step(view: PlanView, index: int, by: int) -> Edit:
    """Move the step. If it reaches an end of the list, focus the opposite control, because the pressed one
    disappears.
    """
    changed, to = with_moved_step(view.plan, index, by), index + by
    note = _("Step “%(name)s” is now number %(number)d.")
    said = note % {"name": view.plan.subtopics[index].name, "number": to + 1}
    is_up = (by < 0 or to == len(changed.subtopics) - 1) and to > 0
    return Edit(changed, said, f"{prefix_of(to)}-{'up' if is_up else 'down'}")


_ACTS: Mapping[str, Callable[[HttpRequest, PlanView, int], Edit]] = {
    "goal": _restate,
    "add": _add,
    "save": _save,
    "remove": _remove,
    "up": _up,
    "down": _down,
}
