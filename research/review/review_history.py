"""History of decisions on items: which acts still stand. An undo takes back its user's latest act that stands."""

from collections.abc import Iterable, Iterator

from django.contrib.auth.models import User

from research.models import ReviewAct, ReviewDecision, ReviewItem, ReviewStatus


def skip_undone(newest_first: Iterable[ReviewDecision]) -> Iterator[ReviewDecision]:
    """The acts that nobody took back, the newest first."""
    undone = 0
    for row in newest_first:
        if row.act == ReviewAct.UNDO:
            undone += 1
        elif undone:
            undone -= 1
        else:
            yield row


def latest_of(user: User) -> ReviewDecision | None:
    """The user's latest act that stands. Ids are ordered in time; `created_at` is that of the transaction's begin."""
    return next(skip_undone(ReviewDecision.objects.filter(by=user).order_by("-pk").iterator()), None)


def undone_status(item: ReviewItem, act: ReviewDecision) -> ReviewStatus | None:
    """The item's status without this act. None: it is not the last that was done with it."""
    acts = list(skip_undone(ReviewDecision.objects.filter(item=item).order_by("-pk")))
    if not acts or acts[0].pk != act.pk:
        return None
    was_skipped = len(acts) > 1 and acts[1].act == ReviewAct.SKIP
    return ReviewStatus.SKIPPED if was_skipped else ReviewStatus.OPEN
