"""The timeline of a run: steps, changes of state, and what people and failures changed.

One statement finds the entries of a page, and one more loads each kind on it, so that the number of queries does not
grow.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import TypeAlias
from uuid import UUID

from django.core.paginator import Page, Paginator
from django.db.models import CharField, DateTimeField, Model, Prefetch, Q, QuerySet, Value
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _

from research.models import (
    AgentMessage,
    Degradation,
    Escalation,
    Instruction,
    PlanVersion,
    ReviewDecision,
    Run,
    Step,
)
from research.web.site.value_labels import Words

ENTRIES_A_PAGE = 50
NOT_YET = datetime(9999, 1, 1, tzinfo=UTC)  # sorts entries that have not begun last

Happened: TypeAlias = Step | Escalation | ReviewDecision | Instruction | PlanVersion | Degradation
Place = tuple[datetime, str, UUID]


class TimelineEntryKind(StrEnum):
    """The kinds of entry."""

    STEP = "step"
    MOVE = "move"  # a change of state
    QUESTION = "question"
    DECISION = "decision"
    INSTRUCTION = "instruction"
    PLAN = "plan"
    DEGRADATION = "degradation"


WHATS: Words = {
    TimelineEntryKind.STEP: _("Steps"),
    TimelineEntryKind.MOVE: _("Changes of stage"),
    TimelineEntryKind.QUESTION: _("Questions to people"),
    TimelineEntryKind.DECISION: _("Decisions"),
    TimelineEntryKind.INSTRUCTION: _("Instructions"),
    TimelineEntryKind.PLAN: _("Plans"),
    TimelineEntryKind.DEGRADATION: _("What was given up"),
}


@dataclass(frozen=True, slots=True)
class TimelineFilter:
    """A filter of a run's log; empty fields match all.

    An entry without a role, state or status does not match a filter by it.
    """

    what: str = ""
    role: str = ""
    state: str = ""  # of the run
    status: str = ""  # of the step


@dataclass(frozen=True, slots=True)
class TimelineEntry:
    """An event. `at` is None if it has not happened yet."""

    what: TimelineEntryKind
    at: datetime | None
    row: Happened


@dataclass(frozen=True, slots=True)
class Timeline:
    """A page of the timeline: `page` is its paginator's page, `entries` its contents."""

    page: Page[Place]
    entries: list[TimelineEntry]


def timeline(run: Run, wanted: TimelineFilter, number: str | int | None) -> Timeline:
    """Return a page; an invalid number gives the nearest one."""
    page = Paginator(_places(run, wanted), ENTRIES_A_PAGE).get_page(number)
    return Timeline(page, _entries(page))


def load_events(run: Run) -> list[TimelineEntry]:
    """Return all events except steps, for the download. Their number grows only with states and actions of people."""
    others = [
        _select_places(what, run, TimelineFilter())
        for what in TimelineEntryKind
        if what is not TimelineEntryKind.STEP
    ]
    return _entries(list(_union_querysets(others)))


def _places(run: Run, wanted: TimelineFilter) -> QuerySet[Model, Place]:
    return _union_querysets([_select_places(what, run, wanted) for what in _kinds(wanted)])


def _union_querysets(parts: list[QuerySet[Model, Place]]) -> QuerySet[Model, Place]:
    first, *rest = parts
    return first.union(*rest, all=True).order_by("at", "id") if rest else first.order_by("at", "id")


def _kinds(wanted: TimelineFilter) -> Collection[TimelineEntryKind]:
    """Return the kinds that can match the filter; only steps have all fields."""
    kinds = [TimelineEntryKind(wanted.what)] if wanted.what else list(TimelineEntryKind)
    if wanted.role or wanted.status:
        return [kind for kind in kinds if kind in (TimelineEntryKind.STEP, TimelineEntryKind.MOVE)] or [
            TimelineEntryKind.STEP
        ]
    if wanted.state:
        return [kind for kind in kinds if kind in _HAS_STATE] or [TimelineEntryKind.STEP]
    return kinds


_HAS_STATE = (
    TimelineEntryKind.STEP,
    TimelineEntryKind.MOVE,
    TimelineEntryKind.QUESTION,
    TimelineEntryKind.DECISION,
)


