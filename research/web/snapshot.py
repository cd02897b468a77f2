"""What the progress page shows at one moment: one version, so that its figures never disagree."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil, floor

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from citations.models import Citation, Claim
from exports.build import degradations_of
from exports.document import DegradationEntry, SufficiencyEntry
from exports.method import sufficiency_of
from research.models import Instruction, Run, Source, SourceStatus, State, Step
from research.web.spending import Spending, spending_of

FIRST_INTERVAL, LATER_INTERVAL = 2, 5  # seconds between polls
SLOWER_AFTER = timedelta(minutes=2)
FEED_LENGTH = 8

STAGES: Sequence[tuple[State, Promise]] = (
    (State.PLANNING, _("Plan")),
    (State.COLLECTING, _("Search")),
    (State.READING, pgettext_lazy("stage", "Read")),
    (State.ANALYZING, _("Compare")),
    (State.SYNTHESIZING, _("Write")),
    (State.CITING, _("Cite")),
    (State.VERIFYING, _("Check")),
)

# Where the rail stands while a person is asked, and while a plan is made anew.
STANDS_AT: Mapping[str, State] = {
    State.HUMAN_REVIEW_PLAN: State.PLANNING,
    State.REPLANNING: State.PLANNING,
    State.HUMAN_REVIEW_GAPS: State.ANALYZING,
    State.HUMAN_REVIEW_CONFLICTS: State.ANALYZING,
    State.HUMAN_REVIEW_VERIFICATION: State.VERIFYING,
}


@dataclass(frozen=True, slots=True)
class Stage:
    name: str
    progress: str  # done, now, next


@dataclass(frozen=True, slots=True)
class Counter:
    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Remaining:
    """Minutes that are likely left, as a range; (0, 0) is less than one."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Snapshot:
    run: Run
    tag: str
    interval: int  # seconds until the page asks again
    stages: tuple[Stage, ...]
    counters: tuple[Counter, ...]
    feed: tuple[Step, ...]
    failures: tuple[Source, ...]
    newest: Citation | None
    remaining: Remaining | None
    spending: Spending | None
    degradations: tuple[DegradationEntry, ...]
    sufficiency: SufficiencyEntry | None
    told: tuple[Instruction, ...]

    @property
    def position(self) -> int:
        """Number of the present stage, from 1; 0 before the first and where the run has left them."""
        return next((n for n, stage in enumerate(self.stages, start=1) if stage.progress == "now"), 0)


def tag_of(run: Run, now: datetime) -> str:
    """Changes exactly when the polled block would look different."""
    is_ending = int(run.cancel_at is not None)
    return f"{run.version}.{run.snapshot_version}.{is_ending}.{interval_of(run, now)}"


def interval_of(run: Run, now: datetime) -> int:
    began = run.started_at or run.created_at
    return FIRST_INTERVAL if now - began < SLOWER_AFTER else LATER_INTERVAL


def counted_runs() -> QuerySet[Run]:
    """Runs with the counts that no column holds, so that all figures come from one statement."""
    return Run.objects.annotate(
        sources_failed=_count(Source.objects.filter(status=SourceStatus.FAILED)),
        claims_placed=_count(Claim.objects.filter(section__isnull=False)),
    )


def _count(rows: QuerySet[Source] | QuerySet[Claim]) -> Coalesce:
    of_run = rows.filter(run=OuterRef("pk")).order_by().values("run")
    return Coalesce(Subquery(of_run.annotate(count=Count("pk")).values("count")), 0)


def take_snapshot(run: Run, now: datetime) -> Snapshot:
    """Of one of `counted_runs`."""
    worked_on = Step.objects.filter(run=run, started_at__isnull=False).defer("input", "output")
    failed = Source.objects.filter(run=run, status=SourceStatus.FAILED)
    quoted = Citation.objects.filter(claim__run=run).select_related("source")
    return Snapshot(
        run=run,
        tag=tag_of(run, now),
        interval=interval_of(run, now),
        stages=stages(run.state),
        counters=_counters(run),
        feed=tuple(worked_on.order_by("-step_index")[:FEED_LENGTH]),
        failures=tuple(failed.order_by("-updated_at")[:3]),
        newest=quoted.order_by("-created_at", "-id").first(),
        remaining=remaining(run.estimated_seconds_remaining),
        spending=spending_of(run),
        degradations=degradations_of(run),
        sufficiency=sufficiency_of(run),
        told=told_to(run),
    )


def told_to(run: Run) -> tuple[Instruction, ...]:
    """What the run was told while it was under way, in that order."""
    return tuple(Instruction.objects.filter(run=run).select_related("author").order_by("created_at", "id"))


def stages(state: str) -> tuple[Stage, ...]:
    """The rail: all done once the run completed; none is current while it is queued or recovering."""
    order = [stage for stage, _name in STAGES]
    at = STANDS_AT.get(state, State(state))
    here = order.index(at) if at in order else None
    all_done = state in (State.EXPORTING, State.COMPLETED)
    return tuple(Stage(str(name), _progress(n, here, all_done)) for n, (_state, name) in enumerate(STAGES))


def _progress(number: int, here: int | None, all_done: bool) -> str:
    if all_done or (here is not None and number < here):
        return "done"
    return "now" if number == here else "next"


def _counters(run: Run) -> tuple[Counter, ...]:
    counts = vars(run)  # with those that `counted_runs` adds
    sections = f"{run.sections_completed}/{run.total_sections}" if run.total_sections else "0"
    figures = (
        (_("Found"), str(run.sources_found)),
        (_("Read"), str(run.sources_processed)),
        (_("Failed"), str(counts["sources_failed"])),
        (_("Sections"), sections),
        (_("Claims"), str(counts["claims_placed"])),
    )
    return tuple(Counter(str(name), value) for name, value in figures)


def remaining(seconds: int | None) -> Remaining | None:
    """A range around the estimate, a fifth below to a third above; None while there is too little to tell."""
    if seconds is None:
        return None
    if seconds < 60:
        return Remaining(0, 0)
    low = max(1, floor(seconds * 0.8 / 60))
    return Remaining(low, max(low + 1, ceil(seconds * 1.33 / 60)))
