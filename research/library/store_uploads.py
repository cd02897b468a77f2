"""Stores uploaded files unchanged; workers read them like those of a folder."""

import hashlib
from pathlib import PurePosixPath

from django.db import connection
from django.db.models import Q, Sum

from research.db.tenancy import current_tenant_id
from research.library.library_file_names import visible
from research.library.library_folders import UPLOADS, in_uploads
from research.models import LibraryDocument
from research.storage.object_store import ObjectError, put_object

# spec: security.md, Limits
MAX_FILE = 50_000_000  # bytes
MAX_FILES = 20  # files in a request
MAX_LIBRARY = 1_000_000_000  # bytes of a tenant's uploads

_MAX_NAME = 150  # characters
_ENDLESS = 1_000


class UploadRefused(Exception):
    """The file was not stored; str() tells the user why."""


def store_upload(name: str, data: bytes, folder: str = UPLOADS) -> LibraryDocument:
    """Store an uploaded file in the current tenant's library; a worker reads it.

    The same file under the same name in the same folder is the same document. Raises UploadRefused for a file that
    exceeds the limits or cannot be stored.
    """
    clean = safe_name(name)
    if len(data) > MAX_FILE:
        raise UploadRefused(f"“{clean}” is larger than {MAX_FILE // 10**6} MB and was not stored.")
    lock_uploads()
    sha256 = hashlib.sha256(data).hexdigest()
    path, existing = free_place(folder, clean, sha256)
    if existing is not None:
        return existing
    if count_uploaded_bytes() + len(data) > MAX_LIBRARY:
        raise UploadRefused(f"“{clean}” was not stored: the limit for uploads is {MAX_LIBRARY // 10**9} GB.")
    try:
        put_object(current_tenant_id(), data, sha256)
    except ObjectError as error:
        raise UploadRefused(f"“{clean}”: {error}") from error
    return LibraryDocument.objects.create(folder=folder, path=path, raw_sha256=sha256, file_size=len(data))


def count_uploaded_bytes() -> int:
    """Return how many bytes the current tenant's uploads take."""
    rows = LibraryDocument.objects.filter(in_uploads())
    return rows.aggregate(total=Sum("file_size"))["total"] or 0


def safe_name(name: str) -> str:
    """Return the file's name without folders and invisible characters, cut to the limit."""
    last = PurePosixPath(name.replace("\\", "/")).name
    plain = visible(last).strip(" .") or "file"
    stem, dot, suffix = plain.rpartition(".")
    if not dot or len(suffix) > 10:
        return plain[:_MAX_NAME]
    return f"{stem[: _MAX_NAME - len(suffix) - 1]}.{suffix}"


def free_place(folder: str, name: str, sha256: str) -> tuple[str, LibraryDocument | None]:
    """Return a free name in the folder, or the document that already has these bytes under this name."""
    stem, dot, suffix = name.rpartition(".")
    before, after = (f"{stem} (", f").{suffix}") if dot else (f"{name} (", ")")
    same_name = Q(path=name) | Q(path__startswith=before, path__endswith=after)
    taken = {row.path: row for row in LibraryDocument.objects.filter(same_name, folder=folder)}
    for path in (name, *(f"{before}{number}{after}" for number in range(2, _ENDLESS))):
        row = taken.get(path)
        if row is None or row.raw_sha256 == sha256:
            return path, row
    raise UploadRefused(f"There are too many files named “{name}”. Rename it and try again.")


def lock_uploads() -> None:
    """Lock uploads until the transaction ends: two at once could exceed the limit or get the same name."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"upload {current_tenant_id()}"]
        )
