"""Tokens by which programs act for a user, and the answers that a program may ask for twice."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from research.models.base import ChangingModel, TenantKey, TenantModel


class Scope(models.TextChoices):
    """A permission of a token, as far as its user has it."""

    READ = "read"  # runs with all that they say and stand on
    WRITE = "write"  # start runs, stop them, answer what they ask
    LIBRARY = "library"  # list, add and delete documents
    EXPORTS = "exports"  # have files made, and take them


class ApiTokenQuerySet(models.QuerySet["ApiToken"]):
    def open(self) -> "ApiTokenQuerySet":
        return self.filter(Q(expires_at=None) | Q(expires_at__gt=timezone.now()), revoked_at=None)


_KNOWN = "|".join(Scope.values)


class ApiToken(ChangingModel):
    """Lets a program act for a user in one workspace, until it ends or is taken back.

    The token itself stands in no row: a copy of the database opens nothing.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=100)  # what it is for
    hint = models.CharField(max_length=20, editable=False)  # its first characters, by which its user knows it
    token_hash = models.CharField(max_length=64, unique=True, editable=False)  # SHA-256 of the token
    scopes = models.CharField(max_length=60)  # of `Scope`, with spaces between
    expires_at = models.DateTimeField(null=True, blank=True)  # NULL: not by itself
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
    """The answer to a request with an `Idempotency-Key`, for whoever sends it again within a day."""

    token = TenantKey(ApiToken, related_name="answers", db_index=False)
    key = models.CharField(max_length=128)
    request_hash = models.CharField(max_length=64)  # of method, path and body
    status = models.PositiveSmallIntegerField(default=0)  # 0: the first is being answered
    location = models.TextField(blank=True)
    body = models.TextField(blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["token", "key"], name="one_answer_per_key")]
        indexes = [models.Index(fields=["tenant", "created_at"], name="kept_answer_by_age")]

    def __str__(self) -> str:
        return self.key
