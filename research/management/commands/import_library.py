"""`import_library FOLDER`: read a folder of documents into the library."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import ngettext

from research.accounts.people import NoAccount
from research.library.import_library_folder import ImportProgress, ImportReport, import_folder
from research.library.scan_library_folder import FolderError
from research.parsing.vectors.minilm_files import ModelFilesError
from research.pipelines.pipeline_in_foreground import workplace

NAMED = 20  # files of other kinds that the report names


class Command(BaseCommand):
    help = "Import a folder of documents into the library. Unchanged files are not read again."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("folder", type=Path)
        parser.add_argument("--again", action="store_true", help="read unchanged files too")
        parser.add_argument("--user", help="user in whose workspace to work; the local account by default")

    def handle(self, *args: object, folder: Path, again: bool, user: str | None, **options: object) -> None:
        try:
            with workplace(user) as account:
                report = self._import(account.tenant_id, folder, again)
        except (FolderError, ModelFilesError, NoAccount) as error:
            raise CommandError(str(error)) from error
        self.stdout.write("\n".join(summary(report)))
        if not report.imported and not report.unchanged:
            raise CommandError(f"Nothing in the folder “{folder}” could be read.")

    def _import(self, tenant_id: UUID, folder: Path, again: bool) -> ImportReport:
        return import_folder(tenant_id, folder, again=again, on_progress=self._tell)

    def _tell(self, progress: ImportProgress) -> None:
        problem = f": {progress.problem}" if progress.problem else ""
        self.stderr.write(f"[{progress.done}/{progress.total}] {progress.path}{problem}")


def summary(report: ImportReport) -> list[str]:
    """Return the report for a terminal: figures first, then every file that needs attention."""
    count = len(report.imported)
    figures = [ngettext("%d document read", "%d documents read", count) % count]
    rest = {"unchanged": report.unchanged, "failed": report.failed, "missing": report.missing}
    figures += [f"{len(paths)} {word}" for word, paths in rest.items() if paths]
    if report.skipped:
        figures.append(f"{len(report.skipped)} of other kinds left out")
    return [
        ", ".join(figures),
        *(f"failed: {each.path}: {each.message}" for each in report.failed),
        *(f"missing: {path}: the file is no longer in the folder" for path in report.missing),
        *(f"copy: {each.path} has the same text as {each.of}" for each in report.duplicates),
        *(
            f"near copy: {each.path} ({each.similarity:.0%} like {each.of})"
            for each in report.near_duplicates
        ),
        *_left_out(report.skipped),
    ]


def _left_out(paths: Sequence[str]) -> list[str]:
    if not paths:
        return []
    more = f" and {len(paths) - NAMED} more" if len(paths) > NAMED else ""
    return [f"left out: {', '.join(paths[:NAMED])}{more}"]
