"""A page of the web for an item: fetched, then frozen as a text of the library and a source of the run."""

from functools import partial
from uuid import UUID

from django.db.models import F
from django.db.models.functions import Now
from django.utils import timezone

from research.acquisition.copies import acquire_open
from research.acquisition.pages import FetchError
from research.library.embedding import NOTHING
from research.library.judging import judge_by
from research.library.manifests import Details
from research.library.preparing import Prepared, Unreadable, load_object, prepare_bytes
from research.library.saved_pages import SavedPage, row_of_page
from research.library.sources import refilled
from research.lifecycle.failures import DEFINITIONS, StepError
from research.lifecycle.recipe import StepResult, StepWork
from research.models import Run, Source, SourceStatus
from research.objects import ObjectError
from research.recipes.table.config import TableConfig
from research.recipes.table.items.ways import read_step
from research.tenancy import in_tenant, tenant_context

UNREADABLE = "EXTRACTION_FAILED"


async def fetch_page(work: StepWork) -> StepResult:
    """Raises StepError for what a later try may mend; what stays is noted on the source."""
    url = str(work.input["url"])
    source = await in_tenant(work.tenant_id, partial(_source, work))
    if source.status == SourceStatus.PROCESSED:  # for another item, meanwhile
        return StepResult({"url": url, "how": "read"})
    allowed = TableConfig.model_validate(source.run.config)
    try:
        page = await acquire_open(
            work.tenant_id, str(work.run_id), url, source.final_url, allowed.site_refusal
        )
    except FetchError as error:
        return _failed(work, error)
    except ObjectError as error:
        return _given_up(work, UNREADABLE, str(error))
    reading = read_step(
        str(work.input["name"]),
        int(str(work.input["item"])),
        {"source": str(source.pk), "url": page.url, "file": page.name, "object": page.raw_key},
    )
    return StepResult(
        {"url": page.url, "media_type": page.media_type, "how": page.how},
        children=[reading],
        activity=f"Fetched {page.url}"[:300],
    )


def _source(work: StepWork) -> Source:
    return Source.objects.select_related("run").get(pk=UUID(str(work.input["source"])))


def _failed(work: StepWork, error: FetchError) -> StepResult:
    if error.is_retryable and work.attempt <= DEFINITIONS[error.code].retries:
        raise StepError(error.code, error.message, retry_after_s=error.retry_after_s) from error
    return _given_up(work, error.code, error.message)


def _given_up(work: StepWork, code: str, message: str) -> StepResult:
    """The step is done; its source was not read, and says why. What another item has read stays read."""

    def save() -> None:
        unread = Source.objects.exclude(status=SourceStatus.PROCESSED)
        unread.filter(pk=UUID(str(work.input["source"]))).update(
            status=SourceStatus.FAILED, error_code=code, error_message=message, updated_at=Now()
        )

    return StepResult({"code": code, "message": message}, save=save)


def read_page(work: StepWork) -> StepResult:
    with tenant_context(work.tenant_id):
        source = _source(work)
        if source.status == SourceStatus.PROCESSED:
            return StepResult({"how": "read"})
        document_id = row_of_page(source.url, source.title).pk
    try:
        raw = load_object(str(work.input["object"]))
    except ObjectError as error:
        return _given_up(work, UNREADABLE, str(error))
    read = prepare_bytes(work.tenant_id, str(work.input["file"]), raw)
    if isinstance(read, Unreadable):
        return _given_up(work, UNREADABLE, read.message)
    return _kept(work, source, document_id, read)


def _kept(work: StepWork, source: Source, document_id: UUID, read: Prepared) -> StepResult:
    said = Details(title=source.title, published_date=source.published_date)
    page = SavedPage(str(work.input["url"]), said, read)
    if page.problem is not None:
        return _given_up(work, *page.problem)
    with tenant_context(work.tenant_id, is_durable=False):  # the step's own end makes it so
        row, judge = page.save(document_id, NOTHING), judge_by(source.run.config)
        # A text that was kept before is loaded now.
        filled = refilled(source, row, judge.rules, status=SourceStatus.PROCESSED)
        filled.processed_at = timezone.now()
        judge.weigh(filled)

    def save() -> None:
        filled.save(force_update=True)  # twice where two items had it read: with the same words
        Run.objects.filter(pk=source.run_id).update(sources_processed=F("sources_processed") + 1)

    title = page.details.title or source.url
    return StepResult({"words": read.word_count}, save=save, activity=f"Reading “{title}”"[:300])
