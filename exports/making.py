"""Making a file: taken under a fence, written outside any transaction, stored, and only then named by its row.

May be killed at any instant. Whoever comes next takes the row from a maker who is dead or gives no sign of life; what
an old maker still does, its fence refuses. Bytes that no row names are dropped by the tidying.
"""

import hashlib
import time
from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.db.models import F
from django.db.models.functions import Now

from exports.asking import free
from exports.build import build_document
from exports.document import Document
from exports.formats.options import CannotWrite
from exports.models import Export, ExportCode, ExportState
from exports.naming import file_name
from exports.writing import NotWritten, written
from research.crash import Point, crash_point
from research.lifecycle.attempts import attempt, drop_broken_connection
from research.lifecycle.failures import Failure
from research.lifecycle.owners import owner_name
from research.objects import ObjectError, put_object
from research.tenancy import tenant_context

MOST_ATTEMPTS = 3
TAKEN_FOR = timedelta(minutes=4)  # longer than a writer may take
TOLD_EVERY_S = 0.5
SILENT = "Whoever made it was stopped again and again."


class Lost(Exception):
    """Somebody else has the file in hand."""


class Maker:
    """One take of one file."""

    def __init__(self, export: Export) -> None:
        self.export = export
        self.began = self._told_at = time.monotonic()

    def tell(self, share: float) -> None:
        """How far it is, and that its maker lives. Raises Lost."""
        now = time.monotonic()
        if now - self._told_at < TOLD_EVERY_S:
            return
        self._told_at = now
        with tenant_context(self.export.tenant_id, is_durable=False):
            self._change(progress=min(max(share, 0.0), 1.0), taken_until=Now() + TAKEN_FOR)

    def finish(self, key: str, data: bytes, filename: str) -> None:
        """Raises Lost."""
        with tenant_context(self.export.tenant_id):
            self._end(
                state=ExportState.READY,
                progress=1,
                object_key=key,
                filename=filename,
                file_size=len(data),
                sha256=hashlib.sha256(data).hexdigest(),
                expires_at=Now() + timedelta(days=settings.PLUMBLINE_EXPORT_DAYS),
            )

    def fail(self, code: ExportCode, reason: str) -> None:
        """Raises Lost."""
        with tenant_context(self.export.tenant_id):
            self._end(state=ExportState.FAILED, error_code=code, error=reason)

    def _end(self, **columns: object) -> None:
        took = round(1000 * (time.monotonic() - self.began))
        self._change(**columns, taken_by="", taken_until=None, finished_at=Now(), duration_ms=took)

    def _change(self, **columns: object) -> None:
        ours = Export.objects.filter(pk=self.export.pk, fence=self.export.fence, state=ExportState.MAKING)
        if not ours.update(**columns, updated_at=Now()):
            raise Lost


def make(tenant_id: UUID, export_id: UUID) -> None:
    """Make the file, unless it is there or somebody is at it. Safe to call twice, late, or after a crash."""
    export = _take(tenant_id, export_id)
    if export is None:
        return
    maker = Maker(export)
    outcome = attempt(lambda: _make(maker))
    if isinstance(outcome, Failure):
        drop_broken_connection()
        attempt(lambda: maker.fail(ExportCode.BROKEN, outcome.message))


def _make(maker: Maker) -> None:
    try:
        maker.finish(*_stored(maker))
    except Lost:
        return
    except NotWritten as failure:
        maker.fail(failure.code, str(failure))
    except CannotWrite as error:
        maker.fail(ExportCode.CANNOT_WRITE, str(error))
    except ObjectError as error:
        maker.fail(ExportCode.NOT_STORED, str(error))


def _stored(maker: Maker) -> tuple[str, bytes, str]:
    """Key, bytes and name of the file."""
    export = maker.export
    if export.attempts > MOST_ATTEMPTS:
        raise NotWritten(ExportCode.INTERRUPTED, SILENT)
    document = _document(export)
    data = written(document, export.writer, export.wished, maker.tell)
    crash_point(Point.EXPORT_BEFORE_STORING)
    key = put_object(export.tenant_id, data)
    crash_point(Point.EXPORT_AFTER_STORING)
    return key, data, file_name(document, export.writer)


def _document(export: Export) -> Document:
    with tenant_context(export.tenant_id):
        return build_document(export.run_id, with_raw=export.wished.include_raw_data)


def _take(tenant_id: UUID, export_id: UUID) -> Export | None:
    """The row, ours for as long as its fence is; None where it is over or in the hands of who lives."""
    with tenant_context(tenant_id):
        rows = Export.objects.filter(pk=export_id)
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
