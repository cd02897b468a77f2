"""`bench_import`: measure the import of a folder into an empty tenant."""

import argparse
import os
import resource
import time
from pathlib import Path
from uuid import UUID

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db.models import Sum

from config.services.embedded import run_services
from research.db.tenancy import create_tenant, tenant_context
from research.library.import_library_folder import ImportReport, import_folder
from research.library.scan_library_folder import FolderError
from research.models import Content, LibraryChunk, LibraryDocument
from research.parsing.parsing_child import stop_child


class Command(BaseCommand):
    """Imports into a new tenant, then again with nothing changed; the documents are deleted afterwards."""

    help = "Measure the import of a folder: documents, pages, chunks, seconds, memory."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("folder", type=Path)

    def handle(self, *args: object, **options: object) -> None:
        with run_services():
            call_command("migrate", verbosity=0)
            tenant = create_tenant("bench")
            try:
                self._measure(tenant.pk, Path(str(options["folder"])))
            finally:
                _remove(tenant.pk)

    def _measure(self, tenant_id: UUID, folder: Path) -> None:
        report, seconds = _time_import(tenant_id, folder)
        own_cpu = sum(os.times()[:2])
        stop_child()  # a child's CPU time and memory are counted only after it has ended
        _, again_seconds = _time_import(tenant_id, folder)
        with tenant_context(tenant_id):
            chunks = LibraryChunk.objects.count()
            contents = Content.objects.aggregate(words=Sum("word_count"), raw=Sum("raw_size"))
            pages = sum(map(len, Content.objects.values_list("pages", flat=True)))
        self.stdout.write(
            f"documents {len(report.imported)}  failed {len(report.failed)}  copies {len(report.duplicates)}  "
            f"PDF pages {pages}  words {contents['words']}  chunks {chunks}\n"
            f"seconds {seconds:.1f}  chunks/s {chunks / seconds:.0f}  unchanged again {again_seconds:.2f} s\n"
            f"CPU seconds: this process {own_cpu:.0f}, reading child {sum(os.times()[2:4]):.0f}\n"
            f"peak memory: this process {_peak(resource.RUSAGE_SELF)} MB, "
            f"largest child {_peak(resource.RUSAGE_CHILDREN)} MB"
        )


def _time_import(tenant_id: UUID, folder: Path) -> tuple[ImportReport, float]:
    start = time.perf_counter()
    try:
        report = import_folder(tenant_id, folder)
    except FolderError as error:
        raise CommandError(str(error)) from error
    return report, time.perf_counter() - start


def _remove(tenant_id: UUID) -> None:
    with tenant_context(tenant_id):
        LibraryChunk.objects.all().delete()
        LibraryDocument.objects.all().delete()
        Content.objects.all().delete()


def _peak(who: int) -> int:
    """Return the peak memory in MB; children count only after they have ended."""
    return resource.getrusage(who).ru_maxrss // 1024
