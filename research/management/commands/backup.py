"""`manage.py backup DIR`: write a backup with one archive per workspace."""

from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from config.services.embedded import run_services
from research.storage.backups.write_backup import write_backup
from research.storage.keys.backup_keys import NoBackupKey


class Command(BaseCommand):
    help = (
        "Writes a backup into a new folder: an archive for each workspace, sealed under a key of its own that the"
        " backup does not hold, while everybody works. See docs/backups.md for what else to keep, and where."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, help="a folder that does not exist yet")

    def handle(self, *args: object, **options: object) -> None:
        folder = options["folder"]
        if not isinstance(folder, Path) or folder.exists():
            raise CommandError(f"“{folder}” exists already: name a new folder.")
        with run_services():
            try:
                for archive in write_backup(folder):
                    self.stdout.write(
                        f"{archive.name}  {archive.rows} rows, {archive.files} files, {archive.bytes} bytes"
                    )
            except (OSError, NoBackupKey) as error:
                raise CommandError(f"No whole backup was written: {error}.") from error
