"""People's decisions that still count whenever the report is checked again. Needs the tenant set."""

from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from research.models import EscalationStatus, ReviewItem, ReviewKind, ReviewStatus

UNDECIDED = (EscalationStatus.OPEN, EscalationStatus.REJECTED, EscalationStatus.CLOSED)


def load_accepted_claims(run_id: UUID) -> dict[UUID, str]:
    """Return, by claim, who accepted it despite doubts, and why. A text that has changed since is judged again."""
    return {
        item.claim_id: describe_acceptance(item)
        for item in _select_accepted_items(run_id, ReviewKind.CLAIM)
        if item.claim_id and item.claim and item.claim.text == item.shown.get("text")
    }


def load_accepted_gaps(run_id: UUID) -> dict[tuple[str, str], str]:
    """Return, by code and text of the gap, who accepted it, and why."""
    items = _select_accepted_items(run_id, ReviewKind.GAP)
    return {(item.shown["code"], item.shown["text"]): describe_acceptance(item) for item in items}


def _select_accepted_items(run_id: UUID, kind: ReviewKind) -> QuerySet[ReviewItem]:
    """Return the accepted items of settled questions, the latest last; an open question does not count."""
    items = ReviewItem.objects.filter(run_id=run_id, kind=kind, status=ReviewStatus.ACCEPTED)
    settled = items.exclude(escalation__status__in=UNDECIDED).select_related("claim", "decided_by")
    return settled.order_by("decided_at")


def describe_acceptance(item: ReviewItem) -> str:
    return _add_name_and_note(item, _("Accepted by %(name)s"))


def describe_removal(item: ReviewItem) -> str:
    return _add_name_and_note(item, _("Dropped by %(name)s"))


def _add_name_and_note(item: ReviewItem, words: str) -> str:
    name = item.decided_by.get_username() if item.decided_by else ""
    note = " ".join((item.decision or {}).get("note", "").split())
    said = words % {"name": name}
    return f"{said}: {note}" if note else f"{said}."
