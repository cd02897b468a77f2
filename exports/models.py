"""Files of reports, and links by which a report is read without an account (spec: data-model.md, Export)."""

from hashlib import sha256

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from citations.styles import Style
from exports.formats.catalogue import WRITERS, Format, Writer
from exports.formats.options import Options
from research.models.base import ChangingModel, CheckedJSONField, TenantKey, between, one_of
from research.models.schemas import Shape


class ExportState(models.TextChoices):
    WAITING = "waiting"
    MAKING = "making"
    READY = "ready"
    FAILED = "failed"
    EXPIRED = "expired"  # there was a file; it can be made again


EXPORT_OPEN = (ExportState.WAITING, ExportState.MAKING)


class ExportCode(models.TextChoices):
    """Why a file could not be made."""

    NOT_AVAILABLE = "EXPORT_NOT_AVAILABLE"
    CANNOT_WRITE = "EXPORT_CANNOT_WRITE"  # the writer says why
    TOO_LONG = "EXPORT_TOO_LONG"
    TOO_LARGE = "EXPORT_TOO_LARGE"
    INTERRUPTED = "EXPORT_INTERRUPTED"
    NOT_STORED = "EXPORT_NOT_STORED"
    BROKEN = "EXPORT_BROKEN"  # a fault of the program; the log has it


class StoredOptions(Shape):
    """What a person chose of a file."""

    citation_style: Style = Style.APA
    include_appendix: bool = True
    include_sources: bool = True
    include_raw_data: bool = False
    language: str = "en"

    @property
    def options(self) -> Options:
        return Options(**dict(self))


def stored(options: Options) -> dict[str, object]:
    names = StoredOptions.model_fields
    return StoredOptions(**{name: getattr(options, name) for name in names}).model_dump(mode="json")


def options_hash(options: Options, writer: Writer) -> str:
    """The same for what gives the same file."""
    text = StoredOptions.model_validate(stored(options)).model_dump_json()
    return sha256(f"{writer.version}:{text}".encode()).hexdigest()


class Export(ChangingModel):
    """One file of a report. Asked for twice, it is the same row: `one_file_per_wish`."""

    run = TenantKey("research.Run", related_name="exports")
    report_version = models.PositiveSmallIntegerField()
    evidence_version = models.CharField(max_length=20)  # goes on with later looks at the sources
    format = models.CharField(max_length=10, choices=Format)
    options = CheckedJSONField(StoredOptions, default=dict)
    options_hash = models.CharField(max_length=64, editable=False)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    state = models.CharField(max_length=7, choices=ExportState, default=ExportState.WAITING)
    progress = models.FloatField(default=0)
    attempts = models.PositiveSmallIntegerField(default=0)  # counted when a worker takes it
    fence = models.PositiveIntegerField(default=0)  # who took it last may write
    taken_by = models.CharField(max_length=100, blank=True)
    taken_until = models.DateTimeField(null=True, blank=True)
    error_code = models.CharField(max_length=40, choices=ExportCode, blank=True)
    error = models.TextField(blank=True)  # a sentence for the reader

    object_key = models.CharField(max_length=200, blank=True)
    filename = models.CharField(max_length=200, blank=True)
    file_size = models.PositiveBigIntegerField(null=True, blank=True)  # bytes
    sha256 = models.CharField(max_length=64, blank=True)
    duration_ms = models.PositiveIntegerField(null=True, blank=True)
    download_count = models.PositiveIntegerField(default=0)
    finished_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            one_of("format", Format),
            one_of("state", ExportState),
            between("progress", 0, 1),
            models.UniqueConstraint(
                fields=["run", "report_version", "evidence_version", "format", "options_hash"],
                name="one_file_per_wish",
            ),
            models.CheckConstraint(
                name="export_ready_iff_file",
                condition=Q(state=ExportState.READY) ^ Q(object_key=""),
            ),
            models.CheckConstraint(
                name="export_failed_iff_code", condition=Q(state=ExportState.FAILED) ^ Q(error_code="")
            ),
            models.CheckConstraint(
                name="export_taken_iff_making",
                condition=Q(state=ExportState.MAKING) ^ Q(taken_until__isnull=True),
            ),
            models.CheckConstraint(
                name="export_ready_has_size_and_end",
                condition=~Q(state=ExportState.READY)
                | Q(file_size__isnull=False, expires_at__isnull=False) & ~Q(sha256=""),
            ),
        ]
        indexes = [
            models.Index(fields=["tenant", "run", "-created_at"], name="export_of_run"),
            # what the sweep looks for
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
    def writer(self) -> Writer:
        return WRITERS[Format(self.format)]

    @property
    def wished(self) -> Options:
        return StoredOptions.model_validate(self.options).options

    @property
    def is_open(self) -> bool:
        return self.state in EXPORT_OPEN

    @property
    def is_there(self) -> bool:
        """The file can be had."""
        is_over = self.expires_at is not None and self.expires_at <= timezone.now()
        return self.state == ExportState.READY and not is_over

    @property
    def percent(self) -> int:
        return round(100 * self.progress)


class ShareLinkQuerySet(models.QuerySet["ShareLink"]):
    def open(self) -> "ShareLinkQuerySet":
        return self.filter(revoked_at__isnull=True, expires_at__gt=timezone.now())


class ShareLink(ChangingModel):
    """Lets whoever has the address read one report and its sources, until it ends or is taken back.

    The token itself stands in no row: a copy of the database opens nothing.
    """

    run = TenantKey("research.Run", related_name="share_links")
    token_hash = models.CharField(max_length=64, unique=True, editable=False)  # sha256 of the token
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    note = models.CharField(max_length=100, blank=True)  # for whom it is
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
