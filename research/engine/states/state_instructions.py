"""Closes the instructions that a run has not carried out when it ends."""

from uuid import UUID

from django.db.models.functions import Now
from django.utils.translation import gettext as _

from research.models import Instruction, InstructionStatus


def close_instructions(run_id: UUID) -> int:
    """Refuse the open instructions of a run with the reason, and return their number. Needs the run's row locked."""
    waiting = Instruction.objects.filter(run_id=run_id, status=InstructionStatus.QUEUED)
    words = [_("The run ended before it came to this. Ask a follow-up question instead.")]
    return waiting.update(status=InstructionStatus.REFUSED, effects=words, updated_at=Now())
