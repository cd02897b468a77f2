"""Prepare sentences of pages for their ranking while other pages are still read, in the process that will rank them.

Nothing depends on it: what another process ranks, or what was lost with the process, is computed by the analysis.
"""

from collections.abc import Mapping, Sequence
from uuid import UUID

from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import StepDraft, StepResult, StepWork
from research.models import AgentRole, Content, Queue, Source, SourceStatus, State
from research.pipelines.report.passages_found_for_report import (
    FoundPassage,
    find_unprepared,
    load_passages_of_pages,
    prepare_sentences,
)
from research.pipelines.report.report_step_names import ReportStepName

PREPARED_TOGETHER = 40  # pages: a step's rows and messages cost as much as the sentences of a few


def prepares_sentences(number: int, pages: int) -> bool:
    """Return True if sentences are prepared after the page of this number, from 1. The last pages are not worth a step:
    the analysis would wait for it.
    """
    return number % PREPARED_TOGETHER == 0 and number <= pages - PREPARED_TOGETHER // 2


def draft_preparation(work: StepWork) -> list[StepDraft]:
    """Return the step that prepares sentences of the pages that were read, if the step that reads a page is to have
    one.
    """
    if not work.input.get("prepares"):
        return []
    return [
        StepDraft(
            f"prepare.{work.input['source']}",
            ReportStepName.PREPARE_SENTENCES,
            AgentRole.ANALYZER,
            queue=Queue.READING,
            stage=State.ANALYZING,
        )
    ]


def prepare_read_pages(work: StepWork) -> StepResult:
    """Prepare the sentences of the pages that were read last and are not prepared yet in this process."""
    with tenant_context(work.tenant_id):
        contents, found = _load_unprepared(work.run_id)
    for document, content in contents.items():
        prepare_sentences(document, content, found.get(document, ()))
    return StepResult({"sources": len(contents)})


def _load_unprepared(run_id: UUID) -> tuple[dict[str, Content], Mapping[str, Sequence[FoundPassage]]]:
    """Return the contents and the passages of the pages, by library document."""
    read = Source.objects.filter(
        run_id=run_id,
        status=SourceStatus.PROCESSED,
        content__isnull=False,
        library_document__isnull=False,
    )
    last = read.order_by("-processed_at").values_list("library_document_id", "content_id")
    new = find_unprepared((str(document), content) for document, content in last[: 2 * PREPARED_TOGETHER])
    documents = {content: document for document, content in new}
    contents = Content.objects.filter(pk__in=documents).defer("pages", "minhash")
    by_document = {documents[content.pk]: content for content in contents}
    return by_document, load_passages_of_pages(run_id, by_document)
