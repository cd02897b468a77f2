"""`manage.py restore DIR`: restore workspaces from a backup."""

from argparse import ArgumentParser
from pathlib import Path
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from config.services.embedded import run_services
from research.pipelines.pipeline_in_foreground import migrate_if_needed
from research.storage.backups.restore_backup import NO_KEY, NotRestored, restore_backup


class Command(BaseCommand):
    help = (
        "Brings back what a backup holds and this installation does not: everything, into a fresh database, or one"
        " workspace. Those that were erased since stay erased. May be killed and begun again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, help="folder written by `manage.py backup`")
        parser.add_argument("--tenant", type=UUID, help="only this workspace")

    def handle(self, *args: object, **options: object) -> None:
        folder, tenant = options["folder"], options["tenant"]
        closed = 0
        with run_services():
            migrate_if_needed()
            try:
                for archive in restore_backup(
                    Path(str(folder)), tenant if isinstance(tenant, UUID) else None
                ):
                    closed += archive.reason == NO_KEY
                    outcome = (
                        f"left as it is: {archive.reason}"
                        if archive.reason
                        else f"{archive.rows} rows, {archive.files} files"
                    )
                    self.stdout.write(f"{archive.name}  {outcome}")
            except NotRestored as error:
                raise CommandError(str(error)) from error
        if closed:
            raise CommandError(
                f"Without keys {closed} archives stay closed: put back the newest copy of the ring, and try again."
            )
