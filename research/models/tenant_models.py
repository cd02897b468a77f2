"""Tenants, their members, invitations and data keys."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils import timezone

from research.models.base_models import ChangingModel, TenantModel, between, new_id, one_of

MAX_DAYS = 3650
MIN_TRAIL_DAYS = 90  # so that nobody can quickly erase their own traces


class Tier(models.TextChoices):
    """The spending tier of a tenant (spec: governance.md, Budgets)."""

    FREE = "free"
    PRO = "pro"
    ENTERPRISE = "enterprise"


class KeptBodies(models.TextChoices):
    """The ways to store the texts of prompts and answers (spec: governance.md, Secure log).

    Their SHA-256 is always kept, so that anyone who has a body can recognise it.
    """

    OFF = "off"
    HASHED = "hashed"
    ENCRYPTED = "encrypted"  # after redaction of personal data


class Tenant(models.Model):
    """The owner of all other rows. Its row is visible only to itself."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    name = models.CharField(max_length=200)
    region = models.CharField(max_length=20, blank=True)  # where its data are stored; empty: anywhere
    tier = models.CharField(max_length=10, choices=Tier, default=Tier.PRO)
    kept_bodies = models.CharField(max_length=9, choices=KeptBodies, default=KeptBodies.HASHED)
    # Retention in days; NULL: the installation's default, 0: forever (research.ops.retention).
    keep_runs_days = models.PositiveSmallIntegerField(null=True, blank=True)
    keep_calls_days = models.PositiveSmallIntegerField(null=True, blank=True)
    keep_files_days = models.PositiveSmallIntegerField(null=True, blank=True)
    keep_messages_days = models.PositiveSmallIntegerField(null=True, blank=True)
    keep_trail_days = models.PositiveSmallIntegerField(null=True, blank=True)
    # Incremented by a trigger whenever a membership changes or is deleted, which invalidates caches.
    access_version = models.PositiveIntegerField(db_default=0, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            one_of("tier", Tier),
            one_of("kept_bodies", KeptBodies),
            between("keep_runs_days", 0, MAX_DAYS),
            between("keep_calls_days", 0, MAX_DAYS),
            between("keep_files_days", 1, MAX_DAYS),
            between("keep_messages_days", 1, MAX_DAYS),
            models.CheckConstraint(
                name="research_tenant_keep_trail_days_range",
                condition=models.Q(keep_trail_days=0)
                | models.Q(keep_trail_days__range=(MIN_TRAIL_DAYS, MAX_DAYS)),
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Role(models.TextChoices):
    OWNER = "owner"
    MEMBER = "member"
    REVIEWER = "reviewer"
    VIEWER = "viewer"


class Membership(TenantModel):
    """A user's membership of a tenant."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=8, choices=Role)

    class Meta:
        constraints = [
            one_of("role", Role),
            models.UniqueConstraint(fields=["tenant", "user"], name="one_membership_per_user_and_tenant"),
        ]

    def __str__(self) -> str:
        return f"{self.user} ({self.role})"


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def open(self) -> "InvitationQuerySet":
        """Return the invitations whose link still works."""
        return self.filter(accepted_at=None, revoked_at=None, expires_at__gt=Now())

    def pending(self) -> "InvitationQuerySet":
        """Return the open and the expired invitations, which can be sent again."""
        return self.filter(accepted_at=None, revoked_at=None)


class Invitation(ChangingModel):
    """An invitation to become a member by a link sent by mail; the link itself is not stored."""

    email = models.EmailField(max_length=254)
    role = models.CharField(max_length=8, choices=Role)
    token_hash = models.CharField(max_length=64, unique=True, editable=False)  # SHA-256 of the link's token
    invited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    sent_count = models.PositiveSmallIntegerField(default=0)
    expires_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True, blank=True)
    accepted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = InvitationQuerySet.as_manager()

    class Meta:
        constraints = [one_of("role", Role)]
        indexes = [models.Index(fields=["tenant", "-created_at"], name="invitation_newest")]

    def __str__(self) -> str:
        return self.email

    @property
    def is_over(self) -> bool:
        return self.expires_at <= timezone.now()


class DataKey(TenantModel):
    """A tenant's data key, wrapped by the key-encryption key. Destroying it erases what it encrypted."""

    wrapped_key = models.BinaryField()
    kek_id = models.CharField(max_length=64)
    retired_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        db_table = "research_tenantkey"

    def __str__(self) -> str:
        return f"key of {self.created_at:%Y-%m-%d}"
