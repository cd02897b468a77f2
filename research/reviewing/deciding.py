"""Deciding what people were asked. All inside the caller's `tenant_context`.

Nothing of the run is changed until the last item of a question is decided: then all decisions take effect in one
transaction, and the run goes on. Every act is kept as history.
"""

from uuid import UUID

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from research.models import Escalation, ReviewAct, ReviewItem
from research.models.schemas import StoredDecision


class DecisionRefused(Exception):
    """It can't be decided so, or not any more; str(error) tells the user why. Nothing was changed."""


def decide(item_id: UUID, by: User, act: ReviewAct, decision: StoredDecision) -> ReviewItem:
    """Accept, edit, reject or skip one item. Raises DecisionRefused."""
    raise DecisionRefused(_("Nothing can be decided yet."))


def undo_last(by: User) -> ReviewItem | None:
    """Take back the user's latest act. None: there is nothing to take back. Raises DecisionRefused where it has taken
    effect.
    """
    return None


def decide_whole(escalation_id: UUID, by: User, act: ReviewAct, decision: StoredDecision) -> Escalation:
    """Accept all that is left of a question, reject it, or have the run planned anew. Raises DecisionRefused."""
    raise DecisionRefused(_("Nothing can be decided yet."))
