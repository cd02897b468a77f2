"""Verdicts of reviewers on claims, with the confidence that they were shown. Needs the tenant set."""

from citations.credibility.calibration import ReviewedClaim
from research.models import ReviewItem, ReviewKind, ReviewStatus

# A corrected claim was not right as it stood. Skipped and undone ones are waiting: they are no verdicts.
VERDICTS = {ReviewStatus.ACCEPTED: True, ReviewStatus.EDITED: False, ReviewStatus.REJECTED: False}


def verdicts(kind: str = "") -> list[ReviewedClaim]:
    """One for each claim that was decided and had a confidence, of all runs or those of one kind. One query.

    The confidence is that of the moment of the question, which the reviewer saw: what was computed since is another.
    """
    rows = ReviewItem.objects.filter(kind=ReviewKind.CLAIM, status__in=VERDICTS)
    if kind:
        rows = rows.filter(run__kind=kind)
    found = rows.order_by("created_at", "pk").values_list("shown__confidence", "status")
    return [
        ReviewedClaim(float(confidence), VERDICTS[ReviewStatus(status)])
        for confidence, status in found
        if confidence is not None
    ]
