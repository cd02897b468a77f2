"""Beat's scheduler."""

from django_celery_beat.schedulers import DatabaseScheduler


class PunctualScheduler(DatabaseScheduler):  # type: ignore[misc]
    """Wakes when an entry is due, not 10 ms before: until then, Celery would ask the database over and over whether the
    schedules have changed.
    """

    def adjust(self, n: float | None, drift: float = 0.0) -> float | None:
        """Return the seconds to wait until an entry that is due in `n` seconds."""
        waited: float | None = super().adjust(n, drift)
        return waited
