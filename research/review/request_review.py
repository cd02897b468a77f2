"""Have the doubtful claims of a finished report reviewed, whether or not anybody was asked during the run.

The escalation is like any other and in the same queue, but a person requests it. Decisions take effect like
other decisions about claims; undecided claims stay as they are. All functions need the tenant set.
"""

from dataclasses import dataclass
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as noop

from citations.models import Claim
from research.engine.states.state_context import visit_key
from research.engine.states.state_review_items import IN_DOUBT, ON_REQUEST
from research.engine.states.transitions import lock_run
from research.models import Kind, Run, State
from research.models.review_models import (
    Escalation,
    EscalationStatus,
    ReviewKind,
)
from research.review.calibration_review import build_question, save_question
from research.runtime.logs import logger

REVIEWED = frozenset({Kind.REPORT, Kind.TECHNICAL})  # others are marked: `calibration_review`
ACTION = noop("Look at the claims that are in doubt: accept, correct or drop each.")

log = logger(__name__)


class CannotReview(Exception):
    """There is nothing to review; str() says why."""


@dataclass(frozen=True, slots=True)
class Doubts:
    """The claims of a finished report that are in doubt and can be reviewed."""

    claims: int
    is_asked: bool  # some of them are in the queue already


def doubts_of(run: Run) -> Doubts | None:
    """Return the claims in doubt; None if there are none or the run can't be reviewed. Two queries at most."""
    if not _can_be_reviewed(run):
        return None
    claims = Claim.objects.filter(IN_DOUBT, run=run, section__isnull=False).count()
    return Doubts(claims, _open_question(run) is not None) if claims else None


@transaction.atomic
def ask_for_review(run_id: UUID, by: User) -> Escalation:
    """Return the escalation about the claims in doubt, an open one if there is any. Raises CannotReview."""
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
    """Return the open escalation about claims, whoever requested it."""
    is_open = Escalation.objects.filter(run=run, status=EscalationStatus.OPEN)
    return is_open.filter(items__kind=ReviewKind.CLAIM).distinct().first()
