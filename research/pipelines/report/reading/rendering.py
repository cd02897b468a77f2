"""Read from the web if a page has no text until its scripts have run: a browser renders it."""

from collections.abc import Mapping
from functools import partial

from research.db.tenancy import in_tenant
from research.engine.pipeline_registry import Json, StepDraft, StepResult, StepWork
from research.fetching.get_page import AcquiredPage
from research.fetching.page_content import FetchError
from research.fetching.rendered_pages import acquire_rendered, needs_browser
from research.library.saved_pages import FEWEST_WORDS
from research.models import AgentRole, Queue
from research.models.schemas import Rendering, RenderingWish
from research.pipelines.report.reading.fetching import (
    build_excluded_result,
    handle_fetch_error,
    is_left_out,
    refusing,
    retry_or_skip_source,
)
from research.pipelines.report.step_names import ReportStepName
from research.storage.object_store import DiskFull, ObjectError

PASSED_ON = ("source", "followed")  # of the page that was fetched, to the page that is shown


def rendering_wanted(work: StepWork, raw: bytes, words: int) -> StepDraft | None:
    """Return the step that renders the page in a browser, if that was not tried and its text is not in its bytes."""
    if "rendered" in work.input or not needs_browser(raw, words, FEWEST_WORDS):
        return None
    return StepDraft(
        f"render.{work.input['source']}",
        ReportStepName.RENDER_PAGE,
        AgentRole.RESEARCHER,
        input={name: work.input[name] for name in PASSED_ON if name in work.input}
        | {"url": work.input["url"]},
        tool_name="browse",
    )


async def render_page(work: StepWork) -> StepResult:
    """Render the page.

    Raises StepError and NoRoom for a failure that a retry may fix. Without a browser the page is read as it came.
    """
    if await in_tenant(work.tenant_id, partial(is_left_out, work)):
        return build_excluded_result(work)
    refuse = await in_tenant(work.tenant_id, partial(refusing, work))
    try:
        page = await acquire_rendered(
            work.tenant_id, str(work.run_id), str(work.input["url"]), RenderingWish(), refuse=refuse
        )
    except FetchError as error:
        return handle_fetch_error(work, error)
    except DiskFull:
        raise  # it is not the source's fault
    except ObjectError as error:
        return retry_or_skip_source(work, str(error))
    log = list(page.rendering.log) if page.rendering else [page.note]
    return StepResult(
        {"url": page.url, "media_type": page.media_type, "how": page.how, "log": log},
        children=[_reading_of(work, page)],
        activity=f"{page.how.capitalize()}: {page.url}"[:300],
    )


def _reading_of(work: StepWork, page: AcquiredPage) -> StepDraft:
    source_id = str(work.input["source"])
    rendered: Mapping[str, Json] | None = page.rendering.model_dump() if page.rendering else None
    return StepDraft(
        f"extract.{source_id}.rendered",
        ReportStepName.EXTRACT_PAGE,
        AgentRole.EXTRACTOR,
        queue=Queue.READING,
        input={
            **{name: work.input[name] for name in PASSED_ON if name in work.input},
            "url": page.url,
            "name": page.name,
            "object": page.raw_key,
            "rendered": rendered,
            "note": page.note,
        },
        tool_name="extract",
    )


def rendering_of(work: StepWork) -> Rendering | None:
    """Return how the bytes were rendered, or None if they are what the site sent."""
    rendered = work.input.get("rendered")
    return Rendering.model_validate(rendered) if rendered else None


def with_note(work: StepWork, words: str) -> str:
    """Return `words`, the reason why a page has no text, followed by the note on why no browser rendered it."""
    return f"{words} {work.input.get('note', '')}".strip()
