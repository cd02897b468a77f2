"""Read from the web: which pages are fetched in which order, and what becomes of those that cannot be read."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from uuid import UUID

from django.db.models.functions import Now

from research.agents.tools.evidence.sources_allowed_to_agents import SourceSettings
from research.db.bulk_sql import rows_of
from research.db.sql_batcher import read_batch
from research.engine.pipeline_registry import StepDraft, StepResult, StepWork
from research.engine.states.step_failures import DEFINITIONS, StepError
from research.fetching.cached_web_pages import find_copies
from research.fetching.fetch_pages import Refuse, domain_of
from research.fetching.fetched_page_content import FetchError
from research.fetching.get_web_page import CachedPages
from research.library.pages_saved_in_library import find_page_rows
from research.library.rate_library_source import Judge, judge_by
from research.models import AgentRole, LibraryDocument, Run, Source, SourceStatus
from research.pipelines.report.analyzing.prepare_report_sentences import prepares_sentences
from research.pipelines.report.collecting.add_report_sources import best_first
from research.pipelines.report.report_config import ReportConfig
from research.pipelines.report.report_step_names import ReportStepName

SKIPPED = "EXTRACTION_FAILED"
NAMED = "WHERE id = ANY(%(ids)s::uuid[])"


def fetch_drafts(run: Run) -> Iterator[StepDraft]:
    """Yield a step for each page that is still to be read; the best first, domains in turn."""
    pending = Source.objects.filter(run=run, status=SourceStatus.PENDING, library_document=None)
    in_order = best_first(ReportConfig.model_validate(run.config))
    rows = sorted(pending.order_by("created_at", "id"), key=in_order)
    for number, (source_id, url) in enumerate(in_turns((row.pk, row.url) for row in rows), start=1):
        yield fetch_draft(source_id, url, prepares=prepares_sentences(number, len(rows)))


def fetch_draft(source_id: UUID, url: str, *, followed: bool = False, prepares: bool = False) -> StepDraft:
    """Return the step that reads a page.

    `followed`: another page linked to it, and its own links are not followed. `prepares`: after it, sentences of the
    pages that were read until then are prepared.
    """
    return StepDraft(
        f"fetch.{source_id}",
        ReportStepName.READ_PAGE,
        AgentRole.RESEARCHER,
        input={"source": str(source_id), "url": url}
        | ({"followed": True} if followed else {})
        | ({"prepares": True} if prepares else {}),
        tool_name="browse",
    )


def in_turns(pages: Iterable[tuple[UUID, str]]) -> list[tuple[UUID, str]]:
    by_domain: dict[str, list[tuple[UUID, str]]] = defaultdict(list)
    for page in pages:
        by_domain[domain_of(page[1])].append(page)
    rounds = zip_longest(*by_domain.values())
    return [page for page in chain.from_iterable(rounds) if page is not None]


@dataclass(frozen=True, slots=True)
class PageTarget:
    """A page to read, and the run as it was when the step began.

    `saved`: the page as it was read before. `named`: the address of an open copy, which is read first; "" for none.
    `cached`: the fetched pages at the address that is read first.
    """

    run: Run
    judge: Judge
    source: Source
    saved: LibraryDocument | None
    named: str
    refuse: Refuse | None
    cached: CachedPages


def build_excluded_result(work: StepWork) -> StepResult:
    return StepResult({"code": "EXCLUDED", "message": "The run has an instruction to leave it out."})


async def load_target(work: StepWork) -> PageTarget | None:
    """Return the page to read; None if its source is excluded. Raises LookupError if it is gone."""
    return await read_batch(work.tenant_id, load_targets, work)


def load_targets(works: Sequence[StepWork]) -> list[PageTarget | None]:
    """Return the pages that these steps read. Needs the tenant set. Raises LookupError if one is gone.

    Until a source is read, its last address is that of the copy to read.
    """
    ids = [str(work.input["source"]) for work in works]
    sources = {str(source.pk): source for source in rows_of(Source, NAMED, {"ids": ids})}
    run_ids = sorted({str(work.run_id) for work in works})
    runs = {run.pk: (run, judge_by(run.config)) for run in rows_of(Run, NAMED, {"ids": run_ids})}
    saved = find_page_rows([sources[source_id].url for source_id in ids])
    addresses = [sources[source_id].final_url or sources[source_id].url for source_id in ids]
    copies = find_copies(addresses)
    targets: list[PageTarget | None] = []
    for work, source_id, row, address, copy in zip(works, ids, saved, addresses, copies, strict=True):
        source, (run, judge) = sources[source_id], runs[work.run_id]
        refuse = None if source.must_read else _refusal(run)
        target = PageTarget(run, judge, source, row, source.final_url, refuse, {address: copy})
        targets.append(None if source.status == SourceStatus.EXCLUDED else target)
    return targets


def _refusal(run: Run) -> Refuse | None:
    """Return the check that refuses redirects to excluded sites; None if none is excluded."""
    allowed = SourceSettings.model_validate(run.config)
    return allowed.site_refusal if allowed.excluded_domains else None


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
