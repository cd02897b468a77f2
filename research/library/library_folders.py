"""The folders of a tenant's library: names, paths, contents.

Uploads are in "uploads" or in a named folder of it: "uploads/Contracts".
"""

from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db.models import Count, Q
from django.utils.translation import gettext as _

from exports.labels.document_labels import folder_name
from research.library.library_file_names import visible
from research.library.library_manifest import Details, manifest_in
from research.models import DocumentStatus, LibraryDocument

SAMPLE = "sample"
UPLOADS = "uploads"
WEB = "web"  # pages that runs have read, by canonical URL
# Error code of a document whose file is no longer in its folder.
MISSING = "missing"
MAX_NAME = 80  # characters
_WITHIN_UPLOADS = f"{UPLOADS}/"


class BadFolderName(ValueError):
    """The folder's name is not valid; str() is for the person who typed it."""


@dataclass(frozen=True, slots=True)
class Folder:
    """The figures of one folder. `documents` counts all rows, including copies and failed or missing documents."""

    key: str
    documents: int
    ready: int
    duplicates: int
    failed: int
    missing: int
    pending: int

    @property
    def name(self) -> str:
        """The folder's own name as shown to readers, without its path."""
        return folder_name(self.key)

    @property
    def can_be_renamed(self) -> bool:
        return self.key.startswith(_WITHIN_UPLOADS)


def library_folders() -> list[Folder]:
    """Return the current tenant's folders by key."""
    is_missing = Q(status=DocumentStatus.FAILED, error_code=MISSING)
    counts = {
        "total": Count("pk"),
        "readable": Count("pk", filter=Q(status=DocumentStatus.READY)),
        "copies": Count("pk", filter=Q(status=DocumentStatus.DUPLICATE)),
        "unreadable": Count("pk", filter=Q(status=DocumentStatus.FAILED) & ~is_missing),
        "gone": Count("pk", filter=is_missing),
        "waiting": Count("pk", filter=Q(status__in=(DocumentStatus.PENDING, DocumentStatus.READING))),
    }
    rows = LibraryDocument.objects.order_by("folder").values("folder").annotate(**counts)
    return [Folder(*row) for row in rows.values_list("folder", *counts)]


def in_uploads() -> Q:
    """Return the filter for documents that were uploaded or added by URL, in any folder."""
    return Q(folder=UPLOADS) | Q(folder__startswith=_WITHIN_UPLOADS)


def is_of_uploads(key: str) -> bool:
    return key == UPLOADS or key.startswith(_WITHIN_UPLOADS)


def upload_folder(name: str) -> str:
    """Return the key of the upload folder with this name, ignoring case for an existing one; "" is "uploads" itself.

    Raises BadFolderName. Needs the tenant set.
    """
    wanted = build_folder_key(name)
    known = LibraryDocument.objects.filter(folder__iexact=wanted).values_list("folder", flat=True)
    return known.first() or wanted


def build_folder_key(name: str) -> str:
    """Return the key of an upload folder with exactly this name. Raises BadFolderName."""
    plain = visible(name).strip(" .")
    if not plain or plain.casefold() == UPLOADS:
        return UPLOADS
    if "/" in plain or "\\" in plain:
        raise BadFolderName(_("A folder name cannot contain a slash: folders cannot be nested."))
    if len(plain) > MAX_NAME:
        raise BadFolderName(_("A folder name can have at most %(most)d characters.") % {"most": MAX_NAME})
    return f"{_WITHIN_UPLOADS}{plain}"


def sample_path() -> Path:
    """Return the path at which the sample library is built."""
    return Path(settings.PLUMBLINE_DATA) / SAMPLE


def folder_key(path: Path) -> str:
    """Return the key under which a folder's documents are stored: its absolute path, or "sample"."""
    resolved = path.expanduser().resolve()
    return SAMPLE if resolved == sample_path().resolve() else str(resolved)


def folder_path(key: str) -> Path | None:
    """Return the path of a folder's files; None for uploads and web pages, whose bytes are in the object store."""
    if key == WEB or is_of_uploads(key):
        return None
    return sample_path() if key == SAMPLE else Path(key)


def manifest_details(folder: Path, path: str) -> Details:
    """Return the details of a file from the manifests in its folder and above; nearer ones take precedence."""
    found = Details()
    for place in Path(path).parents:
        found = found.over(
            manifest_in(folder / place).get(Path(path).relative_to(place).as_posix(), Details())
        )
    return found
