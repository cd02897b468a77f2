"""Follow links of a good page within its site: as many as the run's owner allows for a source."""

from uuid import UUID

from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import StepDraft, StepResult, StepWork
from research.engine.states.transitions import lock_run
from research.fetching.fetched_page_links import internal_links
from research.fetching.get_web_page import AcquiredPage
from research.library.prepare_library_documents import load_object
from research.library.sources_from_library import FoundPage
from research.models import AgentRole, Run, Source, SourceStatus
from research.pipelines.report.collecting.add_report_sources import add_rows, new_pages
from research.pipelines.report.reading.extract_report_pages import PageReading
from research.pipelines.report.reading.fetch_report_pages import fetch_draft
from research.pipelines.report.report_config import ReportConfig
from research.pipelines.report.report_step_names import ReportStepName
from research.storage.object_store import ObjectError

GOOD = 0.5  # lowest relevance of a page whose links are followed


def draft_link_steps(work: StepWork, page: AcquiredPage, reading: PageReading) -> list[StepDraft]:
    """Return the step that looks for links on the page that `work` reads.

    Links of a page that was itself followed are not followed.
    """
    config, relevance = ReportConfig.model_validate(reading.run.config), reading.source.relevance_score
    is_html = page.name.endswith(".html")
    if config.pages_per_source < 2 or not is_html or work.input.get("followed") or (relevance or 0.0) < GOOD:
        return []
    return [
        StepDraft(
            f"follow.{work.input['source']}",
            ReportStepName.FOLLOW_LINKS,
            AgentRole.RESEARCHER,
            input={"source": work.input["source"], "url": page.url, "object": page.raw_key},
            tool_name="browse",
        )
    ]


def follow_links(work: StepWork) -> StepResult:
    """Add new pages as sources, and have each fetched; pages that the run has, or may not read, are skipped."""
    try:
        raw = load_object(str(work.input["object"]))
    except ObjectError:
        return StepResult({"links": 0, "new": 0})
    html = raw.data.decode("utf-8", "replace")
    with tenant_context(work.tenant_id):
        run = Run.objects.get(pk=work.run_id)
        config = ReportConfig.model_validate(run.config)
        links = internal_links(html, str(work.input["url"]), config.pages_per_source - 1)
        wanted = [url for url in links if not config.refusal(url)]
        new = _add_pages(run, UUID(str(work.input["source"])), wanted)
    return StepResult(
        {"links": len(links), "new": len(new)},
        children=[fetch_draft(row.pk, row.url, followed=True) for row in new],
        activity=f"Following links of {work.input['url']}"[:300],
    )


def _add_pages(run: Run, source_id: UUID, urls: list[str]) -> list[Source]:
    """Add the pages and return the new ones. A page that another step has just added is fetched by that step."""
    subtopic = Source.objects.values_list("subtopic", flat=True).get(pk=source_id)
    lock_run(run.pk)
    rows = new_pages(run.pk, [FoundPage(url, subtopic=subtopic) for url in urls])
    add_rows(run.pk, rows)
    return list(Source.objects.filter(pk__in=[row.pk for row in rows], status=SourceStatus.PENDING))
