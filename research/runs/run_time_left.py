"""Estimates a run's remaining time from earlier runs at the same point and from its own pace.

Each earlier run gives an estimate, scaled by how this run compares with it so far; if parts of the current state are
done, their pace gives a second one. The result is the range between a low and a high quantile, widened more if there
are few estimates. `bench_time_left` replays finished runs and reports how often the range contained the true end.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor, sqrt

FEWEST = 3  # earlier runs that are needed for an estimate
PARTS_THAT_TELL = 3  # parts of the current state that must be done before its pace counts
LOW, HIGH = 0.1, 0.9  # quantiles of the estimates
PACE = (0.25, 4.0)  # bounds of the factor between the durations of two runs
NEGLIGIBLE_S = 2.0  # too short to compare
SAFETY = 0.15  # factor by which either end is widened; more with few estimates
# The high end is widened further: runs are late more often than early.
LATE = 0.25


@dataclass(frozen=True, slots=True)
class StateVisit:
    """A state that a run has left, and the seconds spent in it."""

    state: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Course:
    """The states of a finished run with their durations, without waits for workers or people."""

    visits: tuple[StateVisit, ...]
    sources: int  # sources found


@dataclass(frozen=True, slots=True)
class RunPosition:
    """The position of a run. `seconds` is the time in its current state; parts are the steps of that state."""

    before: tuple[StateVisit, ...]
    state: str
    seconds: float
    parts_done: int = 0
    parts: int = 0
    sources: int = 0  # sources found so far; 0: unknown


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """A range in seconds."""

    low_s: float
    high_s: float

    @property
    def minutes(self) -> tuple[int, int]:
        """The range in whole minutes, rounded outwards. (0, 1) is less than a minute."""
        return floor(self.low_s / 60), max(1, ceil(self.high_s / 60))

    def holds(self, true_s: float) -> bool:
        """Return True if the true time is in the range of minutes that was shown."""
        low, high = self.minutes
        return low * 60 <= true_s <= high * 60


def time_left(now: RunPosition, courses: Sequence[Course]) -> TimeLeft | None:
    """Return the range; None if too few earlier runs were ever at this point."""
    guesses = sorted(guess for course in courses for guess in _guesses(now, course))
    alike = sum(_entry(now, course) is not None for course in courses)
    if alike < FEWEST:
        return None
    margin = SAFETY + 1 / alike
    return TimeLeft(_quantile(guesses, LOW) / (1 + margin), _quantile(guesses, HIGH) * (1 + margin + LATE))


def _guesses(now: RunPosition, course: Course) -> Iterator[float]:
    """Yield estimates of the seconds left, based on one earlier run."""
    here = _entry(now, course)
    if here is None:
        return
    pace = _pace(now, course, here)
    then = pace * sum(visit.seconds for visit in course.visits[here + 1 :])
    yield _rest(pace * course.visits[here].seconds, now.seconds) + then
    if now.parts_done >= PARTS_THAT_TELL:
        yield now.seconds * (now.parts - now.parts_done) / now.parts_done + then


def _rest(whole_s: float, passed_s: float) -> float:
    """Return the seconds left in a state.

    A state that already takes longer than in the other run is expected to last a tenth of its time so far.
    """
    return max(whole_s - passed_s, 0.1 * passed_s)


def _entry(now: RunPosition, course: Course) -> int | None:
    """Return the index of the same visit of the same state, or of the last one before it; None if there is none."""
    number = sum(visit.state == now.state for visit in now.before)
    places = [index for index, visit in enumerate(course.visits) if visit.state == now.state]
    return places[min(number, len(places) - 1)] if places else None


def _pace(now: RunPosition, course: Course, here: int) -> float:
    """Return how many times slower this run is than `course`, from its time so far and its size.

    1 if neither is known.
    """
    own = sum(visit.seconds for visit in now.before)
    other = sum(visit.seconds for visit in course.visits[:here])
    by_time = own / other if min(own, other) > NEGLIGIBLE_S else 1.0
    by_size = now.sources / course.sources if now.sources and course.sources else 1.0
    return min(max(sqrt(by_time * by_size), PACE[0]), PACE[1])


def _quantile(ordered: Sequence[float], share: float) -> float:
    """Return the value at this quantile (0–1) of at least one sorted value, by nearest rank."""
    return ordered[round(share * (len(ordered) - 1))]
