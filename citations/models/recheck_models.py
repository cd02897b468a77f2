"""Rechecks of cited sources: does the source still contain the quotes?"""

from django.conf import settings
from django.db import models
from django.db.models import Q

from citations.models.citation_models import Citation
from research.models.base_models import ChangingModel, TenantKey, TenantModel, one_of, scores


class RecheckState(models.TextChoices):
    WAITING = "waiting"  # its current bytes are to be fetched
    FETCHED = "fetched"  # the bytes wait to be read
    DONE = "done"
    UNREADABLE = "unreadable"  # no result; the reason says why


RECHECK_OPEN = (RecheckState.WAITING, RecheckState.FETCHED)


class Recheck(ChangingModel):
    """A check of a source's current state. The frozen text is not changed by it."""

    source = TenantKey("research.Source", related_name="rechecks", db_index=False)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    state = models.CharField(max_length=10, choices=RecheckState, default=RecheckState.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    # Claimed by a worker, or waiting for another try.
    not_before = models.DateTimeField(null=True, blank=True)
    object_key = models.CharField(max_length=200, blank=True)  # the current bytes
    file_name = models.CharField(max_length=200, blank=True)
    final_url = models.TextField(blank=True)
    is_same_text = models.BooleanField(null=True, blank=True)
    reason = models.TextField(blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            one_of("state", RecheckState),
            models.UniqueConstraint(
                fields=["source"], condition=Q(state__in=("waiting", "fetched")), name="one_recheck_at_a_time"
            ),
            models.CheckConstraint(
                name="recheck_finished_iff_over",
                condition=Q(state__in=("done", "unreadable"), finished_at__isnull=False)
                | Q(state__in=("waiting", "fetched"), finished_at__isnull=True),
            ),
            models.CheckConstraint(
                name="recheck_failure_has_a_reason", condition=~Q(state="unreadable") | ~Q(reason="")
            ),
        ]
        indexes = [
            models.Index(fields=["tenant", "source", "-created_at"], name="recheck_of_source"),
            # the columns by which the sweep searches
            models.Index(
                fields=["tenant", "updated_at"], name="recheck_open", condition=Q(finished_at__isnull=True)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.state} {self.source_id}"


class RecheckOutcome(models.TextChoices):
    STILL_THERE = "still there"
    CHANGED = "changed"
    GONE = "gone"
    UNREADABLE = "unreadable"


class RecheckedCitation(TenantModel):
    """The outcome of rechecking one quote, and the text now in its place."""

    recheck = TenantKey(Recheck, related_name="citations", db_index=False)
    citation = TenantKey(Citation, related_name="rechecks")
    outcome = models.CharField(max_length=11, choices=RecheckOutcome)
    similarity = models.FloatField(null=True, blank=True)
    now = models.TextField(blank=True)

    class Meta:
        constraints = [
            one_of("outcome", RecheckOutcome),
            *scores("similarity"),
            models.UniqueConstraint(
                fields=["recheck", "citation"], name="one_outcome_per_citation_and_recheck"
            ),
        ]

    def __str__(self) -> str:
        return self.outcome
