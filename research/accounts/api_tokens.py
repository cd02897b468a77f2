"""Tokens by which programs act for a user: made once, shown once, known by their hash."""

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

PREFIX = "plumb_"  # by which people, and searches for secrets that leaked, know one
TOKEN_BYTES = 32  # 256 bits at random: nobody guesses one
LONGEST_TOKEN = 100  # characters
HINT = len(PREFIX) + 4
LONGEST_DAYS = 365
MOST_TOKENS = 50  # open ones of a user
ANSWERS_FOR = timedelta(hours=24)  # that one is kept for who asks for it again
USED_TO = timedelta(minutes=1)  # how precisely its last use is kept


class TokenRefused(Exception):
    """No token is made; str() tells the person why."""


@dataclass(frozen=True, slots=True)
class ApiCaller:
    """For whom a program acts, where, and how far."""

    token_id: UUID
    tenant_id: UUID
    user_id: int
    role: Role
    scopes: frozenset[Scope]
    last_used_at: datetime | None = None

    def user(self) -> User:
        return User.objects.get(pk=self.user_id)


def issue_token(user: User, name: str, scopes: Collection[Scope], days: int | None) -> tuple[ApiToken, str]:
    """The row and the token, which is told this once. Needs the tenant set. Raises TokenRefused."""
    User.objects.select_for_update(no_key=True).get(pk=user.pk)  # two at once would not count each other
    if ApiToken.objects.open().filter(user=user).count() >= MOST_TOKENS:
        raise TokenRefused(_("You have as many tokens as you may have. Take one back first."))
    token = PREFIX + secrets.token_urlsafe(TOKEN_BYTES)
    ends = None if days is None else timezone.now() + timedelta(days=min(max(days, 1), LONGEST_DAYS))
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
    """From now on it opens nothing; the same again changes nothing."""
    ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=Now(), updated_at=Now())


def caller_by(token: str) -> ApiCaller | None:
    """Whom the token lets in now; None for one that is unknown, over or taken back, or whose user left."""
    if not token.startswith(PREFIX) or len(token) > LONGEST_TOKEN:
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
    """In a transaction of its own: requests of one token must not wait for each other."""
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
