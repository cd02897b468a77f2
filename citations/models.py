"""Claims and the words they stand on (spec: data-model.md, citations)."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Length
from pgvector.django import VectorField

from citations.weighing.authority_rules import Rule
from citations.weighing.authority_rules import SourceType as RuledType
from research.models.base import (
    ChangingModel,
    CheckedJSONField,
    TenantKey,
    TenantModel,
    between,
    one_of,
    scores,
)
from research.models.schemas import Factors, StoredBox, StoredPart
from research.models.sources import SourceType


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

    run = TenantKey("research.Run", related_name="sections")
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

    run = TenantKey("research.Run", related_name="claims")
    section = TenantKey(Section, on_delete=models.SET_NULL, null=True, blank=True, related_name="claims")
    position = models.PositiveIntegerField(default=0)
    number = models.PositiveIntegerField(
        null=True, blank=True
    )  # as the reader counts them, from 1; once placed
    text = models.TextField()
    claim_type = models.CharField(max_length=10, choices=ClaimType, default=ClaimType.FACT)
    category = models.CharField(max_length=9, choices=Category, blank=True)
    actionable = models.BooleanField(default=False)
    entities = models.JSONField(default=list, blank=True)
    quantities = models.JSONField(default=list, blank=True)
    strength = models.CharField(max_length=8, choices=Strength, default=Strength.LIMITED)
    origins = models.PositiveSmallIntegerField(default=0)  # independent sources, that `strength` counts
    confidence = models.FloatField(null=True, blank=True)
    confidence_factors = CheckedJSONField(Factors, null=True, blank=True)
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

    claim = TenantKey(Claim, related_name="citations")
    source = TenantKey("research.Source", related_name="citations")
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
    page_number = models.PositiveIntegerField(null=True, blank=True)
    paragraph_index = models.PositiveIntegerField(null=True, blank=True)
    boxes = CheckedJSONField(list[StoredBox], default=list, blank=True)
    match_type = models.CharField(max_length=10, choices=MatchType)
    similarity = models.FloatField(default=1.0)
    confidence = models.FloatField(null=True, blank=True)
    confidence_factors = CheckedJSONField(Factors, null=True, blank=True)
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

    def __str__(self) -> str:
        return self.quote[:80]


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
    claim_a = TenantKey(Claim, related_name="contradictions_as_a")
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


class OverallStatus(models.TextChoices):
    PASSED = "passed"
    NEEDS_REVISION = "needs_revision"
    FAILED = "failed"


class CheckLevel(models.TextChoices):
    BASIC = "basic"
    STANDARD = "standard"
    STRICT = "strict"


class VerificationReport(TenantModel):
    """What checking a version of a report came to. Accuracy = (verified + paraphrased + ½ partial) / checked."""

    run = TenantKey("research.Run", related_name="verification_reports")
    report_version = models.PositiveSmallIntegerField()
    level = models.CharField(max_length=8, choices=CheckLevel, default=CheckLevel.STANDARD)
    overall_status = models.CharField(max_length=14, choices=OverallStatus)
    accuracy = models.FloatField(null=True, blank=True)
    counts = models.JSONField(default=dict)  # status → claims

    class Meta:
        constraints = [
            one_of("level", CheckLevel),
            one_of("overall_status", OverallStatus),
            *scores("accuracy"),
            models.UniqueConstraint(
                fields=["run", "report_version"], name="one_verification_per_report_version"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.overall_status} v{self.report_version}"


class IssueType(models.TextChoices):
    UNSUPPORTED = "unsupported"
    CONTRADICTED = "contradicted"
    INACCURATE = "inaccurate"
    OUTDATED = "outdated"


class IssueSeverity(models.TextChoices):
    CRITICAL = "critical"
    MAJOR = "major"
    MINOR = "minor"


class VerificationIssue(ChangingModel):
    """One thing wrong with one claim."""

    report = TenantKey(VerificationReport, related_name="issues")
    claim = TenantKey(Claim, null=True, blank=True, related_name="issues")
    location = models.CharField(max_length=200, blank=True)
    issue_type = models.CharField(max_length=12, choices=IssueType)
    severity = models.CharField(max_length=8, choices=IssueSeverity)
    explanation = models.TextField()
    suggested_fix = models.TextField(blank=True)
    source_says = models.TextField(blank=True)
    resolution = models.TextField(blank=True)

    class Meta:
        constraints = [one_of("issue_type", IssueType), one_of("severity", IssueSeverity)]

    def __str__(self) -> str:
        return f"{self.issue_type}: {self.explanation[:60]}"


class WarningKind(models.TextChoices):
    GAP = "gap"
    QUALITY = "quality"
    BIAS = "bias"
    RECENCY = "recency"
    DIVERSITY = "diversity"


class WarningSeverity(models.TextChoices):
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class Warning(TenantModel):  # the domain's word (data-model.md); the builtin of that name is not used here
    """What is missing or weak. Computed ones are counted by code; others are a model's proposals, shown as such."""

    run = TenantKey("research.Run", related_name="warnings")
    code = models.CharField(max_length=10)  # stable: W001
    kind = models.CharField(max_length=9, choices=WarningKind)
    severity = models.CharField(max_length=6, choices=WarningSeverity)
    text = models.TextField()
    advice = models.TextField(blank=True)
    computed = models.BooleanField(default=True)

    class Meta:
        constraints = [
            one_of("kind", WarningKind),
            one_of("severity", WarningSeverity),
            models.UniqueConstraint(fields=["run", "code", "text"], name="one_warning_per_code_and_text"),
        ]

    def __str__(self) -> str:
        return f"{self.code} {self.text[:60]}"


class DomainRuleQuerySet(models.QuerySet["DomainRule"]):
    def as_rules(self) -> tuple[Rule, ...]:
        """For `classify_source`: the longer name first, so that a host's own rule goes before its domain's."""
        rows = self.order_by(Length("domain").desc(), "domain")
        return tuple(Rule(row.domain, row.tier, RuledType(row.source_type), row.publisher) for row in rows)


class DomainRule(ChangingModel):
    """What an administrator knows about a publisher: goes before the built-in table of domains."""

    domain = models.CharField(max_length=255)  # a registrable domain or a host of it, in lower case
    tier = models.PositiveSmallIntegerField()
    source_type = models.CharField(max_length=13, choices=SourceType, default=SourceType.OTHER)
    publisher = models.CharField(max_length=200, blank=True)
    reason = models.TextField(blank=True)  # for whoever reviews the table

    objects = DomainRuleQuerySet.as_manager()

    class Meta:
        constraints = [
            between("tier", 1, 5),
            one_of("source_type", SourceType),
            models.CheckConstraint(name="domain_rule_names_a_domain", condition=~Q(domain="")),
            models.UniqueConstraint(fields=["tenant", "domain"], name="one_rule_per_domain"),
        ]

    def __str__(self) -> str:
        return f"{self.domain}: tier {self.tier}"
