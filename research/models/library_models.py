"""A tenant's own documents and their passages, kept independently of runs."""

from django.db import models
from django.db.models import Q

from research.models.base_models import ChangingModel, TenantKey, one_of
from research.models.source_models import Content, Passage, SourceType, passage_indexes

PAGE_PATH = "http://"  # prefix of every canonical URL, whatever its scheme


class DocumentStatus(models.TextChoices):
    PENDING = "pending"
    READING = "reading"
    READY = "ready"
    FAILED = "failed"
    DUPLICATE = "duplicate"


class LibraryDocument(ChangingModel):
    """A file of a folder, an upload or a saved page. An unchanged file keeps its row when it is imported again."""

    # Absolute path of the imported folder, or "uploads", a folder within it ("uploads/Contracts"), "sample", "web".
    folder = models.TextField()
    path = models.TextField()  # relative to the folder; for a web page, its canonical URL
    url = models.TextField(blank=True)
    title = models.TextField(blank=True)
    author = models.TextField(blank=True)
    publisher = models.TextField(blank=True)
    syndicated_from = models.CharField(max_length=200, blank=True)  # the agency whose text it repeats
    published_date = models.CharField(max_length=10, blank=True)
    modified_date = models.CharField(max_length=10, blank=True)
    source_type = models.CharField(max_length=13, choices=SourceType, default=SourceType.OTHER)
    licence = models.CharField(max_length=200, blank=True)
    file_size = models.PositiveBigIntegerField(default=0)
    file_mtime = models.FloatField(null=True, blank=True)  # seconds; shows whether the file changed
    raw_sha256 = models.CharField(max_length=64, blank=True)
    status = models.CharField(max_length=9, choices=DocumentStatus, default=DocumentStatus.PENDING)
    error_code = models.CharField(max_length=40, blank=True)
    error_message = models.TextField(blank=True)
    content = TenantKey(Content, on_delete=models.PROTECT, null=True, blank=True, related_name="documents")
    duplicate_of = TenantKey(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="duplicates"
    )

    class Meta:
        constraints = [
            one_of("source_type", SourceType),
            one_of("status", DocumentStatus),
            models.UniqueConstraint(fields=["tenant", "folder", "path"], name="one_document_per_path"),
            models.CheckConstraint(
                name="document_failure_has_a_code", condition=~Q(status="failed") | ~Q(error_code="")
            ),
        ]
        indexes = [models.Index(fields=["tenant", "folder", "status"], name="document_by_folder")]

    def __str__(self) -> str:
        return self.title or (self.url if self.is_page and self.url else self.path)

    @property
    def is_page(self) -> bool:
        """Return True for a web page that a run saved or a user added by its URL: no file's path starts that way."""
        return self.path.startswith(PAGE_PATH)

    @property
    def text(self) -> str:
        return self.content.text if self.content else ""

    @property
    def passages(self) -> "models.QuerySet[LibraryChunk]":
        """Return the passages of the document; an exact copy has those of its original, at the same offsets."""
        is_copy = self.status == DocumentStatus.DUPLICATE and self.duplicate_of_id is not None
        holder = self.duplicate_of_id if is_copy else self.pk
        return LibraryChunk.objects.filter(document_id=holder).order_by("chunk_index")


class LibraryChunk(Passage):
    """A passage of a library document."""

    document = TenantKey(LibraryDocument, related_name="chunks", db_index=False)

    class Meta(Passage.Meta):
        constraints = [
            *Passage.Meta.constraints,
            models.UniqueConstraint(fields=["document", "chunk_index"], name="one_library_chunk_per_index"),
        ]
        indexes = [
            models.Index(fields=["tenant", "document"], name="library_chunk_by_document"),
            *passage_indexes("library_chunk"),
        ]
