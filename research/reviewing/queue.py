"""What waits for a reviewer, and who looks at what. All inside the caller's `tenant_context`.

An item is taken for five minutes: nobody else is offered it meanwhile. Who stays away longer loses it to the next.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Case, Count, Q, QuerySet, Value, When
from django.db.models.functions import Now

from research.models import EscalationStatus, Priority, ReviewItem, ReviewStatus, State

TAKEN_FOR = timedelta(minutes=5)
WAITING = (ReviewStatus.OPEN, ReviewStatus.SKIPPED)
OVER = (State.FAILED, State.CANCELLED)  # of these runs nothing is decided any more
URGENCY = Case(
    *(When(escalation__priority=priority, then=Value(rank)) for rank, priority in enumerate(Priority)),
    default=Value(len(Priority)),
)
IS_SKIPPED = Case(When(status=ReviewStatus.SKIPPED, then=Value(1)), default=Value(0))


class TakenByAnother(Exception):
    """Somebody else looks at the item; `name` says who."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


@dataclass(frozen=True, slots=True)
class QueueCounts:
    """`waiting` holds those that were skipped; `taken` those that somebody looks at now."""

    waiting: int
    skipped: int
    critical: int
    taken: int


def waiting(run_id: UUID | None = None) -> QuerySet[ReviewItem]:
    """What is to be decided: the most urgent first, then what is due first; what was skipped comes last.

    With their runs and questions. Without what nobody can decide any more.
    """
    items = ReviewItem.objects.filter(
        status__in=WAITING, escalation__status=EscalationStatus.OPEN, escalation__deadline__gt=Now()
    ).exclude(run__state__in=OVER)
    if run_id is not None:
        items = items.filter(run=run_id)
    ordered = items.order_by(IS_SKIPPED, URGENCY, "escalation__deadline", "escalation_id", "position")
    return ordered.select_related("run", "escalation")


def is_free_for(user: User) -> Q:
    return Q(taken_by=None) | Q(taken_by=user) | Q(taken_until=None) | Q(taken_until__lte=Now())


@transaction.atomic
def take_next(user: User, run_id: UUID | None = None, after: UUID | None = None) -> ReviewItem | None:
    """The first item that nobody else looks at, taken for this user; None: there is none.

    With `after` the queue is gone through from the item behind that one on, and that one comes last.
    """
    free = waiting(run_id).filter(is_free_for(user))
    for item_id in _from(list(free.values_list("pk", flat=True)), after):
        locked = free.filter(pk=item_id).select_for_update(skip_locked=True, no_key=True, of=("self",))
        item = locked.first()
        if item is not None:
            return _taken(item, user)
    return None


def _from(ids: Sequence[UUID], after: UUID | None) -> Sequence[UUID]:
    if after not in ids:
        return ids
    behind = ids.index(after) + 1
    return [*ids[behind:], *ids[:behind]]


@transaction.atomic
def take(item_id: UUID, user: User) -> ReviewItem:
    """Take one item. One that is decided already is given as it is. Raises TakenByAnother, ReviewItem.DoesNotExist."""
    rows = ReviewItem.objects.select_for_update(no_key=True, of=("self",))
    item = rows.select_related("run", "escalation", "taken_by").get(pk=item_id)
    if item.status not in WAITING:
        return item
    check_free(item, user)
    return _taken(item, user)


def check_free(item: ReviewItem, user: User) -> None:
    """Raises TakenByAnother."""
    if item.taken_by is None or item.taken_by == user:
        return
    if not ReviewItem.objects.filter(is_free_for(user), pk=item.pk).exists():
        raise TakenByAnother(item.taken_by.get_username())


def _taken(item: ReviewItem, user: User) -> ReviewItem:
    ReviewItem.objects.filter(pk=item.pk).update(taken_by=user, taken_until=Now() + TAKEN_FOR)
    item.refresh_from_db(fields=["taken_by", "taken_until"])
    return item


def release(item_id: UUID, user: User) -> None:
    """Let others take it: the user went away."""
    ReviewItem.objects.filter(pk=item_id, taken_by=user).update(taken_by=None, taken_until=None)


def counts(run_id: UUID | None = None) -> QueueCounts:
    found = (
        waiting(run_id)
        .order_by()
        .aggregate(
            waiting=Count("pk"),
            skipped=Count("pk", filter=Q(status=ReviewStatus.SKIPPED)),
            critical=Count("pk", filter=Q(escalation__priority=Priority.CRITICAL)),
            taken=Count("pk", filter=Q(taken_until__gt=Now()) & ~Q(taken_by=None)),
        )
    )
    return QueueCounts(**found)
