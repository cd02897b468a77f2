"""A page of the web for an item: fetched, then frozen as a text of the library and a source of the run.

Both are one step: no row, message or claim lies between them. A step that is killed finds the page among the kept ones.
"""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import partial
from uuid import UUID

from django.db.models import F
from django.db.models.functions import Now
from django.utils import timezone

from research.db.bulk_sql import rows_of, update_rows
from research.db.sql_batcher import Batcher, read_batch
from research.db.tenancy import current_tenant_id, tenant_context
from research.engine.batch_save import BatchSave
from research.engine.pipeline_registry import JsonObject, StepResult, StepWork
from research.engine.states.step_failures import DEFINITIONS, StepError
from research.engine.worker_computing_threads import in_computing_thread
from research.fetching.fetched_page_content import FetchError
from research.fetching.get_web_page import AcquiredPage, usable_copy
from research.library.library_manifest import Details
from research.library.pages_saved_in_library import PageToSave, SavedPage, load_raw, save_pages
from research.library.prepare_library_documents import UnreadableDocument, prepare_bytes
from research.library.rate_library_source import Judge, judge_with
from research.library.retrieval.passage_embedding import NOTHING
from research.library.reuse_library_pages import page_as_read
from research.library.sources_from_library import refill_source
from research.models import LibraryDocument, Run, Source, SourceStatus
from research.pipelines.table.items.table_items import config_of
from research.pipelines.table.table_config import TableConfig
from research.search.open_access_search import acquire_open
from research.storage.object_store import DiskFull, ObjectError, sha256_in

UNREADABLE = "EXTRACTION_FAILED"


async def fetch_page(work: StepWork) -> StepResult:
    """Fetch a page and read it. Raises StepError and DiskFull for what a later try may mend; what stays is noted on the
    source.
    """
    url = str(work.input["url"])
    source, config, judge = await read_batch(work.tenant_id, _load_pages, work)
    if source.status == SourceStatus.PROCESSED:  # for another item, meanwhile
        return StepResult({"url": url, "how": "read"})
    refuse = None if source.must_read else config.site_refusal
    try:
        page = await acquire_open(work.tenant_id, str(work.run_id), url, source.final_url, refuse)
    except FetchError as error:
        return _handle_fetch_error(work, error)
    except DiskFull:
        raise  # it is no fault of the source
    except ObjectError as error:
        return _build_failure_result(work, UNREADABLE, str(error))
    found: JsonObject = {"url": page.url, "media_type": page.media_type, "how": page.how}
    read = await in_computing_thread(partial(_read_page, work, page, source, judge))
    if isinstance(read, SavedPage):
        read = await _saving.do(ReadItemPage(source, judge, read))
    activity = read.activity or f"Fetched {page.url}"[:300]
    return replace(read, output={**found, **read.output}, activity=activity)


def _load_pages(works: Sequence[StepWork]) -> list[tuple[Source, TableConfig, Judge]]:
    """Raises KeyError for a source that is gone."""
    ids = [UUID(str(work.input["source"])) for work in works]
    sources = {row.pk: row for row in rows_of(Source, "WHERE id = ANY(%(ids)s)", {"ids": ids})}
    configs = {run_id: config_of(run_id) for run_id in {work.run_id for work in works}}
    judges = {run_id: judge_with(config.recency_bias) for run_id, config in configs.items()}
    return [
        (copy(sources[pk]), configs[work.run_id], judges[work.run_id])  # items may share a source
        for pk, work in zip(ids, works, strict=True)
    ]


def _handle_fetch_error(work: StepWork, error: FetchError) -> StepResult:
    if error.is_retryable and work.attempt <= DEFINITIONS[error.code].retries:
        raise StepError(error.code, error.message, retry_after_s=error.retry_after_s) from error
    return _build_failure_result(work, error.code, error.message)


def _build_failure_result(work: StepWork, code: str, message: str) -> StepResult:
    """The step is done; its source was not read, and says why. What another item has read stays read."""

    def save() -> None:
        unread = Source.objects.exclude(status=SourceStatus.PROCESSED)
        unread.filter(pk=UUID(str(work.input["source"]))).update(
            status=SourceStatus.FAILED, error_code=code, error_message=message, updated_at=Now()
        )

    return StepResult({"code": code, "message": message}, save=save)


