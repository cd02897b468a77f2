"""Changes documents of the library: reads them again, moves them, renames their folders.

Runs keep the frozen texts that they have read, wherever the documents are moved.
"""

from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from research.library.library_folders import UPLOADS, WEB, build_folder_key, is_of_uploads
from research.library.store_uploads import free_place, lock_uploads
from research.library.waiting_library_documents import request_fetching, request_reading
from research.models import DocumentStatus, LibraryDocument, Run, Schedule

_READABLE = (DocumentStatus.READY, DocumentStatus.DUPLICATE)


class ChangeRefused(Exception):
    """Nothing was changed; str() tells the user why."""


def read_again(document: LibraryDocument) -> None:
    """Have a worker read the document again: a page is fetched first, a file of a folder is reopened.

    Does nothing if it is waiting already. Raises ChangeRefused for pages that runs saved.
    """
    if document.folder == WEB:
        raise ChangeRefused(_("Runs fetch this page again when they need it."))
    if document.status in (DocumentStatus.PENDING, DocumentStatus.READING):
        return
    is_fetched = is_added_page(document)
    document.status = DocumentStatus.PENDING if is_fetched else DocumentStatus.READING
    document.error_code = document.error_message = ""
    if is_fetched:
        document.raw_sha256 = ""
    document.save(update_fields=["status", "error_code", "error_message", "raw_sha256", "updated_at"])
    ask = request_fetching if is_fetched else request_reading
    ask(document.tenant_id)


def is_added_page(document: LibraryDocument) -> bool:
    """True for a page that a person added to the library, not one that a run saved."""
    return document.is_page and is_of_uploads(document.folder)


def move_document(document: LibraryDocument, folder: str) -> None:
    """Move an upload into another folder of the uploads; a name that is taken there gets a number.

    Raises ChangeRefused for other documents, and if the folder has the same document already.
    """
    if not is_of_uploads(document.folder):
        raise ChangeRefused(
            _("Only uploads and added pages can be moved. Other documents stay where they were found.")
        )
    if folder == document.folder:
        return
    lock_uploads()
    path = _free_path(document, folder)
    read_copies_of(document)
    document.folder, document.path = folder, path
    document.save(update_fields=["folder", "path", "updated_at"])
    if _is_read_anew(document):
        read_again(document)


def _free_path(document: LibraryDocument, folder: str) -> str:
    path, existing = free_place(folder, document.path, document.raw_sha256)
    if existing is not None or (document.is_page and path != document.path):
        raise ChangeRefused(_("“%(name)s” is already in that folder.") % {"name": document})
    return path


def read_copies_of(document: LibraryDocument) -> None:
    """Have the exact copies of a document read, which were skipped, because it is moved or deleted."""
    copies = LibraryDocument.objects.filter(duplicate_of=document, status=DocumentStatus.DUPLICATE)
    if copies.update(status=DocumentStatus.READING, updated_at=Now()):
        request_reading(document.tenant_id)


def _is_read_anew(document: LibraryDocument) -> bool:
    """Return True if the document was a copy, or has the same text as another in its new folder."""
    if document.status == DocumentStatus.DUPLICATE:
        return True
    if document.status != DocumentStatus.READY or document.content is None:
        return False
    same = LibraryDocument.objects.filter(content__sha256=document.content.sha256, status__in=_READABLE)
    return same.filter(folder=document.folder).exclude(pk=document.pk).exists()


def rename_folder(key: str, name: str) -> str:
    """Rename a folder of the uploads and return its new key. Runs and schedules continue to search it.

    Raises ChangeRefused and BadFolderName.
    """
    lock_uploads()
    new_key = build_folder_key(name)
    if not LibraryDocument.objects.filter(folder=key).exists():
        raise ChangeRefused(_("This folder no longer exists."))
    if key == new_key:
        return new_key
    if UPLOADS in (key, new_key) or not is_of_uploads(key):
        raise ChangeRefused(_("Only folders that were created here can be renamed."))
    if LibraryDocument.objects.filter(folder__iexact=new_key).exclude(folder=key).exists():
        raise ChangeRefused(_("A folder with this name already exists. Move the documents into it instead."))
    LibraryDocument.objects.filter(folder=key).update(folder=new_key, updated_at=Now())
    _ask_elsewhere(Schedule.objects.filter(config__folders__contains=key), key, new_key)
    _ask_elsewhere(Run.objects.filter(config__folders__contains=key), key, new_key)
    return new_key


def _ask_elsewhere(rows: "QuerySet[Schedule] | QuerySet[Run]", key: str, wanted: str) -> None:
    """Replace the folder's key in the configurations of runs and schedules."""
    for row in rows.only("config"):
        folders = [wanted if folder == key else folder for folder in row.config["folders"]]
        type(row)._default_manager.filter(pk=row.pk).update(
            config={**row.config, "folders": folders}, updated_at=Now()
        )
