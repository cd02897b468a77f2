"""Escalations of runs for the pages: open questions first, then decided ones."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Case, Count, Prefetch, Q, QuerySet, Value, When

from research.engine.states.state_exit_conditions import MAX_REPLANS
from research.engine.states.state_review_items import MARKING
from research.models import (
    Escalation,
    EscalationStatus,
    EscalationType,
    Priority,
    ReviewDecision,
    ReviewItem,
    ReviewKind,
    ReviewStatus,
    Run,
)

MAX_SHOWN = 5  # items shown on the run's page; the review queue shows all
_URGENCY = Case(
    *(When(priority=priority, then=Value(place)) for place, priority in enumerate(Priority.values))
)
_UNDECIDED = Q(items__status__in=[ReviewStatus.OPEN, ReviewStatus.SKIPPED])


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """An open question with its first items."""

    asked: Escalation
    items: Sequence[ReviewItem]
    total: int
    undecided: int
    may_replan: bool

    @property
    def is_blocking(self) -> bool:
        return self.asked.type == EscalationType.BLOCKING

    @property
    def is_about_plan(self) -> bool:
        return any(item.kind == ReviewKind.PLAN for item in self.items)

    @property
    def decided_count(self) -> int:
        return self.total - self.undecided

    @property
    def more(self) -> int:
        return self.total - len(self.items)


@dataclass(frozen=True, slots=True)
class RefusedAnswer:
    """A refused answer as it was typed, with the reason."""

    question: UUID
    note: str
    message: str


@dataclass(frozen=True, slots=True)
class EscalationReview:
    """A closed escalation and the decisions on it."""

    asked: Escalation
    acts: Sequence[ReviewDecision]

    @property
    def note(self) -> str:
        return str((self.asked.decision or {}).get("note", ""))

    @property
    def problem(self) -> str:
        """Return the reason why the decision cannot be applied; empty if it was or will be."""
        return str((self.asked.decision or {}).get("problem", ""))


def _select_run_questions() -> QuerySet[Escalation]:
    """Return the questions of runs, without reviews that only mark claims of a finished run."""
    return Escalation.objects.exclude(rule=MARKING)


def open_questions() -> QuerySet[Escalation]:
    """Return the open questions of all runs of the tenant, the most urgent first, then by deadline."""
    asked = _select_run_questions().filter(status=EscalationStatus.OPEN, run__cancel_at=None)
    return asked.select_related("run").defer("run__plan", "run__outline").order_by(_URGENCY, "deadline", "pk")


def questions_of(run: Run) -> list[OpenQuestion]:
    """Return the run's open questions. Makes two queries, or one if there is none."""
    counted = (_select_run_questions().filter(run=run, status=EscalationStatus.OPEN)).annotate(
        total=Count("items"), undecided=Count("items", filter=_UNDECIDED)
    )
    escalations = list(counted.order_by(_URGENCY, "deadline", "pk"))
    items = _first_items(escalations)
    return [
        OpenQuestion(
            asked=escalation,
            items=items.get(escalation.pk, ()),
            total=vars(escalation)["total"],
            undecided=vars(escalation)["undecided"],
            may_replan=may_replan(run),
        )
        for escalation in escalations
    ]


def may_replan(run: Run) -> bool:
    """Return True if an answer may send the run back to its plan."""
    return run.is_waiting and run.cancel_at is None and run.replan_count < MAX_REPLANS


def _first_items(asked: Sequence[Escalation]) -> Mapping[UUID, Sequence[ReviewItem]]:
    if not asked:
        return {}
    rows = ReviewItem.objects.filter(escalation__in=asked, position__lte=MAX_SHOWN).order_by("position")
    found: dict[UUID, list[ReviewItem]] = defaultdict(list)
    for row in rows:
        found[row.escalation_id].append(row)
    return found


def decisions_of(run_id: UUID) -> list[EscalationReview]:
    """Return the run's questions that were answered or expired, in order. Makes at most two queries."""
    closed = _select_run_questions().filter(run_id=run_id).exclude(status=EscalationStatus.OPEN)
    acts = ReviewDecision.objects.select_related("by", "item").order_by("created_at", "pk")
    rows = closed.select_related("decided_by").prefetch_related(Prefetch("decisions", queryset=acts))
    return [EscalationReview(row, list(row.decisions.all())) for row in rows.order_by("created_at", "pk")]
