"""Reads the audit trail: a workspace's own, and the site's for operators."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from research.models import AuditEntry


@dataclass(frozen=True, slots=True)
class AuditQuery:
    """A filter on the rows of the audit trail; an empty value matches all."""

    who: str = ""
    act: str = ""
    day: date | None = None  # in the current time zone


def entries(wanted: AuditQuery) -> QuerySet[AuditEntry]:
    """Return the matching rows of the current workspace, newest first."""
    rows = AuditEntry.objects.order_by("-created_at", "-id")
    if wanted.who:
        rows = rows.filter(who=wanted.who)
    if wanted.act:
        rows = rows.filter(act=wanted.act)
    if wanted.day:
        begin = timezone.make_aware(datetime.combine(wanted.day, time.min))
        rows = rows.filter(created_at__gte=begin, created_at__lt=begin + timedelta(days=1))
    return rows


def people() -> list[str]:
    """Return the names in the workspace's trail, sorted."""
    return list(AuditEntry.objects.exclude(who="").order_by("who").values_list("who", flat=True).distinct())


@contextmanager
def site_rows() -> Iterator[None]:
    """Allow reading the site's own trail, for operators, in a transaction or savepoint of its own.

    If reading is refused, the request's transaction stays usable to record the refusal.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT set_config('plumbline.operator', 'on', true)")
        yield
        cursor.execute("SELECT set_config('plumbline.operator', '', true)")
