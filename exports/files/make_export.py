"""Makes a file: claims its row under a fencing token, writes and stores the file outside any transaction, then
updates the row.

It may be killed at any time. Another worker then claims the row; the fencing token causes late writes to be rejected.
Bytes that no row names are deleted by the cleanup.
"""

from uuid import UUID

from exports.building.build_document import build_document
from exports.document.document_tree import Document
from exports.files.export_file_names import file_name
from exports.files.export_lease import SPENT, JobLeases, LostLease, file_columns, take, work
from exports.files.write_export import NotWritten, write_document
from exports.formats.export_options import CannotWrite
from exports.models import Export, ExportCode
from research.db.tenancy import tenant_context
from research.runtime.fault_injection import FaultPoint, crash_point
from research.storage.object_store import ObjectError, put_object


class Maker(JobLeases[Export]):
    """A claim of one file."""

    def finish(self, key: str, data: bytes, filename: str) -> None:
        """Record the finished file. Raises LostLease."""
        with tenant_context(self.row.tenant_id):
            self.end(**file_columns(key, data, filename))


def make(tenant_id: UUID, export_id: UUID) -> None:
    """Make the file, unless it exists or is in progress. Safe to repeat, even late or after a crash."""
    with tenant_context(tenant_id):
        export = take(Export.objects.all(), export_id)
    if export is None:
        return
    maker = Maker(export)
    work(maker, lambda: _make(maker), ExportCode.BROKEN)


def _make(maker: Maker) -> None:
    try:
        maker.finish(*_store_export(maker))
    except LostLease:
        return
    except NotWritten as failure:
        maker.fail(failure.code, str(failure))
    except CannotWrite as error:
        maker.fail(ExportCode.CANNOT_WRITE, str(error))
    except ObjectError as error:
        maker.fail(ExportCode.NOT_STORED, str(error))


def _store_export(maker: Maker) -> tuple[str, bytes, str]:
    """Write the file and store it; return key, bytes and name."""
    export = maker.row
    if maker.is_spent:
        raise NotWritten(ExportCode.INTERRUPTED, SPENT)
    document = _document(export)
    data = write_document(document, export.writer, export.requested_options, maker.tell)
    crash_point(FaultPoint.EXPORT_BEFORE_STORING)
    key = put_object(export.tenant_id, data)
    crash_point(FaultPoint.EXPORT_AFTER_STORING)
    return key, data, file_name(document, export.writer)


def _document(export: Export) -> Document:
    with tenant_context(export.tenant_id):
        return build_document(export.run_id, with_raw=export.requested_options.include_raw_data)
