"""API tokens, with which programs act for a user, and the stored answers to idempotent requests."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from research.models.base_models import ChangingModel, TenantKey, TenantModel


class Scope(models.TextChoices):
    """A permission of a token, limited by its user's own."""

    READ = "read"  # runs with their contents and evidence
    WRITE = "write"  # start and stop runs, answer escalations
    LIBRARY = "library"  # list, add and delete documents
    EXPORTS = "exports"  # create and download files


class ApiTokenQuerySet(models.QuerySet["ApiToken"]):
    def open(self) -> "ApiTokenQuerySet":
        return self.filter(Q(expires_at=None) | Q(expires_at__gt=timezone.now()), revoked_at=None)


_KNOWN = "|".join(Scope.values)


class ApiToken(ChangingModel):
    """A token with which a program acts for a user in one workspace, until it expires or is revoked.

    Only its hash is stored, so a copy of the database gives no access.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=100)  # its purpose
    hint = models.CharField(max_length=20, editable=False)  # its first characters, shown to its user
    token_hash = models.CharField(max_length=64, unique=True, editable=False)  # SHA-256 of the token
    scopes = models.CharField(max_length=60)  # `Scope` values, separated by spaces
    expires_at = models.DateTimeField(null=True, blank=True)  # NULL: never
    last_used_at = models.DateTimeField(null=True, blank=True)  # to the minute
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = ApiTokenQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="api_token_scopes_known", condition=Q(scopes__regex=f"^({_KNOWN})( ({_KNOWN}))*$")
            ),
        ]
        indexes = [models.Index(fields=["tenant", "user", "-created_at"], name="api_token_of_user")]

    def __str__(self) -> str:
        return self.name

    @property
    def scope_list(self) -> list[Scope]:
        return [Scope(one) for one in self.scopes.split()]

    @property
    def is_open(self) -> bool:
        return self.revoked_at is None and not self.is_over

    @property
    def is_over(self) -> bool:
        return self.expires_at is not None and self.expires_at <= timezone.now()


class KeptAnswer(TenantModel):
    """The answer to a request with an `Idempotency-Key`, returned when the request is repeated within a day."""

    token = TenantKey(ApiToken, related_name="answers", db_index=False)
    key = models.CharField(max_length=128)
    request_hash = models.CharField(max_length=64)  # of method, path and body
    status = models.PositiveSmallIntegerField(default=0)  # 0: the first request is still being answered
    location = models.TextField(blank=True)
    body = models.TextField(blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["token", "key"], name="one_answer_per_key")]
        indexes = [models.Index(fields=["tenant", "created_at"], name="kept_answer_by_age")]

    def __str__(self) -> str:
        return self.key
