"""Read from the web, first half: fetch a page unless it is saved already; the next step reads its bytes."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain, zip_longest
from uuid import UUID

from django.db.models.functions import Now

from research.agents.tools.evidence.allowed_sources import SourceSettings
from research.db.bulk_sql import rows_of
from research.db.tenancy import in_tenant
from research.engine.pipeline_registry import StepDraft, StepResult, StepWork
from research.engine.states.failures import DEFINITIONS, StepError
from research.fetching.fetch_pages import Refuse, domain_of
from research.fetching.get_page import AcquiredPage
from research.fetching.page_content import FetchError
from research.models import AgentRole, Queue, Run, Source, SourceStatus
from research.pipelines.report.collecting.sources import best_first
from research.pipelines.report.config import ReportConfig
from research.pipelines.report.instructions.set_aside import is_set_aside
from research.pipelines.report.step_names import ReportStepName
from research.search.open_access import acquire_open
from research.storage.object_store import DiskFull, ObjectError

SKIPPED = "EXTRACTION_FAILED"


def fetch_drafts(run: Run) -> Iterator[StepDraft]:
    """Yield a fetch for each page that is still to be read; the best first, domains in turn."""
    pending = Source.objects.filter(run=run, status=SourceStatus.PENDING, library_document=None)
    in_order = best_first(ReportConfig.model_validate(run.config))
    rows = sorted(pending.order_by("created_at", "id"), key=in_order)
    for source_id, url in in_turns((row.pk, row.url) for row in rows):
        yield fetch_draft(source_id, url)


def fetch_draft(source_id: UUID, url: str, *, followed: bool = False) -> StepDraft:
    """Return the step that fetches a page.

    `followed`: another page linked to it, and its own links are not followed.
    """
    return StepDraft(
        f"fetch.{source_id}",
        ReportStepName.FETCH_PAGE,
        AgentRole.RESEARCHER,
        input={"source": str(source_id), "url": url} | ({"followed": True} if followed else {}),
        tool_name="browse",
    )


def in_turns(pages: Iterable[tuple[UUID, str]]) -> list[tuple[UUID, str]]:
    by_domain: dict[str, list[tuple[UUID, str]]] = defaultdict(list)
    for page in pages:
        by_domain[domain_of(page[1])].append(page)
    rounds = zip_longest(*by_domain.values())
    return [page for page in chain.from_iterable(rounds) if page is not None]


@dataclass(frozen=True, slots=True)
class _FetchOptions:
    """The options of a fetch. `named`: the address of an open copy, which is read first; "" for none."""

    named: str
    refuse: Refuse | None


async def fetch_page(work: StepWork) -> StepResult:
    """Fetch the page.

    Raises StepError and NoRoom for a failure that a retry may fix; a permanent one is noted on the source.
    """
    wanted = await in_tenant(work.tenant_id, partial(_load_fetch_target, work))
    if wanted is None:
        return build_excluded_result(work)
    url = str(work.input["url"])
    try:
        page = await acquire_open(work.tenant_id, str(work.run_id), url, wanted.named, wanted.refuse)
    except FetchError as error:
        return handle_fetch_error(work, error)
    except DiskFull:
        raise  # it is not the source's fault
    except ObjectError as error:
        return retry_or_skip_source(work, str(error))
    return StepResult(
        {
            "url": page.url,
            "media_type": page.media_type,
            "how": page.how,
            "fetched_at": page.fetched_at.isoformat(),
        },
        children=[_reading_of(work, page)],
        activity=f"{'Reusing' if page.was_kept else 'Fetched'} {page.url}"[:300],
    )


def is_left_out(work: StepWork) -> bool:
    """Return True if the page's site was excluded since the page was found."""
    return is_set_aside(UUID(str(work.input["source"])))


def build_excluded_result(work: StepWork) -> StepResult:
    return StepResult({"code": "EXCLUDED", "message": "The run was told to leave it out."})


def refusing(work: StepWork) -> Refuse | None:
    """Return the check that refuses redirects to excluded sites; None if the page must be read or none is excluded."""
    return _refusing(source_of(work))


def _refusing(source: Source) -> Refuse | None:
    if source.must_read:
        return None
    allowed = SourceSettings.model_validate(
        Run.objects.values_list("config", flat=True).get(pk=source.run_id)
    )
    return allowed.site_refusal if allowed.excluded_domains else None


def source_of(work: StepWork) -> Source:
    """Return the source of the step. Raises IndexError if it is gone."""
    return rows_of(Source, "WHERE id = %(id)s::uuid", {"id": str(work.input["source"])})[0]


def _load_fetch_target(work: StepWork) -> _FetchOptions | None:
    """Return the options; None if the source is excluded.

    Until a source is read, its last address is that of the copy to read.
    """
    source = source_of(work)
    is_out = source.status == SourceStatus.EXCLUDED
    return None if is_out else _FetchOptions(source.final_url, _refusing(source))


def _reading_of(work: StepWork, page: AcquiredPage) -> StepDraft:
    source_id = str(work.input["source"])
    return StepDraft(
        f"extract.{source_id}",
        ReportStepName.EXTRACT_PAGE,
        AgentRole.EXTRACTOR,
        queue=Queue.READING,
        input={
            "source": source_id,
            "url": page.url,
            "name": page.name,
            "object": page.raw_key,
            "followed": bool(work.input.get("followed")),
        },
        tool_name="extract",
    )


def handle_fetch_error(work: StepWork, error: FetchError) -> StepResult:
    if error.code == "EXCLUDED":
        return build_failed_result(work, error.code, error.message, SourceStatus.EXCLUDED)
    if error.is_retryable and work.attempt <= DEFINITIONS[error.code].retries:
        raise StepError(error.code, error.message, retry_after_s=error.retry_after_s) from error
    return build_failed_result(work, error.code, error.message)


def retry_or_skip_source(work: StepWork, message: str) -> StepResult:
    """Retry the step while fetched content can't be loaded from the store; then skip the source.

    Raises StepError for a retry. Do not use it for a text that can't be read: the same bytes give the same result.
    """
    if work.attempt <= DEFINITIONS[SKIPPED].retries:
        raise StepError(SKIPPED, message)
    return build_failed_result(work, SKIPPED, message)


def build_failed_result(
    work: StepWork, code: str, message: str, status: SourceStatus = SourceStatus.FAILED
) -> StepResult:
    """Return the result of a step whose source was not read, or is not wanted, and store the reason on the source."""

    def save() -> None:
        known = Source.objects.exclude(status=SourceStatus.EXCLUDED)
        known.filter(pk=UUID(str(work.input["source"]))).update(
            status=status, error_code=code, error_message=message, updated_at=Now()
        )

    return StepResult(
        {"code": code, "message": message}, save=save, activity=f"Not read: {work.input['url']}"[:300]
    )
