"""`manage.py export RUN pdf docx`: write a report's files to a folder, made in this process."""

from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from citations.citation_styles import CitationStyle
from exports.building.build_document import select_stated_claims
from exports.files.make_export import make
from exports.files.request_export import ExportRefused, make_again, request_export
from exports.formats.export_formats import Format
from exports.formats.export_options import ExportOptions
from exports.models import Export
from research.accounts.people import NoAccount, PersonalAccount
from research.db.tenancy import tenant_context
from research.extractive.question.question_translation import detect_language
from research.models import Run
from research.pipelines.pipeline_in_foreground import workplace
from research.storage.object_store import ObjectError, get_object

MAX_READ = 10  # claims that show the language of a report
WITHOUT = {"appendix": "the evidence of each claim", "sources": "the list of sources"}


class Command(BaseCommand):
    help = (
        "Make files of a run's report and write them into a folder. A file that was made before is taken as it is, "
        "unless --again says otherwise. Exit status: 0 all there, 1 one could not be made."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("run", type=UUID)
        parser.add_argument(
            "formats", nargs="+", choices=Format.values, metavar="FORMAT", help=_list_formats()
        )
        parser.add_argument(
            "--to", type=Path, default=Path(), metavar="DIR", help="output folder; this folder by default"
        )
        parser.add_argument(
            "--style",
            choices=list(CitationStyle),
            default=CitationStyle.APA,
            help="of the references; apa by default",
        )
        parser.add_argument(
            "--language",
            choices=[code for code, _name in settings.LANGUAGES],
            help="the language of the question by default",
        )
        for name, words in WITHOUT.items():
            parser.add_argument(f"--no-{name}", action="store_true", help=f"leave out {words}")
        parser.add_argument("--raw", action="store_true", help="with settings, steps and texts of sources")
        parser.add_argument("--again", action="store_true", help="create it again even if it exists")
        parser.add_argument("--user", help="user in whose workspace to work; the local account by default")

    def handle(self, *args: object, **options: object) -> None:
        to, names = options["to"], options["formats"]
        if not isinstance(to, Path) or not to.is_dir():
            raise CommandError(f"There is no folder “{to}”.")
        if not isinstance(names, Sequence):
            raise CommandError("Name a format.")
        try:
            with workplace(str(options["user"] or "") or None) as account:
                exports = [
                    _create_export(account, UUID(str(options["run"])), Format(name), options)
                    for name in names
                ]
                lost = [self._put(account, export, to) for export in exports].count(False)
        except (NoAccount, ExportRefused) as error:
            raise CommandError(str(error)) from error
        if lost:
            raise CommandError(f"{lost} of {len(exports)} files could not be made.")

    def _put(self, account: PersonalAccount, export: Export, to: Path) -> bool:
        """Write the export's file into the folder. Return True if it is there now."""
        if not export.is_there:
            self.stderr.write(f"{export.format}: {export.error} ({export.error_code})")
            return False
        path = to / export.filename
        try:
            with tenant_context(account.tenant_id):
                path.write_bytes(get_object(export.object_key))
        except (ObjectError, OSError) as error:
            self.stderr.write(f"{export.format}: {error}")
            return False
        self.stdout.write(f"{path}  {export.file_size} bytes  {export.duration_ms} ms")
        return True


def _list_formats() -> str:
    return ", ".join(Format.values)


def _describe(run: Run) -> str:
    """Return the words of the run that show its language: the question, and the first claims of the report."""
    texts = select_stated_claims(run.pk).order_by("number").values_list("text", flat=True)
    return " ".join((run.topic, *texts[:MAX_READ]))


def _create_export(
    account: PersonalAccount, run_id: UUID, format_: Format, given: Mapping[str, object]
) -> Export:
    """Create an export in this process. Raises CommandError if there is no such run, and ExportRefused."""
    with tenant_context(account.tenant_id):
        run = Run.objects.filter(pk=run_id).first()
        if run is None:
            raise CommandError(f"There is no run {run_id}.")
        options = ExportOptions(
            citation_style=CitationStyle(str(given["style"])),
            include_appendix=not given["no_appendix"],
            include_sources=not given["no_sources"],
            include_raw_data=bool(given["raw"]),
            language=str(given["language"] or detect_language(_describe(run))),
        )
        export = request_export(run, format_, options, account.user, wakes_worker=False)
        if given["again"]:
            make_again(export)
    make(account.tenant_id, export.pk)
    with tenant_context(account.tenant_id):
        return Export.objects.get(pk=export.pk)
