"""Leases of jobs in rows: claimed under a fencing token, then released, failed or finished by the holder.

A holder may be killed at any time. If it is dead or sends no heartbeat, the next worker claims the row; the fencing
token causes later writes of the old holder to be rejected.
"""

import hashlib
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from typing import Generic, TypeVar
from uuid import UUID

from celery import current_app
from django.db.models import F, QuerySet
from django.db.models.functions import Now
from kombu.exceptions import OperationalError as BrokerError

from exports.files.export_file_state import EXPORT_OPEN, ExportState, LeasedJob, TakenFile
from research.accounts.workspace_retention_periods import file_days
from research.db.tenancy import tenant_context
from research.engine.error_boundary import attempt, drop_broken_connection
from research.engine.states.step_failures import Failure
from research.models import Queue
from research.runtime.logs import logger
from research.runtime.process_names import dead, owner_name

Row = TypeVar("Row", bound=LeasedJob)
MAX_ATTEMPTS = 3
SPENT = "Whoever made it was stopped again and again."
TAKEN_FOR = timedelta(minutes=4)  # longer than a writer is allowed to take
TOLD_EVERY_S = 0.5
ASK_AGAIN_AFTER = timedelta(seconds=30)
_BEFORE = {
    "state": ExportState.WAITING,
    "progress": 0,
    "attempts": 0,
    "taken_by": "",
    "taken_until": None,
    "error_code": "",
    "error": "",
    "duration_ms": None,
    "finished_at": None,
}
_BEFORE_A_FILE = _BEFORE | {
    "object_key": "",
    "filename": "",
    "file_size": None,
    "sha256": "",
    "expires_at": None,
}

log = logger(__name__)


class LostLease(Exception):
    """Raised when another worker has claimed the row."""


class JobLeases(Generic[Row]):
    """A claim of one row."""

    def __init__(self, row: Row) -> None:
        self.row = row
        self._rows: QuerySet[Row] = rows_like(row)
        self._began = self._told_at = time.monotonic()

    @property
    def is_spent(self) -> bool:
        """Return True if the workers that claimed the row were killed too often."""
        return self.row.attempts > MAX_ATTEMPTS

    def tell(self, share: float) -> None:
        """Store the progress and renew the lease, at most once per TOLD_EVERY_S. Raises LostLease."""
        now = time.monotonic()
        if now - self._told_at < TOLD_EVERY_S:
            return
        self._told_at = now
        with tenant_context(self.row.tenant_id, is_durable=False):
            self._change(progress=min(max(share, 0.0), 1.0), taken_until=Now() + TAKEN_FOR)

    def fail(self, code: str, reason: str) -> None:
        """Store a failure. Raises LostLease."""
        with tenant_context(self.row.tenant_id):
            self.end(state=ExportState.FAILED, error_code=code, error=reason)

    def end(self, **columns: object) -> None:
        """End the job inside the caller's transaction and tenant. Raises LostLease."""
        took = round(1000 * (time.monotonic() - self._began))
        self._change(**columns, taken_by="", taken_until=None, finished_at=Now(), duration_ms=took)

    def _change(self, **columns: object) -> None:
        ours = self._rows.filter(pk=self.row.pk, fence=self.row.fence, state=ExportState.MAKING)
        if not ours.update(**columns, updated_at=Now()):
            raise LostLease


def work(taking: JobLeases[Row], act: Callable[[], None], broken: str) -> None:
    """Run the job; on an unexpected error, log it and fail with the code `broken`."""
    outcome = attempt(act)
    if isinstance(outcome, Failure):
        drop_broken_connection()
        attempt(lambda: taking.fail(broken, outcome.message))


def rows_like(row: Row) -> QuerySet[Row]:
    """Return the query set of its table."""
    return type(row)._default_manager.all()


def take(rows: QuerySet[Row], pk: UUID) -> Row | None:
    """Claim the row; return None if it is finished or a live worker holds it."""
    rows = rows.filter(pk=pk)
    row = rows.select_for_update(no_key=True, skip_locked=True).first()
    if row is None or not row.is_open:
        return None
    if row.state == ExportState.MAKING and not free(rows).exists():
        return None
    rows.update(
        state=ExportState.MAKING,
        attempts=F("attempts") + 1,
        fence=F("fence") + 1,
        progress=0,
        taken_by=owner_name(),
        taken_until=Now() + TAKEN_FOR,
        updated_at=Now(),
    )
    return rows.get()


def file_columns(key: str, data: bytes, filename: str) -> dict[str, object]:
    """Return the column values for the row of a file that is ready."""
    return {
        "state": ExportState.READY,
        "progress": 1,
        "object_key": key,
        "filename": filename,
        "file_size": len(data),
        "sha256": hashlib.sha256(data).hexdigest(),
        "expires_at": Now() + timedelta(days=file_days()),
    }


def begin_again(row: LeasedJob) -> None:
    """Reset the row to its first state, unless it is in progress.

    The cleanup deletes an old file, since no row names it any more.
    """
    before: Mapping[str, object] = _BEFORE_A_FILE if isinstance(row, TakenFile) else _BEFORE
    rows = rows_like(row).filter(pk=row.pk).exclude(state__in=EXPORT_OPEN)
    rows.update(**before, updated_at=Now())
    row.refresh_from_db()


def find_abandoned_rows(rows: QuerySet[Row]) -> Iterator[UUID]:
    """Yield rows that wait without a message, and rows whose holder is dead."""
    waiting = rows.filter(state=ExportState.WAITING, updated_at__lt=Now() - ASK_AGAIN_AFTER)
    yield from waiting.order_by("created_at").values_list("pk", flat=True)[:100]
    yield from free(rows.filter(state=ExportState.MAKING)).values_list("pk", flat=True)


def free(making: QuerySet[Row]) -> QuerySet[Row]:
    """Return rows whose holder sent no heartbeat for too long, or was a process on this machine that has ended."""
    holders = list(making.values_list("taken_by", flat=True).distinct())
    return making.filter(taken_until__lt=Now()) | making.filter(taken_by__in=dead(holders))


def enqueue(task: str, tenant_id: UUID, pk: UUID) -> None:
    """Wake a worker. If the message is lost, the sweep sends another."""
    try:
        current_app.send_task(task, args=[str(tenant_id), str(pk)], queue=Queue.EXPORTS, retry=False)
    except (BrokerError, OSError) as error:
        log.warning("broker_away", error=type(error).__name__)
