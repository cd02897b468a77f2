"""Budgets, credits and degradations of runs (spec: governance.md)."""

from django.db import models
from django.db.models import F, Q

from research.models.base_models import ChangingModel, TenantKey, TenantModel, one_of, scores


class Degradation(TenantModel):
    """A loss of quality that the run accepted in order to continue; shown to the reader."""

    run = TenantKey("research.Run", related_name="degradation_log", db_index=False)
    code = models.CharField(max_length=40)
    reason = models.TextField()
    quality_impact = models.FloatField(default=0)  # share of quality given up, 0–1

    class Meta:
        constraints = [
            *scores("quality_impact"),
            models.UniqueConstraint(fields=["run", "code"], name="one_degradation_per_code"),
        ]

    def __str__(self) -> str:
        return self.code


def _build_limit_constraint(what: str) -> models.CheckConstraint:
    """Return a constraint that reserved and spent stay within the limit, apart from the excess. NULL is no limit."""
    used = F(f"spent_{what}") + F(f"reserved_{what}") - F(f"excess_{what}")
    limit = Q(**{f"limit_{what}__gte": used}) | Q(**{f"limit_{what}": None})
    return models.CheckConstraint(name=f"budget_{what}_kept", condition=limit)


class Budget(ChangingModel):
    """The limits of a run, of a role in it, or of one agent of a role, with what is reserved and spent.

    Reserved and spent together never exceed the limit except by `excess`: what calls used beyond the worst
    case that was reserved for them.
    """

    run = TenantKey("research.Run", related_name="budgets", db_index=False)
    role = models.CharField(max_length=12, blank=True)  # empty: the whole run
    agent_id = models.CharField(max_length=100, blank=True)  # of roles with limits per agent
    limit_tokens_input = models.PositiveBigIntegerField()
    limit_tokens_output = models.PositiveBigIntegerField()
    limit_tokens_total = models.PositiveBigIntegerField(null=True, blank=True)
    limit_usd = models.DecimalField(max_digits=12, decimal_places=6, null=True, blank=True)
    # For the whole run: the amount for which the tenant's credits were reserved; spending never exceeds it.
    funded_usd = models.DecimalField(max_digits=12, decimal_places=6, default=0)
    # The part settled when the run had ended before: a finished table can be reopened.
    settled_usd = models.DecimalField(max_digits=12, decimal_places=6, default=0)
    reserved_tokens_input = models.PositiveBigIntegerField(default=0)
    reserved_tokens_output = models.PositiveBigIntegerField(default=0)
    reserved_usd = models.DecimalField(max_digits=12, decimal_places=6, default=0)
    spent_tokens_input = models.PositiveBigIntegerField(default=0)
    spent_tokens_output = models.PositiveBigIntegerField(default=0)
    spent_usd = models.DecimalField(max_digits=12, decimal_places=6, default=0)
    excess_tokens_input = models.PositiveBigIntegerField(default=0)
    excess_tokens_output = models.PositiveBigIntegerField(default=0)
    excess_usd = models.DecimalField(max_digits=12, decimal_places=6, default=0)
    exceeded = models.CharField(max_length=13, blank=True)  # the resource that the last refused call exceeded
    closed_at = models.DateTimeField(null=True, blank=True)  # set when the run ends; nothing more is reserved

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "role", "agent_id"], name="one_budget_per_role"),
            _build_limit_constraint("tokens_input"),
            _build_limit_constraint("tokens_output"),
            _build_limit_constraint("usd"),
            models.CheckConstraint(
                name="budget_tokens_total_kept",
                condition=Q(limit_tokens_total=None)
                | Q(
                    limit_tokens_total__gte=F("spent_tokens_input")
                    + F("spent_tokens_output")
                    + F("reserved_tokens_input")
                    + F("reserved_tokens_output")
                    - F("excess_tokens_input")
                    - F("excess_tokens_output")
                ),
            ),
            models.CheckConstraint(
                name="budget_funds_kept",
                condition=~Q(role="")
                | Q(funded_usd__gte=F("spent_usd") + F("reserved_usd") - F("excess_usd")),
            ),
            # A reservation is released once: releasing it twice would take from the others.
            models.CheckConstraint(
                name="budget_usd_not_negative", condition=Q(reserved_usd__gte=0, spent_usd__gte=0)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.role or 'run'}: {self.spent_usd} USD"


