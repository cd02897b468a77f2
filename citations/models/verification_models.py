"""The results of checking a report, and warnings about its evidence."""

from django.db import models

from citations.models.claim_models import Claim
from research.models.base_models import ChangingModel, TenantKey, TenantModel, one_of, scores


class OverallStatus(models.TextChoices):
    PASSED = "passed"
    NEEDS_REVISION = "needs_revision"
    FAILED = "failed"


class CheckLevel(models.TextChoices):
    BASIC = "basic"
    STANDARD = "standard"
    STRICT = "strict"


class VerificationReport(TenantModel):
    """The result of checking a version of a report. Accuracy = (verified + paraphrased + ½ partial) / checked."""

    run = TenantKey("research.Run", related_name="verification_reports", db_index=False)
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
    """An error in one claim."""

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


class Warning(TenantModel):  # the field's term; the builtin of that name is not used here
    """A warning about missing or weak evidence.

    Computed ones are counted by code; others are a model's proposals, shown as such.
    """

    run = TenantKey("research.Run", related_name="warnings", db_index=False)
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
