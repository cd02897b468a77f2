"""Read a page of the web: fetched, its text frozen, its passages found; with a model its claims noted. One step.

What must not be done twice is kept outside the step: the page in the page store, its text in the library, the model's
answer in the call store. A step that is killed starts over and finds them.
"""

from dataclasses import replace
from functools import partial

from research.engine.batch_save import BatchSave
from research.engine.pipeline_registry import JsonObject, StepResult, StepWork
from research.engine.worker_computing_threads import in_computing_thread
from research.fetching.fetch_rendered_pages import acquire_rendered
from research.fetching.fetched_page_content import FetchError
from research.fetching.get_web_page import AcquiredPage
from research.models.schemas import RenderingWish
from research.pipelines.report.analyzing.prepare_report_sentences import draft_preparation
from research.pipelines.report.passages_found_for_report import dump_passages
from research.pipelines.report.reading.extract_report_pages import (
    NeedsBrowser,
    PageReading,
    extract_page,
    save_page,
    store_read,
)
from research.pipelines.report.reading.fetch_report_pages import (
    PageTarget,
    build_excluded_result,
    handle_fetch_error,
    load_target,
    retry_or_skip_source,
)
from research.pipelines.report.reading.follow_report_page_links import draft_link_steps
from research.pipelines.report.reading.propose_report_notes import SourceNotes, take_notes
from research.search.open_access_search import acquire_open
from research.storage.object_store import DiskFull, ForeignObject, ObjectError


async def read_page(work: StepWork) -> StepResult:
    """Read the page.

    Raises StepError, DiskFull and ModelError for a failure that a retry may fix; a permanent one is noted on the
    source.
    """
    target = await load_target(work)
    if target is None:
        return build_excluded_result(work)
    try:
        page, reading = await _acquire_and_extract(work, target)
    except FetchError as error:
        return handle_fetch_error(work, error)
    except (DiskFull, ForeignObject):
        raise  # it is not the source's fault
    except ObjectError as error:
        return retry_or_skip_source(work, str(error))
    if isinstance(reading, StepResult):
        return replace(reading, output={**_describe(page), **reading.output})
    notes = SourceNotes()
    if reading.reader is not None:
        notes = await take_notes(work, reading.reader, reading.source, reading.excerpts)
    return StepResult(
        {
            **_describe(page),
            "chunks": len(reading.stored.chunks),
            "words": reading.words,
            "hits": dump_passages(reading.hits),
            **notes.output,
        },
        save=BatchSave(store_read, reading.stored),
        children=[*draft_link_steps(work, page, reading), *draft_preparation(work)],
        activity=f"Reading “{reading.title}”"[:300],
        usage=notes.usage,
    )


async def _acquire_and_extract(
    work: StepWork, target: PageTarget
) -> tuple[AcquiredPage, PageReading | StepResult]:
    """Return the page and what was read of it; a browser shows the page if its text is not in its bytes.

    Without a browser the page is read as received. Raises FetchError and ObjectError.
    """
    run, url = str(work.run_id), str(work.input["url"])
    page = await acquire_open(work.tenant_id, run, url, target.named, target.refuse, target.cached)
    try:
        text = await in_computing_thread(partial(extract_page, work, target, page))
    except NeedsBrowser:
        page = await acquire_rendered(work.tenant_id, run, page.url, RenderingWish(), refuse=target.refuse)
        text = await in_computing_thread(partial(extract_page, work, target, page))
    return page, text if isinstance(text, StepResult) else await save_page(text)


def _describe(page: AcquiredPage) -> JsonObject:
    """Return what the run's log tells of the page."""
    told: JsonObject = {
        "url": page.url,
        "media_type": page.media_type,
        "how": page.how,
        "fetched_at": page.fetched_at.isoformat(),
    }
    if not page.was_browser_tried:
        return told
    return {**told, "log": list(page.rendering.log) if page.rendering else [page.note]}