class Operation(models.TextChoices):
    """An operation that tokens are spent on."""

    SEARCH = "search"
    PAGE_READ = "page_read"
    MODEL_CALL = "model_call"
    EMBEDDING = "embedding"
    PICTURE = "picture"


class Reservation(TenantModel):
    """The highest possible cost of one call in flight. Deleted once the call is settled or known to be dead."""

    run = TenantKey("research.Run", related_name="reservations", db_index=False)
    step = TenantKey("research.Step", null=True, blank=True, related_name="reservations")
    fence = models.PositiveBigIntegerField(null=True, blank=True)  # the step's fence at the reservation
    holder = models.CharField(max_length=100, blank=True)  # the name of the process that makes the call
    role = models.CharField(max_length=12)
    agent_id = models.CharField(max_length=100, blank=True)
    operation = models.CharField(max_length=40, choices=Operation)
    ref = models.CharField(max_length=200)
    tokens_input = models.PositiveIntegerField()
    tokens_output = models.PositiveIntegerField()
    usd = models.DecimalField(max_digits=12, decimal_places=6, null=True, blank=True)  # NULL: price unknown

    class Meta:
        indexes = [models.Index(fields=["tenant", "run"], name="reservation_by_run")]

    def __str__(self) -> str:
        return f"{self.role} {self.ref}"


class UsageEntry(TenantModel):
    """The usage of one settled operation."""

    run = TenantKey("research.Run", related_name="usage", db_index=False)
    step = TenantKey("research.Step", on_delete=models.SET_NULL, null=True, blank=True, related_name="usage")
    role = models.CharField(max_length=12, blank=True)
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


class AccountName(models.TextChoices):
    """The accounts between which a tenant's credits move."""

    GRANTED = "granted"  # below zero: the total ever granted
    AVAILABLE = "available"
    RESERVED = "reserved"  # for unfinished runs
    SPENT = "spent"


class CreditAccount(TenantModel):
    """A credit account of a tenant. Its balance is the sum of the entries."""

    name = models.CharField(max_length=40, choices=AccountName)

    class Meta:
        constraints = [
            one_of("name", AccountName),
            models.UniqueConstraint(fields=["tenant", "name"], name="one_credit_account_per_name"),
        ]

    def __str__(self) -> str:
        return self.name


class CreditKind(models.TextChoices):
    GRANT = "grant"
    RESERVE = "reserve"
    SETTLE = "settle"
    RELEASE = "release"
    REFUND = "refund"


class CreditEntry(TenantModel):
    """One side of a movement of credits. Append-only: the database rejects changes and deletions.

    Both sides are inserted in one statement, and the database rejects one whose sides do not sum to zero.
    """

    account = TenantKey(CreditAccount, on_delete=models.PROTECT, related_name="entries", db_index=False)
    kind = models.CharField(max_length=7, choices=CreditKind)
    amount = models.DecimalField(max_digits=14, decimal_places=4)  # credits; signed
    ref = models.CharField(max_length=200)  # its subject: "run:<id>"; outlives the run

    class Meta:
        verbose_name_plural = "credit entries"
        constraints = [
            one_of("kind", CreditKind),
            models.UniqueConstraint(fields=["account", "kind", "ref"], name="one_credit_entry_per_ref"),
        ]
        indexes = [models.Index(fields=["tenant", "ref"], name="credit_entries_by_ref")]

    def __str__(self) -> str:
        return f"{self.kind} {self.amount}"
