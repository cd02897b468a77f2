"""Fair scheduling of the reading processes: users get equal shares, however many runs each has under way.

Each message allows one turn of a second. The turn goes to the user and the workspace that have waited longest since
their last one, so that neither ten runs nor ten workspaces get a larger share.

worker_slots.py does this for processes that serve many runs at once.
"""

from uuid import UUID

from django.conf import settings
from django.db import connection

from research.engine.cpu_worker import work_through
from research.engine.pipeline_registry import UnknownPipeline
from research.engine.runner import StopReason
from research.models import Queue, Run
from research.runtime.logs import logger

log = logger(__name__)


def next_turn(queue: Queue) -> tuple[UUID, UUID] | None:
    """Return the workspace and the run that are due next in the queue, and record the turn; None if nothing is
    ready.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM plumbline_turn(%s, %s)", [str(queue), settings.PLUMBLINE_REGION])
        row: tuple[UUID, UUID] | None = cursor.fetchone()
    return row


def take_turn(tenant_id: UUID, run_id: UUID, queue: Queue, limit_s: float) -> StopReason:
    """Serve the run that is due next, in response to a message about `run_id`.

    Serve `run_id` as well if the other run's turn was short. HANDED_ON: the message must be sent again. Raises
    Run.DoesNotExist and UnknownPipeline.
    """
    turn = next_turn(queue)
    if turn is not None and turn != (tenant_id, run_id):
        ending = _serve_other(*turn, queue, limit_s)
        if ending is StopReason.HANDED_ON:
            return ending
    return work_through(tenant_id, run_id, queue, limit_s)


def _serve_other(tenant_id: UUID, run_id: UUID, queue: Queue, limit_s: float) -> StopReason:
    try:
        return work_through(tenant_id, run_id, queue, limit_s)
    # The run was just deleted, or is of a kind that only a newer version supports.
    except (Run.DoesNotExist, UnknownPipeline) as error:
        log.warning("turn_without_a_run", run=str(run_id), error=type(error).__name__)
        return StopReason.IDLE
