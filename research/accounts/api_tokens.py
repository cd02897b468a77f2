"""API tokens: shown once when they are created, and stored as hashes."""

import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from uuid import UUID

from django.contrib.auth.models import User
from django.db import connection
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext as _

from research.db.tenancy import tenant_context, tenant_ids
from research.models import ApiToken, KeptAnswer, Role, Scope

PREFIX = "plumb_"  # lets people and secret scanners recognise a token
TOKEN_BYTES = 32  # 256 random bits, which cannot be guessed
MAX_TOKEN_LENGTH = 100  # characters
HINT = len(PREFIX) + 4
MAX_DAYS = 365
MAX_TOKENS = 50  # open tokens of a user
ANSWERS_FOR = timedelta(hours=24)  # how long an answer is stored, in case its request is repeated
USED_TO = timedelta(minutes=1)  # precision of the time of last use


class TokenRefused(Exception):
    """No token was created; str() tells the user why."""


@dataclass(frozen=True, slots=True)
class ApiCaller:
    """The user, workspace and scopes with which a program acts."""

    token_id: UUID
    tenant_id: UUID
    user_id: int
    role: Role
    scopes: frozenset[Scope]
    last_used_at: datetime | None = None

    def user(self) -> User:
        return User.objects.get(pk=self.user_id)


def issue_token(user: User, name: str, scopes: Collection[Scope], days: int | None) -> tuple[ApiToken, str]:
    """Create a token and return its row and its text, which is never shown again.

    Needs the tenant set. Raises TokenRefused.
    """
    # Serialised, as two concurrent requests would not count each other's token.
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if ApiToken.objects.open().filter(user=user).count() >= MAX_TOKENS:
        raise TokenRefused(_("You have reached the maximum number of tokens. Revoke one first."))
    token = PREFIX + secrets.token_urlsafe(TOKEN_BYTES)
    ends = None if days is None else timezone.now() + timedelta(days=min(max(days, 1), MAX_DAYS))
    row = ApiToken.objects.create(
        user=user,
        name=name,
        hint=token[:HINT],
        token_hash=_hash(token),
        scopes=" ".join(scope for scope in Scope if scope in scopes),
        expires_at=ends,
    )
    return row, token


def revoke_token(token: ApiToken) -> None:
    """Revoke a token. Idempotent."""
    ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=Now(), updated_at=Now())


def find_caller(token: str) -> ApiCaller | None:
    """Return the caller to whom the token belongs; None if it is unknown, expired or revoked, or its user has left."""
    if not token.startswith(PREFIX) or len(token) > MAX_TOKEN_LENGTH:
        return None
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT token_id, tenant_id, user_id, role, scopes, last_used_at FROM plumbline_token(%s)",
            [_hash(token)],
        )
        row = cursor.fetchone()
    if row is None:
        return None
    caller = ApiCaller(row[0], row[1], row[2], Role(row[3]), frozenset(map(Scope, row[4].split())), row[5])
    _note_use(caller)
    return caller


def _note_use(caller: ApiCaller) -> None:
    """Store the time of use in a separate transaction, so that requests with the same token do not block each other."""
    if caller.last_used_at is None or timezone.now() - caller.last_used_at > USED_TO:
        with tenant_context(caller.tenant_id, is_durable=False):
            ApiToken.objects.filter(pk=caller.token_id).update(last_used_at=Now())


def _hash(token: str) -> str:
    return sha256(token.encode("utf-8", "replace")).hexdigest()


def forget_old_answers() -> int:
    """Delete the expired idempotency answers of every tenant and return their number. For the periodic cleanup."""
    done = 0
    for tenant_id in tenant_ids():
        with tenant_context(tenant_id):
            done += KeptAnswer.objects.filter(created_at__lt=Now() - ANSWERS_FOR).delete()[0]
    return done
