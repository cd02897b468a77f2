"""A snapshot of a run for its progress page, read as one version so that its figures are consistent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property

from django.db.models import Count, OuterRef, QuerySet, Subquery, prefetch_related_objects
from django.db.models.functions import Coalesce
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from citations.models import Citation, Claim
from exports.building.build_document import degradations_of
from exports.building.build_document_method import sufficiency_of
from exports.document.document_tree import DegradationEntry, SufficiencyEntry
from research.db.bulk_sql import rows_of
from research.models import Chunk, Instruction, Kind, Run, Source, SourceStatus, State
from research.pipelines.table.read_table_rows import RowCounts, counts_of
from research.review.apply_review_decisions import select_runs_with_pending_decisions
from research.runs.run_durations import time_left_of
from research.web.runs.active_steps_view import AtWork, at_work, find_queue_position, sentence_of
from research.web.runs.latest_steps_view import LatestStep, latest_steps
from research.web.runs.run_spending_view import Spending, get_spending

FIRST_INTERVAL, LATER_INTERVAL = 2, 5  # seconds between polls
SLOWER_AFTER = timedelta(minutes=2)
# How often values that depend only on the time are updated: the time left, the reason for waiting.
TOLD_ANEW_S = 15
CHECKED_ANEW = (State.HUMAN_REVIEW_VERIFICATION, State.COMPLETED)  # where people decide about claims

STAGES: Sequence[tuple[State, Promise]] = (
    (State.PLANNING, _("Plan")),
    (State.COLLECTING, _("Search")),
    (State.READING, pgettext_lazy("stage", "Read")),
    (State.ANALYZING, _("Compare")),
    (State.SYNTHESIZING, _("Write")),
    (State.CITING, _("Cite")),
    (State.VERIFYING, _("Check")),
)

# The stages that a run goes through depend on its input.
STAGES_OF_KINDS: Mapping[str, Sequence[tuple[State, Promise]]] = {
    Kind.TABLE: (
        (State.PLANNING, _("Plan")),
        (State.COLLECTING, pgettext_lazy("stage", "Look up")),
        (State.SYNTHESIZING, pgettext_lazy("stage", "Sum up")),
    ),
    Kind.BRIEF: (
        (State.PLANNING, pgettext_lazy("stage", "Take in")),
        (State.SYNTHESIZING, _("Write")),
        (State.VERIFYING, _("Check")),
    ),
    Kind.DIGEST: (
        (State.ANALYZING, pgettext_lazy("stage", "Take in")),
        (State.SYNTHESIZING, _("Write")),
    ),
    Kind.SYNTHESIS: (
        (State.ANALYZING, pgettext_lazy("stage", "Take in")),
        (State.SYNTHESIZING, _("Write")),
    ),
}

# The stage to show while a person is asked a question, and during replanning.
STANDS_AT: Mapping[str, State] = {
    State.HUMAN_REVIEW_PLAN: State.PLANNING,
    State.REPLANNING: State.PLANNING,
    State.HUMAN_REVIEW_GAPS: State.ANALYZING,
    State.HUMAN_REVIEW_CONFLICTS: State.ANALYZING,
    State.HUMAN_REVIEW_VERIFICATION: State.VERIFYING,
}


@dataclass(frozen=True, slots=True)
class RunStage:
    name: str
    progress: str  # done, now, next


@dataclass(frozen=True, slots=True)
class Counter:
    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Remaining:
    """The likely remaining minutes as a range; (0, 1) means less than one."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class StageProgress:
    """The progress of the current stage, counted in the items that it processes."""

    name: str
    done: int
    total: int


@dataclass(frozen=True)
class Snapshot:
    """The state of a run at one moment, for its progress page.

    Values that the page of an ended run does not show are loaded when they are needed.
    """

    run: Run
    tag: str
    interval: int  # seconds until the page polls again
    elapsed: str  # since the run began, as "2:10"; a script continues it
    stages: tuple[RunStage, ...]
    counters: tuple[Counter, ...]
    part: StageProgress | None
    at_work: AtWork
    waits: str  # a sentence on what the whole run waits for; empty if nothing
    queued: int | None  # its position among the runs that have not begun
    remaining: Remaining | None
    spending: Spending | None
    degradations: tuple[DegradationEntry, ...]
    sufficiency: SufficiencyEntry | None
    told: tuple[Instruction, ...]
    is_checked_anew: bool  # whether people's decisions on it are not applied yet

    @cached_property
    def feed(self) -> tuple[LatestStep, ...]:
        return latest_steps(self.run)

    @cached_property
    def failures(self) -> tuple[Source, ...]:
        failed = Source.objects.filter(run=self.run, status=SourceStatus.FAILED)
        return tuple(failed.order_by("-updated_at")[:3])

    @cached_property
    def newest(self) -> Citation | None:
        quoted = Citation.objects.filter(claim__run=self.run).select_related("source")
        return quoted.order_by("-created_at", "-id").first()

    @cached_property
    def passage(self) -> Chunk | None:
        """Return the passage read last, while nothing is cited yet."""
        return None if self.newest or self.run.is_finished else _passage(self.run)

    @property
    def position(self) -> int:
        """Return the number of the current stage, from 1; 0 before the first and after the last."""
        return next((n for n, stage in enumerate(self.stages, start=1) if stage.progress == "now"), 0)


def tag_of(run: Run, now: datetime) -> str:
    """Return a tag that changes exactly when the polled block would look different."""
    is_ending = int(run.cancel_at is not None)
    moment = (
        0
        if run.paused_at or not run.is_active
        else int(_compute_elapsed(run, now).total_seconds() / TOLD_ANEW_S)
    )
    return f"{run.version}.{run.snapshot_version}.{is_ending}.{interval_of(run, now)}.{moment}"


