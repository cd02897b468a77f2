"""Who owns what: tenants, their members, their keys."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from research.models.base import TenantModel, new_id, one_of


class Tier(models.TextChoices):
    """How much a tenant may spend (spec: governance.md, Budgets)."""

    FREE = "free"
    PRO = "pro"
    ENTERPRISE = "enterprise"


class KeptBodies(models.TextChoices):
    """What is kept of the words of prompts and answers (spec: governance.md, Secure log).

    Their SHA-256 is always kept, so that a body can be recognised by whoever has it.
    """

    OFF = "off"
    HASHED = "hashed"
    ENCRYPTED = "encrypted"  # after redaction of personal data


class Tenant(models.Model):
    """Owner of everything else. Its row is visible only to itself."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    name = models.CharField(max_length=200)
    region = models.CharField(max_length=20, blank=True)  # where its data stay; empty: anywhere
    tier = models.CharField(max_length=10, choices=Tier, default=Tier.PRO)
    kept_bodies = models.CharField(max_length=9, choices=KeptBodies, default=KeptBodies.HASHED)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [one_of("tier", Tier), one_of("kept_bodies", KeptBodies)]

    def __str__(self) -> str:
        return self.name


class Role(models.TextChoices):
    OWNER = "owner"
    MEMBER = "member"
    REVIEWER = "reviewer"
    VIEWER = "viewer"


class Membership(TenantModel):
    """A user in a tenant."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=8, choices=Role)

    class Meta:
        constraints = [
            one_of("role", Role),
            models.UniqueConstraint(fields=["tenant", "user"], name="one_membership_per_user_and_tenant"),
        ]

    def __str__(self) -> str:
        return f"{self.user} ({self.role})"


class DataKey(TenantModel):
    """A tenant's data key, wrapped by the key-encryption key. Destroying it erases what it encrypted."""

    wrapped_key = models.BinaryField()
    kek_id = models.CharField(max_length=64)
    retired_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        db_table = "research_tenantkey"

    def __str__(self) -> str:
        return f"key of {self.created_at:%Y-%m-%d}"
