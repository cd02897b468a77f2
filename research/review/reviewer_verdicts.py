"""Reviewers' verdicts on claims with the confidence that was shown to them. Needs the tenant set."""

from citations.credibility.confidence_calibration import ReviewedClaim
from research.models import ReviewItem, ReviewKind, ReviewStatus

# A corrected claim was not right as it stood. Skipped and undone items are undecided, so they are not verdicts.
VERDICTS = {ReviewStatus.ACCEPTED: True, ReviewStatus.EDITED: False, ReviewStatus.REJECTED: False}


def verdicts(kind: str = "") -> list[ReviewedClaim]:
    """Return a verdict for each decided claim with a confidence, of all runs or of one kind. One query.

    The confidence is the one shown to the reviewer with the escalation, which may have been recomputed
    since.
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
