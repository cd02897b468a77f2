"""The words of sources that claims stand on."""

from django.db import models
from django.db.models import F, Q

from citations.models.claim_models import Claim, Section
from research.models.base_models import ChangingModel, CheckedJSONField, TenantKey, one_of, scores
from research.models.schemas import StoredBox, StoredCellNames, StoredFactors


class MatchType(models.TextChoices):
    EXACT = "exact"
    NORMALIZED = "normalized"
    PARAPHRASE = "paraphrase"
    SUMMARY = "summary"
    INFERENCE = "inference"


class CitationStatus(models.TextChoices):
    UNVERIFIED = "unverified"
    VERIFIED = "verified"
    DISPUTED = "disputed"
    CORRECTED = "corrected"


class VerifiedBy(models.TextChoices):
    AUTO = "auto"
    HUMAN = "human"


class Citation(ChangingModel):
    """Claim → span. The database refuses a quote that is not the source's own words at its offsets."""

    claim = TenantKey(Claim, related_name="citations", db_index=False)
    source = TenantKey("research.Source", related_name="citations", db_index=False)
    chunk = TenantKey(
        "research.Chunk", on_delete=models.SET_NULL, null=True, blank=True, related_name="citations"
    )
    citation_key = models.CharField(max_length=200, blank=True)
    citation_index = models.PositiveSmallIntegerField(default=0)  # order among the claim's citations
    section = TenantKey(Section, on_delete=models.SET_NULL, null=True, blank=True, related_name="citations")
    report_paragraph_index = models.PositiveIntegerField(null=True, blank=True)
    report_sentence_index = models.PositiveIntegerField(null=True, blank=True)
    anchor_start = models.PositiveIntegerField(null=True, blank=True)
    anchor_end = models.PositiveIntegerField(null=True, blank=True)
    anchor_text = models.TextField(blank=True)
    quote = models.TextField()
    prefix = models.CharField(max_length=32, blank=True)  # W3C TextQuoteSelector, for re-anchoring
    suffix = models.CharField(max_length=32, blank=True)
    start_offset = models.PositiveIntegerField()
    end_offset = models.PositiveIntegerField()
    page_number = models.PositiveIntegerField(null=True, blank=True)  # its place in the file, from 1
    page_label = models.CharField(max_length=40, blank=True, db_default="")  # as printed, where another
    # Of a quote from a table: what the table calls its row and columns.
    cell_names = CheckedJSONField(StoredCellNames, null=True, blank=True)
    paragraph_index = models.PositiveIntegerField(null=True, blank=True)
    boxes = CheckedJSONField(list[StoredBox], default=list, blank=True)
    match_type = models.CharField(max_length=10, choices=MatchType)
    similarity = models.FloatField(default=1.0)
    confidence = models.FloatField(null=True, blank=True)
    confidence_factors = CheckedJSONField(StoredFactors, null=True, blank=True)
    verification_status = models.CharField(
        max_length=10, choices=CitationStatus, default=CitationStatus.UNVERIFIED
    )
    verified_by = models.CharField(max_length=5, choices=VerifiedBy, blank=True)
    verified_at = models.DateTimeField(null=True, blank=True)
    verification_notes = models.TextField(blank=True)
    formatted = models.JSONField(default=dict, blank=True)  # style → text

    class Meta:
        constraints = [
            one_of("match_type", MatchType),
            one_of("verification_status", CitationStatus),
            one_of("verified_by", VerifiedBy, blank=True),
            *scores("similarity", "confidence"),
            models.CheckConstraint(
                name="citation_span_not_empty", condition=Q(end_offset__gt=F("start_offset"))
            ),
            models.UniqueConstraint(
                fields=["claim", "source", "start_offset", "end_offset"],
                name="one_citation_per_claim_and_span",
            ),
        ]
        indexes = [models.Index(fields=["tenant", "source", "start_offset"], name="citation_in_source")]

    @property
    def printed_page(self) -> str:
        """The page as it is printed, else its place in the file; empty where the text has no pages."""
        return self.page_label or str(self.page_number or "")

    @property
    def row(self) -> str:
        """The name of the table row that the quote is from; empty outside tables."""
        return str((self.cell_names or {}).get("row", ""))

    @property
    def columns(self) -> list[str]:
        """The names of the table columns that the quote is from; empty outside tables."""
        return list((self.cell_names or {}).get("columns", ()))

    def __str__(self) -> str:
        return self.quote[:80]
