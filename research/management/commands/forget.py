"""`manage.py forget`: delete what is past its retention period now."""

from argparse import ArgumentParser
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from config.services.embedded import run_services
from research.accounts.workspace_retention_periods import (
    RetentionCategory,
    effective_periods,
    load_chosen_periods,
)
from research.db.tenancy import tenant_context, tenant_ids
from research.ops.retention.retention_sweep import delete_expired, delete_expired_of, over


class Command(BaseCommand):
    help = (
        "Deletes what workspaces keep no longer: finished runs, the log of calls, rows of the trail. Workers do the"
        " same every hour. Safe to kill and to begin again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--tenant", type=UUID, help="only this workspace")
        parser.add_argument(
            "--dry-run", action="store_true", help="print what would be deleted, and delete nothing"
        )

    def handle(self, *args: object, **options: object) -> None:
        with run_services():
            tenant = options["tenant"]
            if isinstance(tenant, UUID) and tenant not in tenant_ids():
                raise CommandError(f"There is no workspace {tenant}.")
            tenants = [tenant] if isinstance(tenant, UUID) else tenant_ids()
            if options["dry_run"]:
                for tenant_id in tenants:
                    self._tell(tenant_id)
            elif isinstance(tenant, UUID):
                self._say(
                    {
                        kept: delete_expired_of(tenant, kept)
                        for kept in (RetentionCategory.RUNS, RetentionCategory.CALLS, RetentionCategory.TRAIL)
                    }
                )
            else:
                self._say(delete_expired())

    def _tell(self, tenant_id: UUID) -> None:
        with tenant_context(tenant_id):
            days = effective_periods(load_chosen_periods())
            counts = over(days)
        found = (f"{kept}: {counts[kept]} (kept {days[kept] or 'for good'})" for kept in RetentionCategory)
        self.stdout.write(f"{tenant_id}  {', '.join(found)}")

    def _say(self, gone: dict[RetentionCategory, int]) -> None:
        self.stdout.write(f"Gone: {', '.join(f'{kept}: {count}' for kept, count in gone.items())}")
