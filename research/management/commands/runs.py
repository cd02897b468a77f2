"""`manage.py runs`: list the unfinished runs of all workspaces with their costs, and end one."""

from argparse import ArgumentParser
from datetime import datetime
from decimal import Decimal
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from config.services.embedded import run_services
from research.accounts.audit.write_audit_trail import record
from research.db.tenancy import tenant_context, tenant_ids
from research.models import Act, Budget, Run
from research.runs.start_and_cancel import cancel_run


class Command(BaseCommand):
    help = (
        "Lists the runs of all workspaces that have not ended, with what each has spent, the dearest first."
        " --end stops one and keeps what it has."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--end", type=UUID, metavar="RUN", help="cancel this run, as its owner could")

    def handle(self, *args: object, **options: object) -> None:
        wanted = options["end"]
        with run_services():
            if isinstance(wanted, UUID):
                self._end(wanted)
            else:
                self._list()

    def _list(self) -> None:
        found = [line for tenant_id in tenant_ids() for line in _lines_of(tenant_id)]
        for _cost, line in sorted(found, reverse=True):
            self.stdout.write(line)
        if not found:
            self.stdout.write("No run is under way.")

    def _end(self, run_id: UUID) -> None:
        if not any(_has_ended(tenant_id, run_id) for tenant_id in tenant_ids()):
            raise CommandError(f"No run {run_id} is under way: it has ended, or there is none.")
        self.stdout.write("It takes no further step; those under way end within seconds.")


def _lines_of(tenant_id: UUID) -> list[tuple[tuple[Decimal, int], str]]:
    """Return a line for each unfinished run with its sort key."""
    now = timezone.now()
    with tenant_context(tenant_id):
        runs = Run.objects.unfinished().only("kind", "state", "created_at")
        spent = {
            budget.run_id: budget
            for budget in Budget.objects.filter(role="", run__in=[run.pk for run in runs])
        }
        return [_line(run, spent.get(run.pk) or Budget(), now, tenant_id) for run in runs]


def _line(run: Run, spent: Budget, now: datetime, tenant_id: UUID) -> tuple[tuple[Decimal, int], str]:
    """Return the sort key and line of a run. Calls of unknown price add no dollars."""
    minutes = (now - run.created_at).total_seconds() / 60
    usd, tokens = Decimal(spent.spent_usd), spent.spent_tokens_input + spent.spent_tokens_output
    words = (
        f"{run.pk}  {run.kind:<10} {run.state:<26} {minutes:6.0f} min  {usd:9.4f} USD  {tokens:>9} tokens"
        f"  workspace {tenant_id}"
    )
    return (usd, tokens), words


def _has_ended(tenant_id: UUID, run_id: UUID) -> bool:
    """Cancel the run if it is this workspace's and unfinished. Return True if it was cancelled."""
    with tenant_context(tenant_id):
        run = Run.objects.unfinished().filter(pk=run_id).first()
        if run is None or not cancel_run(run_id):
            return False
        record(Act.RUN_CANCEL, on=run)
        return True
