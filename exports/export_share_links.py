"""Share links, with which people without an account can read one report and its sources for a limited time."""

import secrets
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from uuid import UUID

from django.contrib.auth.models import User
from django.db import connection
from django.db.models import F
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext as _

from exports.files.request_export import why_not
from exports.models import ShareLink
from research.models import Run

TOKEN_BYTES = 32  # 256 random bits, which nobody can guess
MAX_TOKEN_LENGTH = 64  # characters
MAX_DAYS = 365
MAX_LINKS = 20  # open links of a run


class ShareRefused(Exception):
    """Raised when a link is refused and not made; str() tells the person why."""


@dataclass(frozen=True, slots=True)
class SharedRun:
    """The run that a share link opens."""

    link_id: UUID
    tenant_id: UUID
    run_id: UUID


def make_link(run: Run, person: User, days: int, note: str = "") -> tuple[ShareLink, str]:
    """Create a link; return its row and its token, which is only shown now.

    Needs the tenant set. Raises ShareRefused.
    """
    if reason := why_not(run):
        raise ShareRefused(reason)
    # Without the lock, two simultaneous requests would not count each other.
    Run.objects.select_for_update(no_key=True).only("pk").get(pk=run.pk)
    if ShareLink.objects.open().filter(run=run).count() >= MAX_LINKS:
        raise ShareRefused(_("This report has reached the maximum number of open links. Revoke one first."))
    token = secrets.token_urlsafe(TOKEN_BYTES)
    ends = timezone.now() + timedelta(days=min(max(days, 1), MAX_DAYS))
    link = ShareLink.objects.create(
        run=run, token_hash=_hash(token), made_by=person, note=note, expires_at=ends
    )
    return link, token


def revoke(link: ShareLink) -> None:
    """Revoke a link. Idempotent."""
    ShareLink.objects.filter(pk=link.pk, revoked_at__isnull=True).update(revoked_at=Now(), updated_at=Now())


def resolve_share_token(token: str) -> SharedRun | None:
    """Return the run that the token currently opens; None for unknown, expired and revoked tokens alike."""
    if len(token) > MAX_TOKEN_LENGTH:
        return None
    with connection.cursor() as cursor:
        cursor.execute("SELECT link_id, tenant_id, run_id FROM plumbline_shared(%s)", [_hash(token)])
        row = cursor.fetchone()
    return SharedRun(*row) if row else None


def count_view(link_id: UUID) -> None:
    """Count a view of the link. Needs the tenant set."""
    ShareLink.objects.filter(pk=link_id).update(view_count=F("view_count") + 1, viewed_at=Now())


def _hash(token: str) -> str:
    return sha256(token.encode("utf-8", "replace")).hexdigest()
