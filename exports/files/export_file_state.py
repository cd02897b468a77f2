"""The state of files that a worker makes on request: a row holds the request, its progress and its lease."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from research.models.base_models import ChangingModel, between, one_of


class ExportState(models.TextChoices):
    WAITING = "waiting"
    MAKING = "making"
    READY = "ready"
    FAILED = "failed"
    EXPIRED = "expired"  # there was a file, and it can be made again


EXPORT_OPEN = (ExportState.WAITING, ExportState.MAKING)


class LeasedJob(ChangingModel):
    """A job that one worker at a time claims under a fencing token: see `exports.files.export_lease`."""

    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    state = models.CharField(max_length=7, choices=ExportState, default=ExportState.WAITING)
    progress = models.FloatField(default=0)
    attempts = models.PositiveSmallIntegerField(default=0)  # number of claims
    fence = models.PositiveIntegerField(default=0)  # only the holder of the newest fencing token may write
    taken_by = models.CharField(max_length=100, blank=True)
    taken_until = models.DateTimeField(null=True, blank=True)
    error_code = models.CharField(max_length=40, blank=True)
    error = models.TextField(blank=True)  # a sentence for readers
    duration_ms = models.PositiveIntegerField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True
        constraints = [
            one_of("state", ExportState),
            between("progress", 0, 1),
            models.CheckConstraint(
                name="%(class)s_failed_iff_code", condition=Q(state=ExportState.FAILED) ^ Q(error_code="")
            ),
            models.CheckConstraint(
                name="%(class)s_taken_iff_making",
                condition=Q(state=ExportState.MAKING) ^ Q(taken_until__isnull=True),
            ),
        ]

    @property
    def is_open(self) -> bool:
        return self.state in EXPORT_OPEN

    @property
    def percent(self) -> int:
        return round(100 * self.progress)


class TakenFile(LeasedJob):
    """A file that is stored for a limited period."""

    object_key = models.CharField(max_length=200, blank=True)
    filename = models.CharField(max_length=200, blank=True)
    file_size = models.PositiveBigIntegerField(null=True, blank=True)  # bytes
    sha256 = models.CharField(max_length=64, blank=True)
    download_count = models.PositiveIntegerField(default=0)
    expires_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True
        constraints = [
            *LeasedJob.Meta.constraints,
            models.CheckConstraint(
                name="%(class)s_ready_iff_file", condition=Q(state=ExportState.READY) ^ Q(object_key="")
            ),
            models.CheckConstraint(
                name="%(class)s_ready_has_size_and_end",
                condition=~Q(state=ExportState.READY)
                | Q(file_size__isnull=False, expires_at__isnull=False) & ~Q(sha256=""),
            ),
        ]

    @property
    def is_there(self) -> bool:
        """Return True if the file can be downloaded."""
        is_over = self.expires_at is not None and self.expires_at <= timezone.now()
        return self.state == ExportState.READY and not is_over
