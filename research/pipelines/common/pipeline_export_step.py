"""Export files that a run was asked to write, whatever its kind: the last thing it does.

A file that can't be written fails alone, never the run. The page of files shows it, and it can be requested again.
"""

from collections.abc import Iterator

from django.conf import settings
from django.utils.module_loading import import_string

from exports.files.make_export import make
from exports.files.request_export import ExportRefused, request_export
from exports.formats.export_formats import Format
from exports.formats.export_options import ExportOptions
from exports.models import Export
from research.accounts.people import settings_of
from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import StepDraft, StepResult, StepWork
from research.models import AgentRole, Queue, Run

MAKE_FILE = "run.make_file"
MAKE_SLIDES = "run.make_slides"
_slide_makers: list[str] = []


def register_slide_maker(path: str) -> None:
    """Register the path of the handler that makes slides.

    The slides app calls it, since it imports this module and not the reverse.
    """
    _slide_makers[:] = [path]


def file_drafts(run: Run) -> Iterator[StepDraft]:
    """Yield a step for each format that the run's configuration names."""
    for name in run.config.get("exports") or ():
        yield StepDraft(
            f"file.{name}",
            MAKE_FILE,
            AgentRole.ORCHESTRATOR,
            queue=Queue.EXPORTS,
            input={"format": name},
            tool_name="export",
        )
    if run.config.get("slides") and _slide_makers:
        yield StepDraft(
            "slides", MAKE_SLIDES, AgentRole.ORCHESTRATOR, queue=Queue.EXPORTS, tool_name="export"
        )


def make_slides(work: StepWork) -> StepResult:
    """Write the slides. The step succeeds even if the deck fails."""
    result: StepResult = import_string(_slide_makers[0])(work)
    return result


def make_file(work: StepWork) -> StepResult:
    """Write the file. The step succeeds even if the file fails."""
    with tenant_context(work.tenant_id):
        run = Run.objects.select_related("owner").get(pk=work.run_id)
        options = ExportOptions(language=settings_of(run.owner).language or settings.LANGUAGE_CODE)
        try:
            export = request_export(
                run, Format(str(work.input["format"])), options, run.owner, wakes_worker=False
            )
        except ExportRefused as refused:
            return StepResult({"refused": str(refused)})
    make(work.tenant_id, export.pk)
    with tenant_context(work.tenant_id):
        made = Export.objects.get(pk=export.pk)
    return StepResult({"export": str(made.pk), "state": made.state, "code": made.error_code})
