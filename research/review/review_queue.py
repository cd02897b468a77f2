"""The review queue: items that wait for a reviewer, and who has claimed which. Needs the caller's
`tenant_context`.

A claim lasts five minutes, during which nobody else is offered the item. After that, another reviewer may claim
it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import BooleanField, Case, Count, ExpressionWrapper, Min, Q, QuerySet, Value, When
from django.db.models.functions import Now

from research.models import EscalationStatus, Priority, ReviewItem, ReviewStatus, State

TAKEN_FOR = timedelta(minutes=5)
WAITING = (ReviewStatus.OPEN, ReviewStatus.SKIPPED)
OVER = (State.FAILED, State.CANCELLED)  # of these runs nothing is decided any more
URGENCY = Case(
    *(When(escalation__priority=priority, then=Value(rank)) for rank, priority in enumerate(Priority)),
    default=Value(len(Priority)),
)
OWN = tuple(field.name for field in ReviewItem._meta.concrete_fields if field.name != "taken_until")
OF_RUN = ("run__tenant", "run__kind", "run__topic", "run__plan")
OF_QUESTION = tuple(f"escalation__{name}" for name in ("tenant", "rule", "priority", "deadline", "fallback"))
IS_SKIPPED = Case(When(status=ReviewStatus.SKIPPED, then=Value(1)), default=Value(0))


class TakenByAnother(Exception):
    """Another person has claimed the item; `name` says who."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


@dataclass(frozen=True, slots=True)
class ReviewAssignment:
    """The next item, claimed for a user; None if there is none. `waiting` counts all waiting items."""

    item: ReviewItem | None
    waiting: int


@dataclass(frozen=True, slots=True)
class RunThatWaits:
    """A run with items that wait for a decision, counted by kind."""

    id: UUID
    topic: str
    counts: Mapping[str, int]


def select_waiting_items(run_id: UUID | None = None) -> QuerySet[ReviewItem]:
    """Return the items to decide: most urgent first, then by deadline; skipped ones last.

    Their runs and escalations are joined. Items that can no longer be decided are left out.
    """
    items = ReviewItem.objects.filter(
        status__in=WAITING, escalation__status=EscalationStatus.OPEN, escalation__deadline__gt=Now()
    ).exclude(run__state__in=OVER)
    if run_id is not None:
        items = items.filter(run=run_id)
    ordered = items.order_by(IS_SKIPPED, URGENCY, "escalation__deadline", "escalation_id", "position")
    return ordered.select_related("run", "escalation")


def runs_that_wait() -> Sequence[RunThatWaits]:
    """Return the runs with waiting items, the most urgent first."""
    rows = select_waiting_items().order_by().values("run", "run__topic", "kind")
    counted = rows.annotate(count=Count("pk"), rank=Min(URGENCY), due=Min("escalation__deadline"))
    topics: dict[UUID, str] = {}
    counts: dict[UUID, dict[str, int]] = {}
    for row in sorted(counted, key=lambda row: (row["rank"], row["due"])):
        topics[row["run"]] = row["run__topic"]
        counts.setdefault(row["run"], {})[row["kind"]] = row["count"]
    return [RunThatWaits(run_id, topics[run_id], of_run) for run_id, of_run in counts.items()]


def is_free_for(user: User) -> Q:
    return Q(taken_by=None) | Q(taken_by=user) | Q(taken_until=None) | Q(taken_until__lte=Now())


def offer(user: User, run_id: UUID | None = None, after: UUID | None = None) -> ReviewAssignment:
    """Claim the first item that nobody else has claimed, and count those that wait, in one query of the
    queue.

    With `after`, the search starts behind that item and wraps around, so that it comes last.
    """
    is_free = ExpressionWrapper(is_free_for(user), BooleanField())
    line = list(select_waiting_items(run_id).values_list("pk", is_free))
    free = [pk for pk, may_be_taken in line if may_be_taken]
    taken = (_claim_free_item(item_id, user) for item_id in _from(free, after))
    return ReviewAssignment(next(filter(None, taken), None), len(line))


def take_next(user: User, run_id: UUID | None = None, after: UUID | None = None) -> ReviewItem | None:
    """Return the item that `offer` gives."""
    return offer(user, run_id, after).item


def _claim_free_item(item_id: UUID, user: User) -> ReviewItem | None:
    """Claim an item; None if somebody else has just claimed or decided it."""
    rows = _select_review_items().select_for_update(skip_locked=True, no_key=True, of=("self",))
    item = rows.filter(is_free_for(user), pk=item_id, status__in=WAITING).first()
    return None if item is None else _claim_item(item, user)


def _select_review_items() -> QuerySet[ReviewItem]:
    """Select only the columns of the run and the escalation that the review page shows, as the others are long."""
    return ReviewItem.objects.select_related("run", "escalation").only(*OWN, *OF_RUN, *OF_QUESTION)


def _from(ids: Sequence[UUID], after: UUID | None) -> Sequence[UUID]:
    if after not in ids:
        return ids
    behind = ids.index(after) + 1
    return [*ids[behind:], *ids[:behind]]


def take(item_id: UUID, user: User) -> ReviewItem:
    """Claim one item; a decided one is returned as it is. Raises TakenByAnother and ReviewItem.DoesNotExist."""
    item = _select_review_items().select_for_update(no_key=True, of=("self",)).get(pk=item_id)
    if item.status not in WAITING:
        return item
    check_free(item, user)
    return _claim_item(item, user)


def look_at(item_id: UUID, user: User) -> ReviewItem:
    """Return an item without claiming or locking it, to decide it at once.

    Raises TakenByAnother and ReviewItem.DoesNotExist.
    """
    item = _select_review_items().get(pk=item_id)
    if item.status in WAITING:
        check_free(item, user)
    return item


def check_free(item: ReviewItem, user: User) -> None:
    """Raise TakenByAnother if another user has claimed the item."""
    if item.taken_by_id in (None, user.pk):
        return
    is_free = ReviewItem.objects.filter(is_free_for(user), pk=item.pk).exists()
    if item.taken_by is not None and not is_free:
        raise TakenByAnother(item.taken_by.get_username())


def _claim_item(item: ReviewItem, user: User) -> ReviewItem:
    ReviewItem.objects.filter(pk=item.pk).update(taken_by=user, taken_until=Now() + TAKEN_FOR)
    item.taken_by = user
    return item
