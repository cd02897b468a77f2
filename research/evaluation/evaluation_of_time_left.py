"""Replay the time left that a finished run's page showed, beside the true time left.

Only what was known at each moment is used: the steps and sources that existed, and runs that had ended before.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import accumulate

from research.models import Run, Source, Step
from research.runs.run_durations import NOT_TIMED, courses_of, select_comparable_runs
from research.runs.run_time_left import Course, RunPosition, StateVisit, TimeLeft, time_left

MOMENTS = 20  # per run, spread evenly over its duration


@dataclass(frozen=True, slots=True)
class ReplayedEstimate:
    """`told` is the estimate, None if none was shown; `true_s` does not include waiting for people."""

    told: TimeLeft | None
    true_s: float

    @property
    def is_right(self) -> bool:
        return self.told is not None and self.told.holds(self.true_s)


@dataclass(frozen=True, slots=True)
class _Stay:
    """A state visit with the key of its step and the time of entry."""

    key: str
    entered: datetime
    visit: StateVisit


def replay(run: Run) -> Iterator[ReplayedEstimate]:
    """Yield the replayed estimates of a finished run, in chronological order. Needs the tenant set."""
    stays = _stays(run)
    courses = _before(run)
    total = sum(stay.visit.seconds for stay in stays)
    ends = list(accumulate(stay.visit.seconds for stay in stays))
    for number in range(MOMENTS):
        passed = total * (number + 0.5) / MOMENTS
        index = next((n for n, end in enumerate(ends) if passed < end), None)
        if index is not None:
            begun = ends[index] - stays[index].visit.seconds
            yield _predict_time_left(run, stays[: index + 1], passed - begun, courses, total - passed)


def _predict_time_left(
    run: Run, stays: Sequence[_Stay], seconds: float, courses: Sequence[Course], true_s: float
) -> ReplayedEstimate:
    """Estimate the time left at `seconds` into the last of the stays."""
    here = stays[-1]
    at = here.entered + timedelta(seconds=seconds)
    steps = Step.objects.filter(run=run, key__startswith=f"{here.key}/", created_at__lte=at)
    moment = RunPosition(
        before=tuple(stay.visit for stay in stays[:-1]),
        state=here.visit.state,
        seconds=seconds,
        parts_done=steps.filter(completed_at__lte=at).count(),
        parts=steps.count(),
        sources=Source.objects.filter(run=run, created_at__lte=at).count(),
    )
    return ReplayedEstimate(time_left(moment, courses), true_s)


def _stays(run: Run) -> list[_Stay]:
    steps = Step.objects.filter(run=run, handler__startswith="state.", completed_at__isnull=False)
    rows = steps.order_by("step_index").values_list("key", "handler", "created_at", "completed_at")
    stays = [
        _Stay(key, entered, StateVisit(handler.removeprefix("state."), (left - entered).total_seconds()))
        for key, handler, entered, left in rows
        if left is not None
    ]
    return [stay for stay in stays if stay.visit.state not in NOT_TIMED]


def _before(run: Run) -> Sequence[Course]:
    """Return the courses of the runs that had ended when this one was started."""
    return courses_of(select_comparable_runs(run).filter(completed_at__lt=run.created_at))
