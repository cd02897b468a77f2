"""A tenant's webhook secrets: encrypted with its data key, shown once, several at a time during rotation.

All functions need the tenant set.
"""

import base64
import secrets

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from research.models import SecretPurpose, TenantSecret
from research.storage.keys.data_encryption_keys import open_sealed, seal

PREFIX = "whsec_"
BYTES = 32
LONGEST, SHORTEST = 500, 16  # characters of a secret that somebody enters
MAX_AT_ONCE = 4  # secrets of one purpose
HINT = 4  # characters by which people recognize a secret


class SecretRefused(Exception):
    """No secret was stored; str() tells the person why."""


def belongs_to(row: TenantSecret) -> str:
    return f"secret:{row.pk}"


def new_secret() -> str:
    """Return a new secret in the format of Standard Webhooks."""
    return PREFIX + base64.b64encode(secrets.token_bytes(BYTES)).decode()


def keep_secret(purpose: SecretPurpose, text: str, person: User | None) -> TenantSecret:
    """Store a secret beside the existing ones; it is not shown again. Raises SecretRefused."""
    text = text.strip()
    if not SHORTEST <= len(text) <= LONGEST or not text.isprintable() or not text.isascii():
        message = _("A secret must have %(least)d to %(most)d characters: letters, digits or symbols.")
        raise SecretRefused(message % {"least": SHORTEST, "most": LONGEST})
    if text.startswith(PREFIX) and not key_of(text):
        raise SecretRefused(_("The part of a secret after “whsec_” must be valid base64."))
    if select_active_secrets(purpose).count() >= MAX_AT_ONCE:
        raise SecretRefused(_("The maximum number of secrets of this kind is reached. Retire one first."))
    row = TenantSecret(purpose=purpose, hint=text[-HINT:], made_by=person)
    row.sealed = seal(text.encode(), belongs_to(row))
    row.save(force_insert=True)
    return row


def retire(row: TenantSecret) -> None:
    """Retire a secret. Idempotent."""
    TenantSecret.objects.filter(pk=row.pk, retired_at=None).update(retired_at=Now(), updated_at=Now())


def select_active_secrets(purpose: SecretPurpose) -> QuerySet[TenantSecret]:
    """Return the secrets in use, newest first."""
    return TenantSecret.objects.filter(purpose=purpose, retired_at=None).order_by("-created_at", "-pk")


def texts_of(purpose: SecretPurpose) -> list[str]:
    """Return the texts of the secrets in use, newest first. Raises CannotOpen if their data key is gone."""
    return [
        open_sealed(bytes(row.sealed), belongs_to(row)).decode() for row in select_active_secrets(purpose)
    ]


def key_of(text: str) -> bytes:
    """Return the key bytes of a secret: base64 after “whsec_”, else its characters; b"" if it is invalid."""
    if not text.startswith(PREFIX):
        return text.encode()
    rest = text.removeprefix(PREFIX).rstrip("=")
    try:
        return base64.b64decode(rest + "=" * (-len(rest) % 4), validate=True)
    except ValueError:
        return b""
