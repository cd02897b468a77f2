"""Contradictions: claims that cannot both hold."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from citations.models.claim_models import Claim
from research.models.base_models import ChangingModel, TenantKey, one_of, scores


class ConflictKind(models.TextChoices):
    NUMERIC = "numeric"
    TEMPORAL = "temporal"
    POLARITY = "polarity"
    CATEGORICAL = "categorical"


class Resolution(models.TextChoices):
    RESOLVED = "resolved"
    PRESENTED_BOTH = "presented_both"
    HUMAN = "human"
    OPEN = "open"


class Contradiction(ChangingModel):
    """Two claims about the same thing that cannot both hold."""

    run = TenantKey("research.Run", related_name="contradictions")
    claim_a = TenantKey(Claim, related_name="contradictions_as_a", db_index=False)
    claim_b = TenantKey(Claim, related_name="contradictions_as_b")
    kind = models.CharField(max_length=11, choices=ConflictKind)
    gates = models.JSONField(default=dict, blank=True)
    scores_a = models.JSONField(default=dict, blank=True)
    scores_b = models.JSONField(default=dict, blank=True)
    margin = models.FloatField(default=0)
    resolution = models.CharField(max_length=14, choices=Resolution, default=Resolution.OPEN)
    winner = TenantKey(Claim, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    note = models.TextField(blank=True)
    resolved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

    class Meta:
        constraints = [
            one_of("kind", ConflictKind),
            one_of("resolution", Resolution),
            *scores("margin"),
            models.UniqueConstraint(fields=["claim_a", "claim_b"], name="one_contradiction_per_pair"),
            models.CheckConstraint(name="contradiction_between_two", condition=~Q(claim_a=F("claim_b"))),
        ]

    def __str__(self) -> str:
        return f"{self.kind}: {self.note[:60]}"
