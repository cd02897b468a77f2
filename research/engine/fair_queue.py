"""Fair scheduling: people share the processes that read evenly, however many runs each of them has under way.

A message allows a turn of a second. The turn goes to those who have waited longest since their last one, according
to the rows, counted by person and by workspace, so that neither ten runs nor ten workspaces get a larger share
(security.md, fair use).
Where runs wait for models and pages, many at once, see worker_slots.py.
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
    """Tenant and run that are served next of what is ready in the queue, noted as served now. None: nothing is."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM plumbline_turn(%s, %s)", [str(queue), settings.PLUMBLINE_REGION])
        row: tuple[UUID, UUID] | None = cursor.fetchone()
    return row


def take_turn(tenant_id: UUID, run_id: UUID, queue: Queue, limit_s: float) -> StopReason:
    """A turn for whoever's it is, because a message about this run came. HANDED_ON: the message is to come again.

    Where another run's turn is short, this one has its own at once. Raises Run.DoesNotExist and UnknownPipeline.
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
    except (Run.DoesNotExist, UnknownPipeline) as error:  # erased just now, or of a newer version
        log.warning("turn_without_a_run", run=str(run_id), error=type(error).__name__)
        return StopReason.IDLE
