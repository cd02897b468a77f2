"""Remove claims that failed the check from the report, which says so (spec: lifecycle.md, VERIFICATION_FAILED)."""

from citations.models import Claim, ClaimStatus
from research.engine.states.step_failure_mail import mail_failure
from research.llm.budgets.budget_degradations import Loss, Shortfall, forget_loss, record_loss
from research.models import Run

ENOUGH_STAY = 0.8
NOT_REFUSED = (ClaimStatus.VERIFIED, ClaimStatus.PARAPHRASED_ACCURATE, ClaimStatus.UNVERIFIED)
CODE = "VERIFICATION_FAILED"


def note_removed_claims(run: Run, *, is_last: bool) -> None:
    """Record all claims that this check and earlier ones removed.

    The owner is notified after the last. Needs the tenant set.
    """
    claims = Claim.objects.filter(run=run)
    removed = claims.filter(section=None).exclude(verification_status__in=NOT_REFUSED).count()
    if not removed:
        forget_loss(run.pk, Shortfall.UNVERIFIED_REMOVED)
        return
    stay = claims.filter(section__report_version=run.report_version).count()
    loss = loss_of(removed, stay)
    record_loss(run.pk, loss)
    if is_last:
        mail_failure(run, CODE, loss.reason)


def loss_of(removed: int, stay: int) -> Loss:
    """Return the loss. Pure."""
    whole = removed + stay
    words = f"{removed} of {whole} claims did not hold when they were checked, and left the report."
    if stay < ENOUGH_STAY * whole:
        words += " So many were removed that the rest should be read with care."
    return Loss(Shortfall.UNVERIFIED_REMOVED, removed / whole, words)
