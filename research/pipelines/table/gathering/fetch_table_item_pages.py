"""Pages of the web for a table: each is fetched, then frozen as a text of the library and a source of the run.

What must not be done twice is kept outside the step: the page in the page store, its text in the library. A step that
is killed starts over and finds them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from django.utils import timezone

from research.db.bulk_sql import rows_of
from research.db.sql_batcher import Batcher, read_batch
from research.db.tenancy import tenant_context
from research.engine.batch_save import BatchSave
from research.engine.pipeline_registry import JsonObject, StepDraft, StepResult, StepWork
from research.engine.states.step_failures import DEFINITIONS, StepError
from research.engine.worker_computing_threads import in_computing_thread
from research.fetching.fetched_page_content import FetchError
from research.fetching.get_web_page import AcquiredPage, CachedPages
from research.library.library_manifest import Details
from research.library.pages_saved_in_library import PageToSave, SavedPage, load_raw, save_pages
from research.library.prepare_library_documents import UnreadableDocument, prepare_bytes
from research.library.rate_library_source import Judge, judge_with
from research.library.retrieval.passage_embedding import NOTHING
from research.library.reuse_library_pages import page_as_read
from research.library.sources_from_library import refill_source
from research.models import AgentRole, LibraryDocument, Source, SourceStatus
from research.pipelines.table.gathering.store_table_sources import store_read_sources
from research.pipelines.table.items.table_items import config_of
from research.pipelines.table.table_config import TableConfig
from research.pipelines.table.table_step_names import TableStepName
from research.search.open_access_search import acquire_open
from research.storage.object_store import DiskFull, ObjectError, sha256_in

UNREADABLE = "EXTRACTION_FAILED"


@dataclass(frozen=True, slots=True)
class PageTarget:
    """A page to read. `cached`: the fetched pages at the address that is read first."""

    source: Source
    config: TableConfig
    judge: Judge
    cached: CachedPages


@dataclass(frozen=True, slots=True)
class PageReading:
    """A page as a source that is not stored yet, which was read or says why not, and what the run's log tells of it."""

    source: Source
    told: JsonObject


def draft_list_page(source: UUID, url: str) -> StepDraft:
    """Return the step that fetches and reads a page on which a list of rows may be."""
    return StepDraft(
        f"plan/fetch.{source}",
        TableStepName.FETCH_PAGE,
        AgentRole.RESEARCHER,
        input={"source": str(source), "url": url},
        tool_name="browse",
        agent_id="plan",
    )


async def fetch_page(work: StepWork) -> StepResult:
    """Read a page whose source is stored. Raises what `read_page` raises."""
    target = await read_batch(work.tenant_id, _load_targets, work)
    if target.source.status == SourceStatus.PROCESSED:
        return StepResult({"url": target.source.url, "how": "read"})
    reading = await read_page(work, target)
    named = reading.source.title or reading.source.url
    return StepResult(
        reading.told,
        save=BatchSave(store_read_sources, reading.source),
        activity=f"Reading “{named}”"[:300] if reading.source.content_id else "",
    )


def _load_targets(works: Sequence[StepWork]) -> list[PageTarget]:
    """Raises KeyError for a source that is gone."""
    ids = [UUID(str(work.input["source"])) for work in works]
    sources = {row.pk: row for row in rows_of(Source, "WHERE id = ANY(%(ids)s)", {"ids": ids})}
    configs = {run_id: config_of(run_id) for run_id in {work.run_id for work in works}}
    judges = {run_id: judge_with(config.recency_bias) for run_id, config in configs.items()}
    return [
        PageTarget(sources[pk], configs[work.run_id], judges[work.run_id], {})
        for pk, work in zip(ids, works, strict=True)
    ]


async def read_page(work: StepWork, target: PageTarget) -> PageReading:
    """Fetch a page and read it.

    Raises StepError and DiskFull for what a later try may mend; what stays is noted on the source.
    """
    source = target.source
    refuse = None if source.must_read else target.config.site_refusal
    try:
        page = await acquire_open(
            work.tenant_id, str(work.run_id), source.url, source.final_url, refuse, target.cached
        )
    except FetchError as error:
        if error.is_retryable and work.attempt <= DEFINITIONS[error.code].retries:
            raise StepError(error.code, error.message, retry_after_s=error.retry_after_s) from error
        return _build_unread(source, error.code, error.message)
    except DiskFull:
        raise  # it is no fault of the source
    except ObjectError as error:
        return _build_unread(source, UNREADABLE, str(error))
    read = await in_computing_thread(partial(_extract_page, work, page, target))
    if isinstance(read, SavedPage):
        read = await _saving.do(ExtractedItemPage(target, read))
    if read.error_code:
        return _build_unread(read, read.error_code, read.error_message)
    told: JsonObject = {
        "url": page.url,
        "media_type": page.media_type,
        "how": page.how,
        "fetched_at": page.fetched_at.isoformat(),
        "words": read.word_count,
    }
    return PageReading(read, told)


def _build_unread(source: Source, code: str, message: str) -> PageReading:
    return PageReading(
        _note_failure(source, code, message), {"url": source.url, "code": code, "message": message}
    )


def _note_failure(source: Source, code: str, message: str) -> Source:
    source.status, source.error_code, source.error_message = SourceStatus.FAILED, code, message
    return source


def _extract_page(work: StepWork, page: AcquiredPage, target: PageTarget) -> Source | SavedPage:
    """Return the parsed page, not saved yet, or its source if it was read before or cannot be read."""
    source = target.source
    if page.was_kept:
        with tenant_context(work.tenant_id):
            known = page_as_read(source.url, sha256_in(page.raw_key))
            if known is not None:
                return _fill_source(target, known)
    try:
        raw = load_raw(page)
    except ObjectError as error:
        return _note_failure(source, UNREADABLE, str(error))
    read = prepare_bytes(work.tenant_id, page.name, raw)
    if isinstance(read, UnreadableDocument):
        return _note_failure(source, UNREADABLE, read.message)
    saved = SavedPage(page.url, Details(title=source.title, published_date=source.published_date), read)
    return saved if saved.problem is None else _note_failure(source, *saved.problem)


@dataclass(frozen=True, slots=True)
class ExtractedItemPage:
    """A page with enough text, which is not stored yet."""

    target: PageTarget
    page: SavedPage


def save_read_pages(pages: Sequence[ExtractedItemPage]) -> list[Source]:
    """Save pages in the library, and return their sources, which are not stored. Needs the tenant set."""
    rows = save_pages(
        [PageToSave(page.page, page.target.source.url, page.target.source.title, NOTHING) for page in pages]
    )
    return [_fill_source(page.target, row) for page, row in zip(pages, rows, strict=True)]


# The step's own end makes it durable.
_saving: Batcher[ExtractedItemPage, Source] = Batcher(
    lambda page: page.target.source.tenant_id, save_read_pages, is_durable=False
)


def _fill_source(target: PageTarget, row: LibraryDocument) -> Source:
    """Weighed here, where nobody waits for it: a text that was kept before is loaded now, and looked through."""
    filled = refill_source(target.source, row, target.judge.rules, status=SourceStatus.PROCESSED)
    filled.processed_at, filled.tenant_id = timezone.now(), target.source.tenant_id
    return target.judge.weigh(filled)
