"""Models of exported files of reports, and of share links."""

from hashlib import sha256

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from citations.citation_styles import CitationStyle
from exports.files.export_file_state import EXPORT_OPEN, ExportState, TakenFile
from exports.formats.export_formats import WRITERS, Format, FormatWriter
from exports.formats.export_options import ExportOptions
from research.models.base_models import ChangingModel, CheckedJSONField, TenantKey, one_of
from research.models.schemas import StoredSchema

__all__ = [
    "EXPORT_OPEN",
    "Export",
    "ExportCode",
    "ExportState",
    "ShareLink",
    "ShareLinkQuerySet",
    "StoredOptions",
    "options_hash",
    "serialize_options",
]


class ExportCode(models.TextChoices):
    """The reason why a file could not be made."""

    NOT_AVAILABLE = "EXPORT_NOT_AVAILABLE"
    CANNOT_WRITE = "EXPORT_CANNOT_WRITE"  # the writer's message gives the reason
    TOO_LONG = "EXPORT_TOO_LONG"
    TOO_LARGE = "EXPORT_TOO_LARGE"
    INTERRUPTED = "EXPORT_INTERRUPTED"
    NOT_STORED = "EXPORT_NOT_STORED"
    BROKEN = "EXPORT_BROKEN"  # an error of the program; the log has details


class StoredOptions(StoredSchema):
    """The export options that a user chose, as they are stored."""

    citation_style: CitationStyle = CitationStyle.APA
    include_appendix: bool = True
    include_sources: bool = True
    include_raw_data: bool = False
    language: str = "en"

    @property
    def options(self) -> ExportOptions:
        return ExportOptions(**dict(self))


def serialize_options(options: ExportOptions) -> dict[str, object]:
    names = StoredOptions.model_fields
    return StoredOptions(**{name: getattr(options, name) for name in names}).model_dump(mode="json")


def options_hash(options: ExportOptions, writer: FormatWriter) -> str:
    """Return a hash that is equal for options that give equal files."""
    text = StoredOptions.model_validate(serialize_options(options)).model_dump_json()
    return sha256(f"{writer.version}:{text}".encode()).hexdigest()


class Export(TakenFile):
    """An exported file of a report. Two equal requests share the row: `one_file_per_wish`."""

    run = TenantKey("research.Run", related_name="exports", db_index=False)
    report_version = models.PositiveSmallIntegerField()
    evidence_version = models.CharField(max_length=20)  # changes when sources are rechecked
    format = models.CharField(max_length=10, choices=Format)
    options = CheckedJSONField(StoredOptions, default=dict)
    options_hash = models.CharField(max_length=64, editable=False)
    error_code = models.CharField(max_length=40, choices=ExportCode, blank=True)

    class Meta:
        constraints = [
            *TakenFile.Meta.constraints,
            one_of("format", Format),
            models.UniqueConstraint(
                fields=["run", "report_version", "evidence_version", "format", "options_hash"],
                name="one_file_per_wish",
            ),
        ]
        indexes = [
            models.Index(fields=["tenant", "run", "-created_at"], name="export_of_run"),
            # the columns by which the sweep searches
            models.Index(
                fields=["tenant", "updated_at"],
                condition=Q(state__in=("waiting", "making")),
                name="export_open",
            ),
            models.Index(fields=["tenant", "expires_at"], condition=Q(state="ready"), name="export_expiring"),
            models.Index(fields=["object_key"], condition=~Q(object_key=""), name="export_object"),
        ]

    def __str__(self) -> str:
        return self.filename or f"{self.format} {self.state}"

    @property
    def writer(self) -> FormatWriter:
        return WRITERS[Format(self.format)]

    @property
    def requested_options(self) -> ExportOptions:
        return StoredOptions.model_validate(self.options).options


class ShareLinkQuerySet(models.QuerySet["ShareLink"]):
    def open(self) -> "ShareLinkQuerySet":
        return self.filter(revoked_at__isnull=True, expires_at__gt=timezone.now())


class ShareLink(ChangingModel):
    """A link that lets anybody who has it read one report and its sources until it expires or is revoked.

    The token is not stored, so that a copy of the database opens no report.
    """

    run = TenantKey("research.Run", related_name="share_links", db_index=False)
    token_hash = models.CharField(max_length=64, unique=True, editable=False)  # sha256 of the token
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    note = models.CharField(max_length=100, blank=True)  # the person for whom the link is
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    view_count = models.PositiveIntegerField(default=0)
    viewed_at = models.DateTimeField(null=True, blank=True)

    objects = ShareLinkQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="share_link_ends_after_it_began", condition=Q(expires_at__gt=F("created_at"))
            ),
        ]
        indexes = [models.Index(fields=["tenant", "run", "-created_at"], name="share_link_of_run")]

    def __str__(self) -> str:
        return self.note or f"link to {self.run_id}"

    @property
    def is_open(self) -> bool:
        return self.revoked_at is None and self.expires_at > timezone.now()
