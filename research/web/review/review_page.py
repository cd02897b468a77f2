"""The review queue: one item with its evidence, the decision on it, then the next.

One view under two addresses: /admin/review/ for staff, and /review/ for owners, members and reviewers of a workspace,
who have no access to the admin. Decisions are posted to the same address; htmx swaps in the next item, and without it
the answer is a redirect to it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.models import User
from django.db.models import Count
from django.db.models.functions import Now
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_vary_headers
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from research.engine.pipeline_registry import load_soon
from research.engine.states.state_review_items import MARKING
from research.models import ReviewAct, ReviewDecision, ReviewItem, ReviewKind, Run
from research.review.apply_review_decisions import select_runs_with_pending_decisions
from research.review.decide_review_items import DecisionRefused, decide, undo_last
from research.review.review_evidence import ReviewEvidence, evidence_of
from research.review.review_queue import (
    ReviewAssignment,
    RunThatWaits,
    TakenByAnother,
    look_at,
    offer,
    runs_that_wait,
    select_waiting_items,
    take,
)
from research.web.review.review_forms import ACTS, EDITABLE, DecisionForm
from research.web.review.review_labels import DEEDS_OF_REVIEW, format_kind_counts
from research.web.site.view_access import find, person, reviewers_only, wants_fragment

MAX_SHOWN = 10


@dataclass(frozen=True, slots=True)
class ReviewPageState:
    """The state of the review page: an item to review, or the notice that there is none."""

    waiting: int  # number of items, including those that others have claimed
    run: Run | None  # restricts the queue to this run
    item: ReviewItem | None = None
    evidence: ReviewEvidence | None = None
    form: DecisionForm | None = None
    is_editing: bool = False
    said: str = ""  # the decision just made
    elsewhere: Sequence[ReviewItem] = ()  # items claimed by others, if there is none to review
    lately: Mapping[str, int] = field(default_factory=dict)  # decided in the last week, by act
    working_in: Sequence[Run] = ()  # their decisions are being applied, if there is none to review
    queue: Sequence[tuple[RunThatWaits, str]] = ()  # all runs with their waiting items in words

    @property
    def can_edit(self) -> bool:
        is_editable = self.item is not None and self.item.kind in EDITABLE
        return is_editable and not self.is_gone and not self.is_marking

    @property
    def is_marking(self) -> bool:
        """Return True for a claim of a finished run that is marked right or wrong, without an effect on the run."""
        return self.item is not None and self.item.escalation.rule == MARKING

    @property
    def is_gone(self) -> bool:
        return self.evidence is not None and self.evidence.is_gone

    @property
    def is_wrong(self) -> bool:
        return self.form is not None and bool(self.form.errors)


@reviewers_only
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def review(request: HttpRequest) -> HttpResponse:
    run = _run(request)
    if request.method == "POST":
        return _decide(request, run)
    asked = _claim_requested_item(request)
    return _page(
        request,
        _build_page_state(
            run, _wrap_requested_item(run, asked) if asked else offer(person(request), _pk(run))
        ),
    )


def _run(request: HttpRequest) -> Run | None:
    """Return the run to which the request restricts the queue; None for the items of all runs."""
    given = request.GET.get("run") or request.POST.get("run")
    return find(Run.objects.only("topic"), _uuid(given)) if given else None


def _uuid(given: str) -> UUID:
    try:
        return UUID(given)
    except ValueError as error:
        raise Http404 from error


def _pk(run: Run | None) -> UUID | None:
    return run.pk if run else None


def _claim_requested_item(request: HttpRequest) -> ReviewItem | None:
    """Return the item that the URL names, unless another person has claimed it or it is decided."""
    given = request.GET.get("item")
    if not given:
        return None
    item_id = find(ReviewItem.objects.only("pk"), _uuid(given)).pk
    try:
        item = take(item_id, person(request))
    except TakenByAnother as taken:
        messages.info(request, _format_claimed_notice(taken))
        return None
    return item if _is_waiting(item) else None


def _is_waiting(item: ReviewItem) -> bool:
    return item.status in ("open", "skipped")


def _format_claimed_notice(taken: TakenByAnother) -> str:
    return _("%(name)s is reviewing that one. Here is another.") % {"name": taken.name}


def _wrap_requested_item(run: Run | None, item: ReviewItem | None) -> ReviewAssignment:
    """Wrap an item that was requested explicitly rather than chosen by the queue."""
    return ReviewAssignment(item, select_waiting_items(_pk(run)).count())


def _build_page_state(run: Run | None, offered: ReviewAssignment, said: str = "") -> ReviewPageState:
    item = offered.item
    if item is None:
        state = ReviewPageState(
            offered.waiting, run, said=said, elsewhere=_load_claimed_items(run), lately=_lately()
        )
        return replace(state, working_in=list(select_runs_with_pending_decisions(_pk(run))[:MAX_SHOWN]))
    load_soon(item.run.kind)
    evidence = evidence_of(item)
    return ReviewPageState(offered.waiting, run, item, evidence, DecisionForm(item, evidence), said=said)


def _load_claimed_items(run: Run | None) -> Sequence[ReviewItem]:
    """Return the claimed items; called when no item is left to offer, so that all belong to other people."""
    rows = select_waiting_items(_pk(run)).filter(taken_until__gt=Now()).select_related("taken_by")
    return list(rows.order_by("taken_until")[:MAX_SHOWN])


def _lately() -> Mapping[str, int]:
    """Return the number of decisions of the last week, by act."""
    acts = (ReviewAct.ACCEPT, ReviewAct.EDIT, ReviewAct.REJECT)
    week = ReviewDecision.objects.filter(act__in=acts, created_at__gt=Now() - timedelta(days=7))
    counted = dict(week.order_by().values_list("act").annotate(Count("pk")))
    return {act.value: counted.get(act, 0) for act in acts}


def _page(request: HttpRequest, state: ReviewPageState, status: int = 200) -> HttpResponse:
    """Render the whole page, or the item for htmx."""
    name = "_review_update" if wants_fragment(request) else "review"
    is_admin = request.resolver_match is not None and request.resolver_match.url_name == "admin_review"
    queue = [(row, format_kind_counts(row.counts)) for row in runs_that_wait()]
    shown = {"review_state": replace(state, queue=queue), "is_admin": is_admin}
    response = render(request, f"research/review/{name}.html", shown, status=status)
    patch_vary_headers(response, ["HX-Request"])
    return response


def _decide(request: HttpRequest, run: Run | None) -> HttpResponse:
    act = request.POST.get("act", "")
    if act not in ACTS:
        raise Http404
    if act == ReviewAct.UNDO:
        return _undo(request, run)
    try:
        return _judge(request, run, _find_posted_item(request, look_at), ReviewAct(act))
    except TakenByAnother as taken:
        return _next(request, run, None, _format_claimed_notice(taken))


def _find_posted_item(request: HttpRequest, get: Callable[[UUID, User], ReviewItem]) -> ReviewItem:
    """Return the item of the form. Raises TakenByAnother."""
    try:
        return get(_uuid(request.POST.get("item", "")), person(request))
    except ReviewItem.DoesNotExist as error:
        raise Http404 from error


def _judge(request: HttpRequest, run: Run | None, item: ReviewItem, act: ReviewAct) -> HttpResponse:
    """Apply the action to the item. Raises TakenByAnother."""
    if not _is_waiting(item):
        return _was_decided(request, run, item)
    is_edit = act == ReviewAct.EDIT
    evidence = evidence_of(item) if is_edit or item.kind == ReviewKind.CONTRADICTION else None
    form = DecisionForm(item, evidence, request.POST)
    # The key for editing was pressed: show what can be edited.
    if is_edit and "editing" not in request.POST:
        form = DecisionForm(item, evidence, note=request.POST.get("note", ""))
    elif form.is_decided(act) and _is_kept(request, form, act):
        return _next(request, run, item, str(DEEDS_OF_REVIEW[act]))
    item = _find_posted_item(request, take)
    if not _is_waiting(item):
        return _was_decided(request, run, item)
    shown = evidence or evidence_of(item)
    state = ReviewPageState(
        select_waiting_items(_pk(run)).count(), run, item, shown, form, is_editing=is_edit
    )
    return _page(request, state, status=422 if form.is_bound else 200)


def _was_decided(request: HttpRequest, run: Run | None, item: ReviewItem) -> HttpResponse:
    return _next(request, run, item, _("That one has already been decided. Here is the next one."))


def _is_kept(request: HttpRequest, form: DecisionForm, act: ReviewAct) -> bool:
    """Store the decision and return True; if it is refused, add the reason to the form and return False."""
    try:
        decide(form.item.pk, person(request), act, form.decision(), by_worker=True)
    except DecisionRefused as refusal:
        form.add_error(None, str(refusal))
        return False
    return True


def _undo(request: HttpRequest, run: Run | None) -> HttpResponse:
    """Undo the last decision and show its item."""
    try:
        undone = undo_last(person(request))
    except DecisionRefused as refusal:
        return _stay(request, run, str(refusal))
    if undone is None:
        return _stay(request, run, _("There is nothing to undo."))
    item = take(undone.pk, person(request))
    return _show_next_item(
        request, run, _wrap_requested_item(run, item), str(DEEDS_OF_REVIEW[ReviewAct.UNDO])
    )


def _stay(request: HttpRequest, run: Run | None, said: str) -> HttpResponse:
    """Show the current item again, if there is one."""
    try:
        item = _find_posted_item(request, take) if request.POST.get("item") else None
    except TakenByAnother:
        item = None
    return _show_next_item(
        request, run, _wrap_requested_item(run, item if item and _is_waiting(item) else None), said
    )


def _next(request: HttpRequest, run: Run | None, after: ReviewItem | None, said: str) -> HttpResponse:
    return _show_next_item(
        request, run, offer(person(request), _pk(run), after=after.pk if after else None), said
    )


def _show_next_item(
    request: HttpRequest, run: Run | None, offered: ReviewAssignment, said: str
) -> HttpResponse:
    """Show the next item: directly for htmx, else by a redirect, so that reloading the page decides nothing."""
    if wants_fragment(request):
        return _page(request, _build_page_state(run, offered, said))
    messages.info(request, said)
    query = {"run": str(run.pk)} if run else {}
    query |= {"item": str(offered.item.pk)} if offered.item else {}
    return redirect(f"{request.path}?{urlencode(query)}" if query else request.path)