def interval_of(run: Run, now: datetime) -> int:
    return FIRST_INTERVAL if _compute_elapsed(run, now) < SLOWER_AFTER else LATER_INTERVAL


def _compute_elapsed(run: Run, now: datetime) -> timedelta:
    return now - (run.started_at or run.created_at)


def _clock(passed: timedelta) -> str:
    minutes, seconds = divmod(max(int(passed.total_seconds()), 0), 60)
    return f"{minutes}:{seconds:02}"


def select_runs_with_counts() -> QuerySet[Run]:
    """Return runs with the counts that are not columns, so that one statement reads all figures."""
    return Run.objects.annotate(
        sources_failed=_count(Source.objects.filter(status=SourceStatus.FAILED)),
        claims_placed=_count(Claim.objects.filter(section__isnull=False)),
    )


def _count(rows: QuerySet[Source] | QuerySet[Claim]) -> Coalesce:
    of_run = rows.filter(run=OuterRef("pk")).order_by().values("run")
    return Coalesce(Subquery(of_run.annotate(count=Count("pk")).values("count")), 0)


def take_snapshot(run: Run, now: datetime) -> Snapshot:
    """Return the snapshot of a run from `select_runs_with_counts`."""
    rows = counts_of(run) if run.kind == Kind.TABLE else None
    counters = _counters(run) if rows is None else _row_counters(run, rows)
    working = at_work(run, now) if not run.is_finished else AtWork((), 0)
    return Snapshot(
        run=run,
        tag=tag_of(run, now),
        interval=interval_of(run, now),
        elapsed=_clock(_compute_elapsed(run, now)),
        stages=stages(run.state, run.kind),
        counters=counters,
        part=_part(run, rows),
        at_work=working,
        waits=sentence_of(working.wait, now) if working.wait else "",
        queued=find_queue_position(run),
        remaining=_estimate_remaining(run, now),
        spending=get_spending(run),
        degradations=degradations_of(run),
        sufficiency=_find_sufficiency(run),
        told=load_instructions(run),
        is_checked_anew=run.state in CHECKED_ANEW and select_runs_with_pending_decisions(run.pk).exists(),
    )


def _find_sufficiency(run: Run) -> SufficiencyEntry | None:
    """Return the sufficiency verdict; None during the first search for sources."""
    judged = sufficiency_of(run)
    is_first_search = judged is not None and judged.rounds == 1 and run.state == State.COLLECTING
    return None if is_first_search else judged


def load_instructions(run: Run) -> tuple[Instruction, ...]:
    """Return the instructions given to the run while it was active, in order."""
    rows = rows_of(Instruction, "WHERE one.run_id = %(run)s ORDER BY one.created_at, one.id", {"run": run.pk})
    prefetch_related_objects(rows, "author")
    return tuple(rows)


def stages(state: str, kind: str = Kind.REPORT) -> tuple[RunStage, ...]:
    """Return the stages: all are done after the run has completed; none is current while it is queued or recovering."""
    passed = STAGES_OF_KINDS.get(kind, STAGES)
    order = [stage for stage, _name in passed]
    at = STANDS_AT.get(state, State(state))
    here = order.index(at) if at in order else None
    all_done = state in (State.EXPORTING, State.COMPLETED)
    return tuple(RunStage(str(name), _progress(n, here, all_done)) for n, (_state, name) in enumerate(passed))


def _progress(number: int, here: int | None, all_done: bool) -> str:
    if all_done or (here is not None and number < here):
        return "done"
    return "now" if number == here else "next"


def _counters(run: Run) -> tuple[Counter, ...]:
    counts = vars(run)  # including those that `select_runs_with_counts` adds
    sections = f"{run.sections_completed}/{run.total_sections}" if run.total_sections else "0"
    figures = (
        (_("Found"), str(run.sources_found)),
        (_("Read"), str(run.sources_processed)),
        (_("Failed"), str(counts["sources_failed"])),
        (_("Sections"), sections),
        (_("Claims"), str(counts["claims_placed"])),
    )
    return tuple(Counter(str(name), value) for name, value in figures)


def _row_counters(run: Run, rows: RowCounts) -> tuple[Counter, ...]:
    figures = (
        (_("Rows"), rows.total),
        (pgettext_lazy("rows", "Done"), rows.completed),
        (pgettext_lazy("rows", "Failed"), rows.failed),
        (pgettext_lazy("rows", "Disputed"), rows.disputed),
        (_("Sources"), run.sources_found),
    )
    return tuple(Counter(str(name), str(value)) for name, value in figures)


def _part(run: Run, rows: RowCounts | None) -> StageProgress | None:
    """Return the progress within a stage whose work can be counted from its beginning; None for other stages."""
    if rows is not None:
        is_looking = run.state == State.COLLECTING and rows.total
        return (
            StageProgress(str(_("rows done")), rows.completed + rows.failed, rows.total)
            if is_looking
            else None
        )
    parts = {
        State.READING: (_("sources read"), run.sources_processed, run.sources_found),
        State.SYNTHESIZING: (_("sections written"), run.sections_completed, run.total_sections),
    }.get(State(run.state))
    if parts is None or not parts[2]:
        return None
    return StageProgress(str(parts[0]), min(parts[1], parts[2]), parts[2])


def _passage(run: Run) -> Chunk | None:
    """Return a passage of the source read last; None if none was read."""
    rows = Chunk.objects.filter(run=run).select_related("source").defer("embedding")
    return rows.order_by("-created_at", "chunk_index").first()


def _estimate_remaining(run: Run, now: datetime) -> Remaining | None:
    """Return the remaining time; None if too little is known yet."""
    left = time_left_of(run, now)
    return Remaining(*left.minutes) if left else None
