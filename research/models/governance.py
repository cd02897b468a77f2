"""People's decisions, budgets and credits (spec: lifecycle.md, Asking a person; governance.md)."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from research.models.base import ChangingModel, TenantKey, TenantModel, one_of, scores


class Priority(models.TextChoices):
    CRITICAL = "critical"
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class EscalationType(models.TextChoices):
    BLOCKING = "blocking"
    ADVISORY = "advisory"


class Fallback(models.TextChoices):
    CONTINUE = "continue"
    FAIL = "fail"
    DEGRADE = "degrade"


class EscalationStatus(models.TextChoices):
    OPEN = "open"
    APPROVED = "approved"
    REJECTED = "rejected"
    REVISED = "revised"
    EXPIRED = "expired"


class Escalation(ChangingModel):
    """A question to a person, with a deadline and what happens without an answer."""

    run = TenantKey("research.Run", related_name="escalations")
    rule = models.CharField(max_length=40)
    state = models.CharField(max_length=25)
    priority = models.CharField(max_length=8, choices=Priority)
    type = models.CharField(max_length=8, choices=EscalationType)
    required_action = models.TextField()
    context = models.JSONField(default=dict)
    deadline = models.DateTimeField()
    fallback = models.CharField(max_length=8, choices=Fallback)
    status = models.CharField(max_length=8, choices=EscalationStatus, default=EscalationStatus.OPEN)
    decision = models.JSONField(null=True, blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            one_of("priority", Priority),
            one_of("type", EscalationType),
            one_of("fallback", Fallback),
            one_of("status", EscalationStatus),
        ]
        indexes = [
            models.Index(fields=["tenant", "deadline"], condition=Q(status="open"), name="escalation_open")
        ]

    def __str__(self) -> str:
        return f"{self.rule} ({self.status})"


class Degradation(TenantModel):
    """Something that the run gave up so that it could go on. Shown to the reader."""

    run = TenantKey("research.Run", related_name="degradation_log")
    code = models.CharField(max_length=40)
    reason = models.TextField()
    quality_impact = models.FloatField(default=0)  # share of quality given up, 0–1

    class Meta:
        constraints = [*scores("quality_impact")]

    def __str__(self) -> str:
        return self.code


class Budget(ChangingModel):
    """Limits of a run, or of one role in it; what is reserved and spent."""

    run = TenantKey("research.Run", related_name="budgets")
    role = models.CharField(max_length=12, blank=True)  # empty: the whole run
    limit_tokens_input = models.PositiveBigIntegerField()
    limit_tokens_output = models.PositiveBigIntegerField()
    limit_usd = models.DecimalField(max_digits=12, decimal_places=6, null=True, blank=True)
    reserved_tokens = models.PositiveBigIntegerField(default=0)
    spent_tokens_input = models.PositiveBigIntegerField(default=0)
    spent_tokens_output = models.PositiveBigIntegerField(default=0)
    reserved_usd = models.DecimalField(max_digits=12, decimal_places=6, default=0)
    spent_usd = models.DecimalField(max_digits=12, decimal_places=6, default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "role"], name="one_budget_per_role")]

    def __str__(self) -> str:
        return f"{self.role or 'run'}: {self.spent_usd} USD"


class UsageEntry(TenantModel):
    """What one settled operation used."""

    run = TenantKey("research.Run", related_name="usage")
    step = TenantKey("research.Step", on_delete=models.SET_NULL, null=True, blank=True, related_name="usage")
    operation = models.CharField(max_length=40)
    ref = models.CharField(max_length=200)
    tokens_input = models.PositiveIntegerField(default=0)
    tokens_output = models.PositiveIntegerField(default=0)
    cost_usd = models.DecimalField(max_digits=12, decimal_places=6, null=True, blank=True)

    class Meta:
        verbose_name_plural = "usage entries"
        constraints = [
            models.UniqueConstraint(fields=["run", "operation", "ref"], name="one_usage_entry_per_ref")
        ]

    def __str__(self) -> str:
        return f"{self.operation} {self.ref}"


class CreditAccount(TenantModel):
    """Whose credits. The balance is the sum of the entries."""

    name = models.CharField(max_length=40)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant", "name"], name="one_credit_account_per_name")]

    def __str__(self) -> str:
        return self.name


class CreditKind(models.TextChoices):
    GRANT = "grant"
    RESERVE = "reserve"
    SETTLE = "settle"
    RELEASE = "release"
    REFUND = "refund"


class CreditEntry(TenantModel):
    """One side of a movement of credits. Append-only: the database refuses to change or delete it."""

    account = TenantKey(CreditAccount, on_delete=models.PROTECT, related_name="entries")
    kind = models.CharField(max_length=7, choices=CreditKind)
    amount = models.DecimalField(max_digits=14, decimal_places=4)  # credits; signed
    ref = models.CharField(max_length=200)  # what it is for: "run:<id>"; outlives the run

    class Meta:
        verbose_name_plural = "credit entries"
        constraints = [
            one_of("kind", CreditKind),
            models.UniqueConstraint(fields=["account", "kind", "ref"], name="one_credit_entry_per_ref"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.amount}"
