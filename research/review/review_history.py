"""The history of decisions: which acts are still in effect. An undo cancels its user's latest act in effect."""

from collections.abc import Iterable, Iterator

from django.contrib.auth.models import User

from research.models import ReviewAct, ReviewDecision, ReviewItem, ReviewStatus


def skip_undone(newest_first: Iterable[ReviewDecision]) -> Iterator[ReviewDecision]:
    """Yield the acts that were not undone, newest first."""
    undone = 0
    for row in newest_first:
        if row.act == ReviewAct.UNDO:
            undone += 1
        elif undone:
            undone -= 1
        else:
            yield row


def latest_of(user: User) -> ReviewDecision | None:
    """Return the user's latest act in effect, by id: `created_at` is the time at which the transaction began."""
    return next(skip_undone(ReviewDecision.objects.filter(by=user).order_by("-pk").iterator()), None)


def undone_status(item: ReviewItem, act: ReviewDecision) -> ReviewStatus | None:
    """Return the item's status without this act; None if it is not the item's last act."""
    acts = list(skip_undone(ReviewDecision.objects.filter(item=item).order_by("-pk")))
    if not acts or acts[0].pk != act.pk:
        return None
    was_skipped = len(acts) > 1 and acts[1].act == ReviewAct.SKIP
    return ReviewStatus.SKIPPED if was_skipped else ReviewStatus.OPEN
