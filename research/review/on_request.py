"""Having a finished report's claims in doubt reviewed, whether or not somebody was asked while it was made.

A question like any other, in the same queue, but asked by a person. What is decided takes effect as decisions about
sentences do; what nobody decides in time stays as it is. All of it needs the tenant set.
"""

from dataclasses import dataclass
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as noop

from citations.models import Claim
from research.engine.states.review_items import IN_DOUBT, ON_REQUEST
from research.engine.states.run_context import visit_key
from research.engine.states.transitions import lock_run
from research.models import Kind, Run, State
from research.models.reviews import (
    Escalation,
    EscalationStatus,
    ReviewKind,
)
from research.review.calibration_review import build_question, save_question
from research.runtime.logs import logger

REVIEWED = frozenset({Kind.REPORT, Kind.TECHNICAL})  # of the others all claims are marked: `marking`
ACTION = noop("Look at the claims that are in doubt: accept, correct or drop each.")

log = logger(__name__)


class CannotReview(Exception):
    """There is nothing that could be reviewed; str() says why."""


@dataclass(frozen=True, slots=True)
class Doubts:
    """The claims in doubt of a finished report, which could be reviewed."""

    claims: int
    is_asked: bool  # they, or some of them, wait in the queue


def doubts_of(run: Run) -> Doubts | None:
    """None: nothing is in doubt, or claims of its kind are not reviewed so. Two queries at most."""
    if not _can_be_reviewed(run):
        return None
    claims = Claim.objects.filter(IN_DOUBT, run=run, section__isnull=False).count()
    return Doubts(claims, _open_question(run) is not None) if claims else None


@transaction.atomic
def ask_for_review(run_id: UUID, by: User) -> Escalation:
    """The question about the claims in doubt; the open one, where they are asked about already. Raises CannotReview."""
    run = lock_run(run_id)
    if run is None or not _can_be_reviewed(run):
        raise CannotReview(_("Only the claims of a finished report are reviewed."))
    if known := _open_question(run):
        return known
    visit = f"{visit_key(run)}.{Escalation.objects.filter(run=run, rule=ON_REQUEST).count()}"
    asked = save_question(build_question(run, by, ON_REQUEST, ACTION, visit))
    if asked is None:
        raise CannotReview(_("No claim of it is in doubt."))
    log.info("review_asked_for", run=str(run.pk), items=asked.items.count())
    return asked


def _can_be_reviewed(run: Run) -> bool:
    return run.kind in REVIEWED and run.state == State.COMPLETED and not run.is_insufficient


def _open_question(run: Run) -> Escalation | None:
    """About sentences, by whomever it was asked."""
    is_open = Escalation.objects.filter(run=run, status=EscalationStatus.OPEN)
    return is_open.filter(items__kind=ReviewKind.CLAIM).distinct().first()
