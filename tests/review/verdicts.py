"""Claims on which somebody has decided, and the confidence that they were shown. Needs the tenant set."""

from django.contrib.auth.models import User

from research.engine.db_time import seconds_from_now
from research.models import Escalation, ReviewItem, ReviewKind, Run, State


def make_decided_claim(
    by: User, confidence: float | None, status: str, *, kind: str = "report"
) -> ReviewItem:
    run = Run.objects.create(owner=by, kind=kind, topic="How many words?")
    asked = Escalation.objects.create(
        run=run,
        visit=f"1.{State.VERIFYING}",
        rule="low_verification_confidence",
        state=State.VERIFYING,
        priority="medium",
        type="advisory",
        required_action="Look.",
        deadline=seconds_from_now(3_600),
        fallback="continue",
    )
    return ReviewItem.objects.create(
        run=run,
        escalation=asked,
        position=1,
        kind=ReviewKind.CLAIM,
        reason="Because.",
        shown={"text": "It is so.", "confidence": confidence},
        status=status,
        decided_by=by,
        decided_at=seconds_from_now(0),
    )
