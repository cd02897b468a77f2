"""Durations of runs, read from the steps of their states. Needs the caller's `tenant_context`."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from django.db.models import Count, Q, QuerySet

from research.engine.states.state_context import visit_key
from research.models import ACTIVE, Run, State, Step, StepStatus
from research.runs.run_time_left import Course, RunPosition, StateVisit, TimeLeft, time_left

NEWEST = 20  # finished runs from which the estimate is made
MAX_KNOWN = 2_000
ENDED = (StepStatus.COMPLETED, StepStatus.FAILED, StepStatus.SKIPPED)
NOT_TIMED = frozenset({State.CREATED, *(state for state in State if state not in ACTIVE)})

# The states of a finished run never change. Ids come from the caller's rows, so that no workspace sees another's.
_known: dict[UUID, Course] = {}


def time_left_of(run: Run, now: datetime) -> TimeLeft | None:
    """Estimate the remaining time; None with too few earlier runs, or while this one waits."""
    if run.state in NOT_TIMED or run.paused_at or run.cancel_at or run.state_entered_at is None:
        return None
    courses = courses_of(select_comparable_runs(run))
    return time_left(find_position(run, now), courses) if courses else None


def find_position(run: Run, now: datetime) -> RunPosition:
    """Return the position of a run that is in a timed state."""
    entered = run.state_entered_at or now
    steps = Step.objects.filter(run=run, key__startswith=f"{visit_key(run)}/")
    parts = steps.aggregate(done=Count("pk", filter=Q(status__in=ENDED)), all=Count("pk"))
    visits = _visits(_state_steps([run.pk]))
    return RunPosition(
        before=visits.get(run.pk, ()),
        state=run.state,
        seconds=max((now - entered).total_seconds(), 0.0),
        parts_done=parts["done"],
        parts=parts["all"],
        sources=run.sources_found,
    )


def select_comparable_runs(run: Run) -> QuerySet[Run]:
    """Return finished runs of the same kind and engine: with a model, or by rules alone."""
    done = Run.objects.filter(kind=run.kind, state=State.COMPLETED).exclude(pk=run.pk)
    is_by_model = bool((run.estimate or {}).get("calls"))
    return done.filter(
        Q(estimate__calls__gt=0) if is_by_model else Q(estimate__isnull=True) | Q(estimate__calls=0)
    )


def courses_of(runs: QuerySet[Run]) -> Sequence[Course]:
    """Return the courses of the newest of these finished runs, without runs that had no timed state."""
    newest = runs.order_by("-created_at").values_list("pk", "sources_found")
    sizes = dict(newest[:NEWEST])
    _learn({pk: size for pk, size in sizes.items() if pk not in _known})
    found = (_known.get(pk) for pk in sizes)
    return [course for course in found if course and course.visits]


def _learn(sizes: Mapping[UUID, int]) -> None:
    if not sizes:
        return
    if len(_known) > MAX_KNOWN:
        _known.clear()
    visits = _visits(_state_steps(sizes))
    _known.update((pk, Course(visits.get(pk, ()), size)) for pk, size in sizes.items())


def _state_steps(runs: Iterable[UUID]) -> QuerySet[Step]:
    ended = Step.objects.filter(handler__startswith="state.", completed_at__isnull=False)
    return ended.filter(run__in=list(runs)).order_by("step_index")


def _visits(steps: QuerySet[Step]) -> dict[UUID, tuple[StateVisit, ...]]:
    """Return for each run the seconds spent in each state, from the creation and end of the state's step."""
    found: dict[UUID, list[StateVisit]] = defaultdict(list)
    for run_id, handler, entered, left in steps.values_list(
        "run_id", "handler", "created_at", "completed_at"
    ):
        state = handler.removeprefix("state.")
        if state not in NOT_TIMED and left is not None:
            found[run_id].append(StateVisit(state, (left - entered).total_seconds()))
    return {run_id: tuple(visits) for run_id, visits in found.items()}
