"""Requests for export files, and how they reach a worker.

The row is the job; a message only wakes a worker up. The sweep enqueues jobs again that no worker claimed.
"""

from datetime import timedelta
from functools import partial
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from exports.building.document_latest_recheck import evidence_version
from exports.files.export_lease import begin_again, enqueue, find_abandoned_rows
from exports.formats.export_formats import WRITERS, Format, FormatWriter
from exports.formats.export_options import ExportOptions
from exports.models import Export, options_hash, serialize_options
from research.db.tenancy import SweepTarget, tenant_context, tenants_with
from research.llm.budgets.budget_limits import most
from research.models import Run, State

MAKE = "research.tasks.make_export"


class ExportRefused(Exception):
    """Raised when a request is refused and no file is made; str() tells the person why."""


def request_export(
    run: Run, format_: Format, options: ExportOptions, person: User | None, *, wakes_worker: bool = True
) -> Export:
    """Request a file, or return an existing one with the same content unless it failed or expired. Needs the tenant
    set.

    Raises ExportRefused if there is no report yet, or if there were too many requests within an hour.
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
    given = {"options": serialize_options(options), "asked_by": person}
    export, _is_new = Export.objects.get_or_create(**wish, defaults=given)
    if not (export.is_there or export.is_open):
        begin_again(export)
    if wakes_worker and export.is_open:
        transaction.on_commit(partial(ask_worker, export.tenant_id, export.pk))
    return export


def make_again(export: Export) -> None:
    """Make a failed or existing file again; one in progress is not affected."""
    if export.is_open:
        return
    begin_again(export)
    transaction.on_commit(partial(ask_worker, export.tenant_id, export.pk))


def available() -> list[FormatWriter]:
    return [writer for writer in WRITERS.values() if writer.is_there]


def why_not(run: Run) -> str:
    """Return the reason why the run cannot be exported; empty if it can.

    That the sources do not answer is a report too: of what was looked for and what is nearest.
    """
    if not (run.is_finished or run.state == State.EXPORTING):
        return _("The report is still being written. Files can be created once the run has ended.")
    if not (run.report_version or run.is_insufficient):
        return _("This run has no report, so there is nothing to export.")
    return ""


def _refuse_unfinished(run: Run) -> None:
    if reason := why_not(run):
        raise ExportRefused(reason)


def _refuse_too_many() -> None:
    lately = Export.objects.filter(created_at__gt=timezone.now() - timedelta(hours=1)).count()
    if lately >= most("exports_an_hour"):
        raise ExportRefused(_("Your workspace has reached its hourly limit for files. Try again later."))


def ask_again() -> int:
    """Wake workers for waiting and abandoned jobs of every workspace; return their number. Called by the sweep."""
    asked = 0
    for tenant_id in tenants_with(SweepTarget.FILES):
        with tenant_context(tenant_id):
            found = list(find_abandoned_rows(Export.objects.all()))
        for pk in found:
            ask_worker(tenant_id, pk)
        asked += len(found)
    return asked


def ask_worker(tenant_id: UUID, export_id: UUID) -> None:
    enqueue(MAKE, tenant_id, export_id)
