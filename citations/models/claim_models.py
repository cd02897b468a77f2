"""The sections of a report and their claims."""

from django.db import models
from pgvector.django import VectorField

from research.models.base_models import ChangingModel, CheckedJSONField, TenantKey, one_of, scores
from research.models.schemas import StoredFactors, StoredPart


class ClaimType(models.TextChoices):
    FACT = "fact"
    STATISTIC = "statistic"
    QUOTE = "quote"
    DATE = "date"
    NAME = "name"
    OPINION = "opinion"
    PREDICTION = "prediction"


class Category(models.TextChoices):
    VISUAL = "visual"
    TONAL = "tonal"
    FACTUAL = "factual"
    STRATEGIC = "strategic"


class Strength(models.TextChoices):
    STRONG = "strong"
    MODERATE = "moderate"
    LIMITED = "limited"


class ClaimStatus(models.TextChoices):
    VERIFIED = "verified"
    PARAPHRASED_ACCURATE = "paraphrased_accurate"
    PARTIALLY_SUPPORTED = "partially_supported"
    UNSUPPORTED = "unsupported"
    CONTRADICTED = "contradicted"
    UNVERIFIABLE = "unverifiable"
    UNVERIFIED = "unverified"


class ContradictionStatus(models.TextChoices):
    NONE = "none"
    RESOLVED = "resolved"
    PRESENTED_BOTH = "presented_both"
    HUMAN = "human"


class SectionStatus(models.TextChoices):
    PLANNED = "planned"
    WRITTEN = "written"
    CITED = "cited"


class Section(ChangingModel):
    """A part of a report. Its body holds claim references and connective prose, never loose claims."""

    run = TenantKey("research.Run", related_name="sections", db_index=False)
    report_version = models.PositiveSmallIntegerField(default=1)
    index = models.PositiveSmallIntegerField()
    heading = models.TextField()
    level = models.PositiveSmallIntegerField(default=2)
    target_words = models.PositiveIntegerField(default=0)
    status = models.CharField(max_length=7, choices=SectionStatus, default=SectionStatus.PLANNED)
    body = models.JSONField(default=dict, blank=True)

    class Meta:
        constraints = [
            one_of("status", SectionStatus),
            models.UniqueConstraint(fields=["run", "report_version", "index"], name="one_section_per_index"),
        ]

    def __str__(self) -> str:
        return self.heading


class Claim(ChangingModel):
    """One checkable assertion."""

    run = TenantKey("research.Run", related_name="claims", db_index=False)
    section = TenantKey(Section, on_delete=models.SET_NULL, null=True, blank=True, related_name="claims")
    position = models.PositiveIntegerField(default=0)
    number = models.PositiveIntegerField(null=True, blank=True)  # the reader's number, from 1; once placed
    text = models.TextField()
    claim_type = models.CharField(max_length=10, choices=ClaimType, default=ClaimType.FACT)
    category = models.CharField(max_length=9, choices=Category, blank=True)
    actionable = models.BooleanField(default=False)
    entities = models.JSONField(default=list, blank=True)
    quantities = models.JSONField(
        default=list, blank=True
    )  # `StoredComputation`, where the claim was computed
    strength = models.CharField(max_length=8, choices=Strength, default=Strength.LIMITED)
    # Number of independent sources, behind `strength`.
    origins = models.PositiveSmallIntegerField(default=0)
    confidence = models.FloatField(null=True, blank=True)
    confidence_factors = CheckedJSONField(StoredFactors, null=True, blank=True)
    verification_status = models.CharField(max_length=20, choices=ClaimStatus, default=ClaimStatus.UNVERIFIED)
    verification_note = models.TextField(blank=True)
    alignment = CheckedJSONField(list[StoredPart], default=list, blank=True)
    contradiction_status = models.CharField(
        max_length=14, choices=ContradictionStatus, default=ContradictionStatus.NONE
    )
    relevance = models.FloatField(null=True, blank=True)  # to the question, 0–1
    embedding = VectorField(null=True, blank=True)

    class Meta:
        constraints = [
            one_of("claim_type", ClaimType),
            one_of("category", Category, blank=True),
            one_of("strength", Strength),
            one_of("verification_status", ClaimStatus),
            one_of("contradiction_status", ContradictionStatus),
            *scores("confidence", "relevance"),
            models.UniqueConstraint(fields=["run", "number"], name="one_claim_per_number"),
        ]
        indexes = [models.Index(fields=["tenant", "run", "section", "position"], name="claim_in_order")]

    def __str__(self) -> str:
        return self.text[:80]