def _select_places(what: TimelineEntryKind, run: Run, wanted: TimelineFilter) -> QuerySet[Model, Place]:
    rows, at = _ROWS[what](run, wanted)
    when = Coalesce(*at, Value(NOT_YET, DateTimeField()))
    placed = rows.annotate(at=when, what=Value(what.value, CharField()))
    places: QuerySet[Model, Place] = placed.values_list("at", "what", "id")
    return places


Rows = tuple[QuerySet[Model], tuple[str, ...]]


def _steps(run: Run, wanted: TimelineFilter) -> Rows:
    return _filter_steps(run, wanted).exclude(handler__startswith="state."), ("started_at", "completed_at")


def _moves(run: Run, wanted: TimelineFilter) -> Rows:
    """Return the steps that end a state, ordered by the time when it was left."""
    return _filter_steps(run, wanted).filter(handler__startswith="state."), ("completed_at",)


def _filter_steps(run: Run, wanted: TimelineFilter) -> QuerySet[Step]:
    steps = Step.objects.filter(run=run)
    if wanted.role:
        steps = steps.filter(agent_role=wanted.role)
    if wanted.status:
        steps = steps.filter(status=wanted.status)
    if wanted.state:  # a key is "<visit>.<state>/…", or "<state>/…" for a step begun early
        steps = steps.filter(key__regex=rf"^([0-9]+\.)?{wanted.state}(/|$)")
    return steps


def _questions(run: Run, wanted: TimelineFilter) -> Rows:
    return Escalation.objects.filter(_filter_state("state", wanted), run=run), ("created_at",)


def _decisions(run: Run, wanted: TimelineFilter) -> Rows:
    asked = _filter_state("escalation__state", wanted)
    return ReviewDecision.objects.filter(asked, escalation__run=run), ("created_at",)


def _filter_state(column: str, wanted: TimelineFilter) -> Q:
    return Q(**{column: wanted.state}) if wanted.state else Q()


def _plain(
    model: type[Instruction] | type[PlanVersion] | type[Degradation],
) -> Callable[[Run, TimelineFilter], Rows]:
    return lambda run, wanted: (model.objects.filter(run=run), ("created_at",))


_ROWS: Mapping[TimelineEntryKind, Callable[[Run, TimelineFilter], Rows]] = {
    TimelineEntryKind.STEP: _steps,
    TimelineEntryKind.MOVE: _moves,
    TimelineEntryKind.QUESTION: _questions,
    TimelineEntryKind.DECISION: _decisions,
    TimelineEntryKind.INSTRUCTION: _plain(Instruction),
    TimelineEntryKind.PLAN: _plain(PlanVersion),
    TimelineEntryKind.DEGRADATION: _plain(Degradation),
}


def _entries(places: Iterable[Place]) -> list[TimelineEntry]:
    entries = list(places)
    wanted = defaultdict[str, list[UUID]](list)
    for _at, what, pk in entries:
        wanted[what].append(pk)
    rows: dict[UUID, Happened] = {}
    for what, ids in wanted.items():
        rows |= {row.pk: row for row in _WHOLE[TimelineEntryKind(what)]().filter(pk__in=ids)}
    return [
        TimelineEntry(TimelineEntryKind(what), None if at == NOT_YET else at, rows[pk])
        for at, what, pk in entries
    ]


def whole_steps() -> QuerySet[Step]:
    """Return steps with their messages, in order."""
    return Step.objects.prefetch_related(
        Prefetch("messages", AgentMessage.objects.order_by("created_at", "id"))
    )


_WHOLE: Mapping[TimelineEntryKind, Callable[[], QuerySet[Happened]]] = {
    TimelineEntryKind.STEP: whole_steps,
    TimelineEntryKind.MOVE: lambda: Step.objects.all(),
    TimelineEntryKind.QUESTION: lambda: Escalation.objects.select_related("decided_by"),
    TimelineEntryKind.DECISION: lambda: ReviewDecision.objects.select_related("by", "item", "escalation"),
    TimelineEntryKind.INSTRUCTION: lambda: Instruction.objects.select_related("author"),
    TimelineEntryKind.PLAN: lambda: PlanVersion.objects.select_related("made_by"),
    TimelineEntryKind.DEGRADATION: lambda: Degradation.objects.all(),
}
