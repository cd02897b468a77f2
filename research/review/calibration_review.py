"""Have reviewers mark every claim of a finished run as right or wrong, to calibrate kinds of run that ask
nobody.

The escalation is like any other and in the same queue, but a person requests it for a run that has ended. Marks
are stored beside the claims and change nothing in the run. All functions need the tenant set.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as noop

from research.engine.db_time import seconds_from_now
from research.engine.states.state_context import visit_key
from research.engine.states.state_review_items import MARKING, items_for
from research.engine.states.transitions import lock_run
from research.models import (
    Escalation,
    EscalationStatus,
    EscalationType,
    Fallback,
    Kind,
    Priority,
    ReviewItem,
    ReviewKind,
    ReviewStatus,
    Run,
    State,
)
from research.review.review_queue import WAITING
from research.runtime.logs import logger

MARKED = frozenset({Kind.BRIEF, Kind.DIGEST, Kind.SYNTHESIS})
WAITS_S = 30 * 24 * 3_600
ACTION = noop("Mark each claim as right or wrong. The run itself stays as it is.")

log = logger(__name__)


class CannotMark(Exception):
    """The claims can't be marked; str() says why."""


@dataclass(frozen=True, slots=True)
class ReviewerMark:
    """A reviewer's verdict on a claim."""

    number: int
    text: str
    is_right: bool
    by: str
    when: datetime
    note: str


@dataclass(frozen=True, slots=True)
class Marks:
    """The marks that reviewers have given to a run's claims. `total` is 0 if no review was requested."""

    total: int
    given: Sequence[ReviewerMark]
    is_open: bool

    @property
    def right(self) -> int:
        return sum(mark.is_right for mark in self.given)

    @property
    def wrong(self) -> Sequence[ReviewerMark]:
        return [mark for mark in self.given if not mark.is_right]

    @property
    def is_whole(self) -> bool:
        return bool(self.total) and len(self.given) == self.total


@transaction.atomic
def ask_for_marks(run_id: UUID, by: User) -> Escalation:
    """Return the escalation for marking all claims of a run.

    A second call returns the same one, reopened if it had expired. Raises CannotMark.
    """
    run = lock_run(run_id)
    if run is None or run.kind not in MARKED or run.state != State.COMPLETED:
        raise CannotMark(_("Only the claims of a finished brief, digest or synthesis are marked."))
    known = Escalation.objects.filter(run=run, rule=MARKING).first()
    return _create_question(run, by) if known is None else _reopen_question(known)


def _create_question(run: Run, by: User) -> Escalation:
    asked = save_question(build_question(run, by, MARKING, ACTION, visit_key(run)))
    if asked is None:
        raise CannotMark(_("It has no claim that could be marked."))
    log.info("marks_asked_for", run=str(run.pk), items=asked.items.count())
    return asked


def build_question(run: Run, by: User, rule: str, action: str, visit: str) -> Escalation:
    """Build an escalation about the claims of a finished run that a person requested."""
    return Escalation(
        run=run,
        visit=visit,
        rule=rule,
        state=run.state,
        priority=Priority.LOW,
        type=EscalationType.ADVISORY,
        required_action=action,
        context={"asked_by": by.get_username()},
        deadline=seconds_from_now(WAITS_S),
        fallback=Fallback.CONTINUE,
    )


def save_question(asked: Escalation) -> Escalation | None:
    """Store the escalation with its claims; return None if there are none."""
    items = items_for(ReviewKind.CLAIM, asked.run, asked)
    if not items:
        return None
    asked.save()
    asked.refresh_from_db(fields=["deadline"])
    ReviewItem.objects.bulk_create(items)
    return asked


def _reopen_question(asked: Escalation) -> Escalation:
    """Reopen an escalation that has expired with claims left to mark."""
    is_over = asked.status == EscalationStatus.EXPIRED or asked.deadline <= timezone.now()
    if is_over and ReviewItem.objects.filter(escalation=asked, status__in=WAITING).exists():
        Escalation.objects.filter(pk=asked.pk).update(
            status=EscalationStatus.OPEN, deadline=seconds_from_now(WAITS_S), updated_at=Now()
        )
        asked.refresh_from_db()
    return asked


def marks_of(run: Run) -> Marks | None:
    """Return a run's marks; None if its kind is not marked or it has not completed. One query."""
    if run.kind not in MARKED or run.state != State.COMPLETED:
        return None
    rows = list(_items(run.pk).order_by("position"))
    now = timezone.now()
    is_open = any(
        row.status in WAITING
        and row.escalation.status == EscalationStatus.OPEN
        and row.escalation.deadline > now
        for row in rows
    )
    return Marks(len(rows), [_mark(row) for row in rows if row.status not in WAITING], is_open)


def mark_of(run_id: UUID, number: int) -> ReviewerMark | None:
    """Return the reviewer's mark on one claim, or None. One query."""
    row = _items(run_id).filter(shown__number=number).exclude(status__in=WAITING).first()
    return None if row is None else _mark(row)


def _items(run_id: UUID) -> QuerySet[ReviewItem]:
    rows = ReviewItem.objects.filter(run=run_id, escalation__rule=MARKING)
    return rows.select_related("escalation", "decided_by")


def _mark(row: ReviewItem) -> ReviewerMark:
    return ReviewerMark(
        number=int(row.shown.get("number") or 0),
        text=str(row.shown.get("text", "")),
        is_right=row.status == ReviewStatus.ACCEPTED,
        by=row.decided_by.get_username() if row.decided_by else "",
        when=row.decided_at or row.updated_at,
        note=str((row.decision or {}).get("note", "")),
    )
