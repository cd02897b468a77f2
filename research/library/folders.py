"""The folders of a tenant's library: their names, where they lie, what they hold."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.db.models import Count, Max, Q, Sum

from research.library.manifests import Details, manifest_in
from research.models import DocumentStatus, LibraryDocument

SAMPLE = "sample"
UPLOADS = "uploads"
WEB = "web"  # pages that runs have read, kept by their canonical address
# Error code of a document whose file is no longer in its folder.
MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Folder:
    """One folder in figures. `documents` counts all rows; copies, failed and missing ones among them."""

    key: str
    documents: int
    ready: int
    duplicates: int
    failed: int
    missing: int
    pending: int
    file_bytes: int
    changed_at: datetime

    @property
    def name(self) -> str:
        """What a reader calls it: the folder's own name, without its path."""
        return Path(self.key).name or self.key


def library_folders() -> list[Folder]:
    """The current tenant's folders by key."""
    is_missing = Q(status=DocumentStatus.FAILED, error_code=MISSING)
    counts = {
        "total": Count("pk"),
        "readable": Count("pk", filter=Q(status=DocumentStatus.READY)),
        "copies": Count("pk", filter=Q(status=DocumentStatus.DUPLICATE)),
        "unreadable": Count("pk", filter=Q(status=DocumentStatus.FAILED) & ~is_missing),
        "gone": Count("pk", filter=is_missing),
        "waiting": Count("pk", filter=Q(status__in=(DocumentStatus.PENDING, DocumentStatus.READING))),
        "bytes": Sum("file_size"),
        "changed": Max("updated_at"),
    }
    rows = LibraryDocument.objects.order_by("folder").values("folder").annotate(**counts)
    return [Folder(*row) for row in rows.values_list("folder", *counts)]


def sample_path() -> Path:
    """Where the sample library is built."""
    return Path(settings.PLUMBLINE_DATA) / SAMPLE


def folder_key(path: Path) -> str:
    """The name under which a folder's documents are kept: its absolute path, or "sample"."""
    resolved = path.expanduser().resolve()
    return SAMPLE if resolved == sample_path().resolve() else str(resolved)


def folder_path(key: str) -> Path | None:
    """Where a folder's files lie; None for uploads and web pages, which have no folder."""
    if key in (UPLOADS, WEB):
        return None
    return sample_path() if key == SAMPLE else Path(key)


def manifest_details(folder: Path, path: str) -> Details:
    """What the manifests beside and above a file say of it; the nearest one counts."""
    found = Details()
    for place in Path(path).parents:
        found = found.over(
            manifest_in(folder / place).get(Path(path).relative_to(place).as_posix(), Details())
        )
    return found
