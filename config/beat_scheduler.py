"""Beat's scheduler."""

import time
from math import inf

from django_celery_beat.schedulers import DatabaseScheduler

CHANGES_EVERY_S = 5.0  # as often as Celery's scheduler looks at the latest


class PunctualScheduler(DatabaseScheduler):  # type: ignore[misc]
    """Wakes when an entry is due, not 10 ms before: until then, Celery would ask the database over and over whether the
    schedules have changed. It asks that every few seconds, not at each of its messages.
    """

    _looked_at = -inf  # by time.monotonic()

    def schedule_changed(self) -> bool:
        """Return True if somebody has changed a schedule since the last look at the database."""
        if time.monotonic() - self._looked_at < CHANGES_EVERY_S:
            return False
        self._looked_at = time.monotonic()
        changed: bool = super().schedule_changed()
        return changed

    def adjust(self, n: float | None, drift: float = 0.0) -> float | None:
        """Return the seconds to wait until an entry that is due in `n` seconds."""
        waited: float | None = super().adjust(n, drift)
        return waited
