"""Deletes data past its retention period, a run or some hundreds of rows at a time, each with an audit entry.

A process that dies in between has deleted a part; the next hour's sweep continues. `remove_unused_files` deletes
files, and `research.ops.retention.remove_old_webhooks` messages of webhooks.
"""

import time
from collections.abc import Mapping
from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce, Now

from exports.files.export_file_state import ExportState
from exports.models import Export
from research.accounts.audit.write_audit_trail import On, record, record_for_site
from research.accounts.workspace_retention_periods import (
    FOR_GOOD,
    RetentionCategory,
    effective_periods,
    load_chosen_periods,
)
from research.db.tenancy import tenant_context, tenant_ids
from research.models import FINISHED, Act, AuditEntry, ModelCall, Run
from research.ops.retention.delete_run_after_retention import RunNotDeleted, deletable, delete_run
from research.ops.retention.remove_old_webhooks import select_expired_rows
from research.runtime.logs import logger
from slides.models import DeckFile

BATCH = 500  # rows in a transaction

log = logger(__name__)


def over(periods: Mapping[RetentionCategory, int]) -> dict[RetentionCategory, int]:
    """Count what a sweep would delete now for the current tenant: runs, calls, files, messages, audit trail rows."""
    return {kept: _count(kept, days) if days != FOR_GOOD else 0 for kept, days in periods.items()}


def _count(kept: RetentionCategory, days: int) -> int:
    if kept is RetentionCategory.RUNS:
        return _runs(days).count()
    if kept is RetentionCategory.CALLS:
        return _calls(days).count()
    if kept is RetentionCategory.FILES:
        made = Q(state=ExportState.READY) & Q(finished_at__lt=Now() - timedelta(days=days))
        return Export.objects.filter(made).count() + DeckFile.objects.filter(made).count()
    if kept is RetentionCategory.MESSAGES:
        return sum(rows.count() for rows in select_expired_rows(days))
    return AuditEntry.objects.filter(created_at__lt=Now() - timedelta(days=days)).count()


def _runs(days: int) -> QuerySet[Run]:
    """Return the deletable runs that ended more than `days` days ago, oldest first."""
    ended = Coalesce("completed_at", "state_entered_at", "created_at")
    return deletable().annotate(ended=ended).filter(ended__lt=Now() - timedelta(days=days)).order_by("ended")


def _calls(days: int) -> QuerySet[ModelCall]:
    """Return the calls older than `days`, without those of unfinished runs: a stored answer is not paid for again."""
    of_ended = Q(run=None) | Q(run__in=Run.objects.filter(state__in=FINISHED))
    return ModelCall.objects.filter(of_ended, created_at__lt=Now() - timedelta(days=days))


def delete_expired(seconds: float = float("inf")) -> dict[RetentionCategory, int]:
    """Delete what is past its period, of every tenant and of the site's own trail, for at most `seconds`.

    Return the numbers of the tenants' runs and rows that were deleted.
    """
    until = time.monotonic() + seconds
    gone = dict.fromkeys((RetentionCategory.RUNS, RetentionCategory.CALLS, RetentionCategory.TRAIL), 0)
    for tenant_id in tenant_ids():
        for kept in gone:
            gone[kept] += delete_expired_of(tenant_id, kept, until)
    while _forget_acts_of_the_site() and time.monotonic() < until:
        pass
    if any(gone.values()):
        log.info("forgotten", **{kept.value: count for kept, count in gone.items()})
    return gone


def delete_expired_of(tenant_id: UUID, kept: RetentionCategory, until: float = float("inf")) -> int:
    """Delete what is past its retention period and return the number of runs or rows. `until` is a time.monotonic()."""
    total = 0
    while time.monotonic() < until:
        with tenant_context(tenant_id):
            days = effective_periods(load_chosen_periods())[kept]
            gone = 0 if days == FOR_GOOD else _FORGET[kept](days)
        total += gone
        if not gone:
            break
    return total


def _forget_run(days: int) -> int:
    run = _runs(days).select_for_update(skip_locked=True, of=("self",)).first()
    if run is None:
        return 0
    try:
        record(Act.RUN_DELETE, on=run, after={"days": days})
        with transaction.atomic():
            delete_run(run.pk)
    except RunNotDeleted as refused:  # another run depends on it since a moment ago
        transaction.set_rollback(True)
        log.info("run_stays", run=str(run.pk), reason=str(refused))
        return 0
    return 1


def _forget_calls(days: int) -> int:
    held = _calls(days).select_for_update(skip_locked=True, of=("self",))
    gone, _ = ModelCall.objects.filter(pk__in=list(held.values_list("pk", flat=True)[:BATCH])).delete()
    return _record_deletion(RetentionCategory.CALLS, days, gone)


def _forget_acts(days: int) -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT plumbline_forget_acts(%s, %s)", [days, BATCH])
        [gone] = cursor.fetchone()
    return _record_deletion(RetentionCategory.TRAIL, days, gone)


def _record_deletion(kept: RetentionCategory, days: int, gone: int) -> int:
    if gone:
        record(Act.FORGET, on=On("retention", name=kept.value), after={"rows": gone, "days": days})
    return gone


_FORGET = {
    RetentionCategory.RUNS: _forget_run,
    RetentionCategory.CALLS: _forget_calls,
    RetentionCategory.TRAIL: _forget_acts,
}


def _forget_acts_of_the_site() -> int:
    """Delete one batch of expired rows from the site's own audit trail and return their number."""
    days = settings.PLUMBLINE_KEEP_TRAIL_DAYS
    if days == FOR_GOOD:
        return 0
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT plumbline_forget_site_acts(%s, %s)", [days, BATCH])
        [gone] = cursor.fetchone()
        if gone:
            record_for_site(Act.FORGET, on=On("retention", name=f"{RetentionCategory.TRAIL.value}: {gone}"))
    return int(gone)
