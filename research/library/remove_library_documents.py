"""Deletes a document from the library and from retrieval. Runs and reports keep their copy of it."""

from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q
from django.db.models.functions import Now

from research.library.change_library_documents import read_copies_of
from research.models import (
    FINISHED,
    Content,
    KeptPage,
    LibraryDocument,
    Source,
    SourceStatus,
)
from research.storage.object_store import object_key

REMOVED, REMOVED_MESSAGE = "removed", "The document was removed from the library before it was read."


@dataclass(frozen=True, slots=True)
class DeletedDocument:
    """A deleted document. The `runs` that read it keep their saved copy."""

    name: str
    runs: int


def delete_document(document_id: UUID) -> DeletedDocument | None:
    """Delete a document with its passages; return None if it is gone already. Needs the tenant set.

    Its frozen text and its bytes are deleted too, unless a run has read them.
    """
    row = LibraryDocument.objects.select_for_update().filter(pk=document_id).first()
    if row is None:
        return None
    deleted = DeletedDocument(
        str(row), Source.objects.filter(library_document=row).values("run").distinct().count()
    )
    _tell_runs_under_way(row)
    read_copies_of(row)
    raw_key, texts = object_key(row.tenant_id, row.raw_sha256), _texts_of(row)
    row.delete()
    KeptPage.objects.filter(raw_key=raw_key).delete()
    # A run that wants to use such a text waits for the lock, then finds it gone and looks again.
    unused = Content.objects.select_for_update(of=("self",)).filter(pk__in=texts)
    Content.objects.filter(
        pk__in=[text.pk for text in unused.only("pk")], sources=None, documents=None
    ).delete()
    return deleted


def _tell_runs_under_way(row: LibraryDocument) -> None:
    """Mark sources of the document that no run has read yet as failed; otherwise runs would search the web for them."""
    waiting = Source.objects.filter(library_document=row, status=SourceStatus.PENDING)
    waiting.exclude(run__state__in=FINISHED).update(
        status=SourceStatus.FAILED, error_code=REMOVED, error_message=REMOVED_MESSAGE, updated_at=Now()
    )


def _texts_of(row: LibraryDocument) -> list[UUID]:
    """Return the text of the document, and earlier texts of the same bytes."""
    of_these_bytes = Q(raw_sha256=row.raw_sha256) if row.raw_sha256 else Q(pk=None)
    return list(Content.objects.filter(Q(pk=row.content_id) | of_these_bytes).values_list("pk", flat=True))
