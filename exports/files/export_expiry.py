"""Expires files: the row is kept as history, and the next cleanup deletes the bytes."""

from typing import TypeVar

from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from exports.files.export_file_state import ExportState, TakenFile
from exports.files.export_lease import rows_like
from exports.models import Export

FileRow = TypeVar("FileRow", bound=TakenFile)
_GONE = {"state": ExportState.EXPIRED, "object_key": ""}


def expire() -> list[str]:
    """Mark the current tenant's expired exports, and return the object keys of their files."""
    return expire_of(Export.objects.all())


def expire_of(rows: QuerySet[FileRow]) -> list[str]:
    """Mark the expired files of one table, and return their object keys."""
    over = rows.filter(state=ExportState.READY, expires_at__lt=Now())
    keys = list(over.select_for_update(skip_locked=True, no_key=True).values_list("object_key", flat=True))
    over.filter(object_key__in=keys).update(**_GONE, updated_at=Now())
    return keys


def forget(file: TakenFile) -> None:
    """Record that the file's bytes are no longer available."""
    still = Q(pk=file.pk, state=ExportState.READY, object_key=file.object_key)
    rows_like(file).filter(still).update(**_GONE, updated_at=Now())
