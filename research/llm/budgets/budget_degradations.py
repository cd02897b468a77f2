"""Degradations of a run whose tokens run short: the one that costs the least quality comes first, and each is
recorded.

A recipe calls `next_degradation` where it could do less, does less, and records it (spec: governance.md,
Budgets; lifecycle.md: a degradation is recorded, shown to the user, and named in the report). What a failure
cost the run is recorded in the same way, as a `Shortfall` (spec: lifecycle.md, Failures).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import ceil
from uuid import UUID

from django.db.models import F

from research.llm.budgets.budget_status import BudgetStatus
from research.models import AgentRole, Degradation, Run, State

ENOUGH_SOURCES = 0.7  # of the target
SECTIONS_KEPT = 0.6
CHECK_DROPPED_BELOW = 0.05  # of the tokens


class DegradationCode(StrEnum):
    """A part of the work that a run gives up to stay within its budget."""

    STOP_COLLECTING = "stop_collecting"
    SHALLOW_EXTRACTION = "shallow_extraction"
    FEWER_SECTIONS = "fewer_sections"
    NO_MODEL_VERIFICATION = "no_model_verification"


class Shortfall(StrEnum):
    """A loss to the run that a failure caused."""

    REDUCED_SCOPE = "reduced_scope"
    SOURCES_SKIPPED = "sources_skipped"
    UNVERIFIED_REMOVED = "unverified_removed"
    STRICT_SECTIONS = "strict_sections"
    MODEL_UNANSWERED = "model_unanswered"
    MODEL_PARTLY = "model_partly"
    READING_CUT_SHORT = "reading_cut_short"


@dataclass(frozen=True, slots=True)
class Loss:
    """A shortfall with its reason, for the reader. `impact` is the share of quality that it costs, 0–1."""

    code: Shortfall
    impact: float
    reason: str


@dataclass(frozen=True, slots=True)
class RunProgress:
    """The progress of a run, as far as it determines which degradations are possible."""

    state: State
    sources_found: int = 0
    target_sources: int = 0
    sources_unread: int = 0
    sections_total: int = 0
    sections_written: int = 0
    applied: frozenset[str] = frozenset()  # codes of the degradations that were applied before


@dataclass(frozen=True, slots=True)
class DegradationMeasure:
    """A degradation that can be applied.

    `impact` is the share of quality that it costs, 0–1; `role` is the role whose tokens it saves.
    """

    code: DegradationCode
    impact: float
    role: AgentRole
    reason: str
    helps: Callable[[RunProgress], bool]
    only_below: float | None = None  # share of the tokens left

    def is_due(self, status: BudgetStatus) -> bool:
        left = status.tokens_for(self.role)
        if self.only_below is None:
            return left.is_scarce
        return left.is_exceeded or left.share < self.only_below


BEFORE_READING = frozenset({State.CREATED, State.PLANNING, State.REPLANNING, State.COLLECTING})
BEFORE_ANALYSIS = BEFORE_READING | {State.READING}
BEFORE_WRITING = BEFORE_ANALYSIS | {State.ANALYZING}
BEFORE_THE_END = BEFORE_WRITING | {State.SYNTHESIZING, State.CITING, State.VERIFYING}


def has_enough_sources(progress: RunProgress) -> bool:
    is_looking = progress.state in BEFORE_READING
    return is_looking and progress.sources_found >= ENOUGH_SOURCES * max(progress.target_sources, 1)


def has_sources_to_read(progress: RunProgress) -> bool:
    return progress.state in BEFORE_ANALYSIS and (
        progress.sources_unread > 0 or progress.state in BEFORE_READING
    )


def has_sections_to_drop(progress: RunProgress) -> bool:
    kept = max(sections_kept(progress.sections_total), progress.sections_written)
    is_planned = progress.state in BEFORE_WRITING or progress.state is State.SYNTHESIZING
    return is_planned and kept < progress.sections_total


def is_before_the_end(progress: RunProgress) -> bool:
    return progress.state in BEFORE_THE_END


MEASURES: Sequence[DegradationMeasure] = (
    DegradationMeasure(
        DegradationCode.STOP_COLLECTING,
        0.15,
        AgentRole.RESEARCHER,
        "Few tokens were left, so the search ended with fewer sources than planned.",
        has_enough_sources,
    ),
    DegradationMeasure(
        DegradationCode.SHALLOW_EXTRACTION,
        0.20,
        AgentRole.EXTRACTOR,
        "Few tokens were left, so the remaining sources were read less deeply.",
        has_sources_to_read,
    ),
    DegradationMeasure(
        DegradationCode.FEWER_SECTIONS,
        0.25,
        AgentRole.WRITER,
        "Few tokens were left, so a model wrote only the first sections; rules arranged the claims of the others.",
        has_sections_to_drop,
    ),
    DegradationMeasure(
        DegradationCode.NO_MODEL_VERIFICATION,
        0.40,
        AgentRole.VERIFIER,
        "Too few tokens were left for a check by a model: the claims were checked by rules alone.",
        is_before_the_end,
        only_below=CHECK_DROPPED_BELOW,
    ),
)


def next_degradation(status: BudgetStatus, progress: RunProgress) -> DegradationMeasure | None:
    """Return the measure of least impact that is due, still helps, and was not applied yet.

    None if the run can go on as planned.
    """
    open_measures = (measure for measure in MEASURES if measure.code not in progress.applied)
    return next(
        (measure for measure in open_measures if measure.is_due(status) and measure.helps(progress)), None
    )


def sections_kept(total: int) -> int:
    """Return how many of the outline's first sections a model writes when there must be fewer.

    Rules arrange the rest.
    """
    return ceil(SECTIONS_KEPT * total)


def record_degradation(run_id: UUID, measure: DegradationMeasure) -> bool:
    """Record a degradation of a run for its readers and its report. Needs `tenant_context`.

    Return False if it was recorded before.
    """
    run = Run.objects.select_for_update(no_key=True).get(pk=run_id)
    row = {"reason": measure.reason, "quality_impact": measure.impact}
    _row, is_new = Degradation.objects.get_or_create(run=run, code=measure.code.value, defaults=row)
    if is_new:
        _show(run)
    return is_new


def record_loss(run_id: UUID, loss: Loss) -> bool:
    """Record what a failure cost the run; a second loss of the same code replaces the first.

    Needs `tenant_context`.

    Return False if nothing changed.
    """
    run = Run.objects.select_for_update(no_key=True).get(pk=run_id)
    row = {"reason": loss.reason, "quality_impact": round(min(1.0, loss.impact), 4)}
    known = Degradation.objects.filter(run=run, code=loss.code.value, **row)
    if known.exists():
        return False
    Degradation.objects.update_or_create(run=run, code=loss.code.value, defaults=row)
    _show(run)
    return True


def forget_loss(run_id: UUID, *codes: Shortfall) -> None:
    """Delete recorded shortfalls that no longer hold. Needs `tenant_context`."""
    gone, _ = Degradation.objects.filter(run=run_id, code__in=[code.value for code in codes]).delete()
    if gone:
        _show(Run.objects.select_for_update(no_key=True).get(pk=run_id))


def _show(run: Run) -> None:
    """Copy the degradations to the run's own row, which is locked: pages and exports read them from there."""
    rows = Degradation.objects.filter(run=run).order_by("created_at", "id")
    shown = list(rows.values("code", "reason", "quality_impact"))
    Run.objects.filter(pk=run.pk).update(degradations=shown, snapshot_version=F("snapshot_version") + 1)
