"""Collect sources that must be read whatever the filters say: pages and papers by address, library documents."""

import hashlib
from collections.abc import Iterator
from uuid import UUID

from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import StepDraft, StepResult, StepWork
from research.engine.states.step_failures import StepError
from research.fetching.canonical_urls import canonical_url, find_by_url
from research.library.sources_from_library import FoundPage, passages_of
from research.models import AgentRole, LibraryDocument, Run
from research.pipelines.report.collecting.add_report_sources import add_documents, add_pages
from research.pipelines.report.passages_found_for_report import FoundPassage, dump_passages
from research.pipelines.report.report_config import ReportConfig
from research.pipelines.report.report_required_sources import READABLE
from research.pipelines.report.report_step_names import ReportStepName

WHOLE_DOCUMENT = 1.0  # score of the passages of must-read documents


def must_read_drafts(run: Run) -> Iterator[StepDraft]:
    """Yield a step for each."""
    config = ReportConfig.model_validate(run.config)
    for url in config.must_read:
        key = hashlib.sha256(url.encode()).hexdigest()[:12]
        yield StepDraft(
            f"url.{key}",
            ReportStepName.TAKE_URL,
            AgentRole.RESEARCHER,
            input={"url": url},
            tool_name="browse",
        )
    names = {
        librarydocument.pk: name_of(librarydocument)
        for librarydocument in LibraryDocument.objects.filter(pk__in=config.documents)
    }
    for document in config.documents:
        yield StepDraft(
            f"document.{document}",
            ReportStepName.TAKE_DOCUMENT,
            AgentRole.RESEARCHER,
            input={"document": str(document), "name": names.get(document, str(document))},
            tool_name="browse",
        )


def take_url(work: StepWork) -> StepResult:
    """Take a page that must be read: its whole copy in the library, else a fetch if the web may be used."""
    url = str(work.input["url"])
    with tenant_context(work.tenant_id):
        config = ReportConfig.model_validate(Run.objects.get(pk=work.run_id).config)
        document = find_by_url(url) if config.uses_library else None
    if document is not None:
        return _take_whole_document(work, document, url)
    if config.uses_web:
        return _to_fetch(work, url)
    raise StepError("PAGE_NOT_FOUND", f"The library has no copy of {url}.")


def take_document(work: StepWork) -> StepResult:
    """Take a library document that must be read. Raises StepError if it is gone or was never read."""
    with tenant_context(work.tenant_id):
        rows = LibraryDocument.objects.select_related("content")
        document = rows.filter(pk=UUID(str(work.input["document"])), status__in=READABLE).first()
    if document is None:
        raise StepError("PAGE_NOT_FOUND", "A document that must be read is no longer in the library.")
    return _take_whole_document(work, document, name_of(document))


def name_of(document: LibraryDocument) -> str:
    return document.title or document.path


def _take_whole_document(work: StepWork, document: LibraryDocument, name: str) -> StepResult:
    """Take the whole document, up to the limit for a source."""
    with tenant_context(work.tenant_id):
        places = list(passages_of(document).values_list("pk", "start_offset", "end_offset"))
    found = [FoundPassage(pk, document.pk, start, end, WHOLE_DOCUMENT) for pk, start, end in places]
    return StepResult(
        {"name": name, "found": len(found), "hits": dump_passages(found)},
        save=lambda: add_documents(work.run_id, [document], "", must_read=True),
        activity=f"Reading {name}"[:300],
    )


def _to_fetch(work: StepWork, url: str) -> StepResult:
    """Have the page fetched. Raises StepError if it is not a web address."""
    if not canonical_url(url):
        raise StepError("PAGE_NOT_FOUND", f"{url} is not a web address.")

    def save() -> None:
        add_pages(work.run_id, [FoundPage(url, must_read=True)])

    return StepResult({"url": url, "found": 0, "hits": []}, save=save, activity=f"Noting {url}"[:300])
