"""Who asks for a file, and how a worker hears of it.

A row is what is to be done; a message only says "look". The sweep asks again for what nobody took.
"""

from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from uuid import UUID

from celery import current_app
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext as _
from kombu.exceptions import OperationalError as BrokerError

from exports.formats.catalogue import WRITERS, Format, Writer
from exports.formats.options import Options
from exports.models import EXPORT_OPEN, Export, ExportState, options_hash, stored
from exports.rechecked import evidence_version
from research.governance.limits import most
from research.lifecycle.logs import logger
from research.lifecycle.owners import dead
from research.models import Queue, Run, State
from research.tenancy import tenant_context, tenant_ids

MAKE = "research.tasks.make_export"
ASK_AGAIN_AFTER = timedelta(seconds=30)
_BEFORE_A_FILE = {
    "state": ExportState.WAITING,
    "progress": 0,
    "attempts": 0,
    "taken_by": "",
    "taken_until": None,
    "error_code": "",
    "error": "",
    "object_key": "",
    "filename": "",
    "file_size": None,
    "sha256": "",
    "duration_ms": None,
    "finished_at": None,
    "expires_at": None,
}

log = logger(__name__)


class ExportRefused(Exception):
    """No file is made; str() tells the person why."""


def ask_export(
    run: Run, format_: Format, options: Options, person: User | None, *, is_knocking: bool = True
) -> Export:
    """Have the file made. What gives the same file is that file, unless it failed or has ended. Needs the tenant set.

    Raises ExportRefused where there is no report yet, and for too many in an hour.
    """
    _refuse_unfinished(run)
    wish = {
        "run": run,
        "report_version": run.report_version,
        "evidence_version": evidence_version(run),
        "format": format_,
        "options_hash": options_hash(options, WRITERS[format_]),
    }
    if not Export.objects.filter(**wish).exists():
        _refuse_too_many()
    given = {"options": stored(options), "asked_by": person}
    export, _is_new = Export.objects.get_or_create(**wish, defaults=given)
    if not (export.is_there or export.is_open):
        _begin_again(export)
    if is_knocking and export.is_open:
        transaction.on_commit(partial(ask_worker, export.tenant_id, export.pk))
    return export


def make_again(export: Export) -> None:
    """Forget the file, or why there is none, and make it anew; one that is being made is left alone."""
    if export.is_open:
        return
    _begin_again(export)
    transaction.on_commit(partial(ask_worker, export.tenant_id, export.pk))


def _begin_again(export: Export) -> None:
    """The object of an old file is dropped by the tidying, since no row names it."""
    rows = Export.objects.filter(pk=export.pk).exclude(state__in=EXPORT_OPEN)
    rows.update(**_BEFORE_A_FILE, updated_at=Now())
    export.refresh_from_db()


def available() -> list[Writer]:
    return [one for one in WRITERS.values() if one.is_there]


def why_not(run: Run) -> str:
    """A sentence; empty where the run has a report that can leave."""
    if not (run.is_finished or run.state == State.EXPORTING):
        return _("The report is still being written. Files can be made when the run has ended.")
    if not run.report_version:
        return _("This run has no report, so there is nothing to take along.")
    return ""


def _refuse_unfinished(run: Run) -> None:
    if reason := why_not(run):
        raise ExportRefused(reason)


def _refuse_too_many() -> None:
    lately = Export.objects.filter(created_at__gt=timezone.now() - timedelta(hours=1)).count()
    if lately >= most("exports_an_hour"):
        raise ExportRefused(
            _("Your workspace has asked for as many files as it may in an hour. Try again later.")
        )


def ask_again() -> int:
    """For the sweep: ask for what waits, and what nobody makes any more, of every tenant. How many were asked for."""
    asked = 0
    for tenant_id in tenant_ids():
        with tenant_context(tenant_id):
            found = list(_forgotten())
        for pk in found:
            ask_worker(tenant_id, pk)
        asked += len(found)
    return asked


def _forgotten() -> Iterator[UUID]:
    waiting = Export.objects.filter(state=ExportState.WAITING, updated_at__lt=Now() - ASK_AGAIN_AFTER)
    yield from waiting.order_by("created_at").values_list("pk", flat=True)[:100]
    yield from free(Export.objects.filter(state=ExportState.MAKING)).values_list("pk", flat=True)


def free(making: QuerySet[Export]) -> QuerySet[Export]:
    """Those whose maker gave no sign of life for too long, or was a process of this machine and is gone."""
    holders = list(making.values_list("taken_by", flat=True).distinct())
    return making.filter(taken_until__lt=Now()) | making.filter(taken_by__in=dead(holders))


def ask_worker(tenant_id: UUID, export_id: UUID) -> None:
    """A message that is lost is sent again by the sweep."""
    try:
        current_app.send_task(MAKE, args=[str(tenant_id), str(export_id)], queue=Queue.EXPORTS, retry=False)
    except (BrokerError, OSError) as error:
        log.warning("broker_away", error=type(error).__name__)
