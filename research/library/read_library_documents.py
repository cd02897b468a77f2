"""Reads a document of the library, for the first time or again."""

from dataclasses import replace
from functools import partial
from time import monotonic
from uuid import UUID

from research.db.tenancy import tenant_context
from research.fetching.cached_web_pages import find_copy
from research.fetching.fetched_page_content import page_name
from research.library.import_library_documents import read_all
from research.library.library_folders import folder_path, manifest_details
from research.library.library_manifest import Details
from research.library.pages_saved_in_library import problem_of
from research.library.prepare_library_documents import Job, RawDocument, load_file, load_object
from research.library.scan_library_folder import FoundFile
from research.library.waiting_library_documents import select_waiting_uploads
from research.models import LibraryDocument
from research.parsing.parsed_media_types import HTML
from research.storage.object_store import object_key, sha256_in

EMBEDDED_AT_MOST = 2_000  # passages of a document while it is read: about two minutes


def read_document(tenant_id: UUID, document_id: UUID) -> None:
    """Read a document of the library into text, passages and vectors; the outcome is stored in its row.

    Idempotent. Does nothing if the document is gone. Slow: call it from a worker for large files, and outside a
    transaction if possible.
    """
    with tenant_context(tenant_id):
        row = LibraryDocument.objects.filter(pk=document_id).select_related("content").first()
        job = _job(row) if row is not None else None
    if job is None:
        return
    for _ in read_all(tenant_id, [job], EMBEDDED_AT_MOST):
        pass


def read_some_uploads(tenant_id: UUID, limit_s: float) -> tuple[int, int]:
    """Read the tenant's waiting uploads until the time is up; return the numbers read and left.

    A failed one's row holds the reason.
    """
    until, done = monotonic() + limit_s, 0
    with tenant_context(tenant_id):
        waiting = list(select_waiting_uploads().values_list("pk", flat=True))
    while done < len(waiting) and monotonic() < until:
        read_document(tenant_id, waiting[done])
        done += 1
    return done, len(waiting) - done


def load_document(row: LibraryDocument) -> RawDocument:
    """Return the document's current bytes: the file's, or those that were uploaded.

    Raises OSError, ObjectError, and ReadError for one that is too large.
    """
    folder = folder_path(row.folder)
    if folder is None:
        return load_object(object_key(row.tenant_id, row.raw_sha256))
    return load_file(folder / row.path)


def _job(row: LibraryDocument) -> Job:
    if row.is_page:
        return _page_job(row)
    folder = folder_path(row.folder)
    file = FoundFile(row.path, row.file_size, row.file_mtime)
    if folder is not None:
        file = replace(file, details=manifest_details(folder, row.path))
    return Job(row.pk, file, partial(load_document, row))


def _page_job(row: LibraryDocument) -> Job:
    file = FoundFile(row.path, row.file_size, None, Details(url=row.url))
    return Job(row.pk, file, partial(load_document, row), name=_page_name(row), refuse=problem_of)


def _page_name(row: LibraryDocument) -> str:
    """Return the file name from the cached copy; without it, a name for the former media type, or for HTML."""
    copy = find_copy(row.path)
    if copy is not None and sha256_in(copy.raw_key) == row.raw_sha256:
        return copy.name
    return page_name(row.content.media_type if row.content else HTML)
