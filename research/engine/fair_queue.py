"""Fair scheduling of the reading processes: users get equal shares, however many runs each has under way.

Each message allows one turn of a second. The turn goes to the user and the workspace that have waited longest since
their last one, so that neither ten runs nor ten workspaces get a larger share.

cpu_worker.py takes the turns. worker_slots.py does this for processes that serve many runs at once.
"""

from uuid import UUID

from django.conf import settings
from django.db import connection

from research.models import Queue


def next_turn(queue: Queue) -> tuple[UUID, UUID] | None:
    """Return the workspace and the run that are due next in the queue, and record the turn; None if nothing is
    ready.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM plumbline_turn(%s, %s)", [str(queue), settings.PLUMBLINE_REGION])
        row: tuple[UUID, UUID] | None = cursor.fetchone()
    return row