def _read_page(work: StepWork, page: AcquiredPage, source: Source, judge: Judge) -> StepResult | SavedPage:
    """Return the parsed page, not stored yet, or the step's result if it cannot be read or was read before."""
    if page.was_kept:
        with tenant_context(work.tenant_id):
            if _read_meanwhile([source]):
                return StepResult({"how": "read"})
            known = page_as_read(source.url, sha256_in(page.raw_key))
            if known is not None:
                return _as_source(source, known, judge)
    try:
        raw = load_raw(page)
    except ObjectError as error:
        return _build_failure_result(work, UNREADABLE, str(error))
    read = prepare_bytes(work.tenant_id, page.name, raw)
    if isinstance(read, UnreadableDocument):
        return _build_failure_result(work, UNREADABLE, read.message)
    saved = SavedPage(page.url, Details(title=source.title, published_date=source.published_date), read)
    return saved if saved.problem is None else _build_failure_result(work, *saved.problem)


@dataclass(frozen=True, slots=True)
class ReadItemPage:
    """A page that was read for a source, neither of which is stored yet."""

    source: Source
    judge: Judge
    page: SavedPage


def save_read_pages(pages: Sequence[ReadItemPage]) -> list[StepResult]:
    """Save pages in the library, and return the results of the steps that read them. Needs the tenant set."""
    done = _read_meanwhile([page.source for page in pages])
    new = [page for page in pages if page.source.pk not in done]
    rows = save_pages([PageToSave(page.page, page.source.url, page.source.title, NOTHING) for page in new])
    results = {
        page.source.pk: _as_source(page.source, row, page.judge) for page, row in zip(new, rows, strict=True)
    }
    return [results.get(page.source.pk) or StepResult({"how": "read"}) for page in pages]


# The step's own end makes it durable.
_saving: Batcher[ReadItemPage, StepResult] = Batcher(
    lambda page: page.source.tenant_id, save_read_pages, is_durable=False
)


def _read_meanwhile(sources: Sequence[Source]) -> frozenset[UUID]:
    """Return the ids of those that another item has had read since they were loaded. Needs the tenant set."""
    read = Source.objects.filter(pk__in=[source.pk for source in sources], status=SourceStatus.PROCESSED)
    return frozenset(read.values_list("pk", flat=True))


def _as_source(source: Source, row: LibraryDocument, judge: Judge) -> StepResult:
    """Weighed here, where nobody waits for it: a text that was kept before is loaded now, and looked through."""
    filled = _fill_source(source, row, judge)
    return StepResult(
        {"words": filled.word_count},
        save=BatchSave(_store_read, filled),
        activity=f"Reading “{filled.title or source.url}”"[:300],
    )


def _fill_source(source: Source, row: LibraryDocument, judge: Judge) -> Source:
    filled = refill_source(source, row, judge.rules, status=SourceStatus.PROCESSED)
    filled.processed_at = timezone.now()
    return judge.weigh(filled)


def as_kept(source: Source, judge: Judge) -> Source | None:
    """A source that was just found as it is when it is read, where its page is kept, need not be asked for again, and
    was read before: then no step of its own has to have it. Needs the tenant set.
    """
    if source.final_url:  # a copy of it is looked for first
        return None
    copy = usable_copy(current_tenant_id(), source.url)
    if copy is None or not copy.is_fresh(timezone.now()):
        return None
    row = page_as_read(source.url, sha256_in(copy.raw_key))
    return None if row is None else _fill_source(source, row, judge)


def _store_read(read: Sequence[Source]) -> list[None]:
    """Sources of one run."""
    by_id = {source.pk: source for source in read}  # two items may have had one read: with the same words
    update_rows(list(by_id.values()))
    Run.objects.filter(pk=read[0].run_id).update(sources_processed=F("sources_processed") + len(read))
    return [None] * len(read)
