"""Check if the pages of the first results still exist, with the HTTP client of all fetches.

A page that this run has fetched existed a moment ago. A page read earlier may be gone, or its site may not respond: its
result is then replaced by the next one. If no site responds at all, the network is down, and no result is replaced. If
the run may not use the web, no site is contacted, and results open the saved copies.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from uuid import UUID

from research.engine.pipeline_registry import ChildStep, StepDraft, StepResult, StepWork
from research.fetching.fetched_page_content import FetchError
from research.fetching.get_web_page import acquire
from research.models import AgentRole, Source, Step, StepStatus
from research.pipelines.report.report_step_names import ReportStepName as ReportWork
from research.pipelines.technical.answer.technical_answer import LinkState, StoredResult
from research.pipelines.technical.technical_config import OVER_FETCH
from research.pipelines.technical.technical_results import address_of
from research.pipelines.technical.technical_step_names import TechnicalStepName
from research.storage.object_store import ObjectError

CHECKED = 10  # number of results whose links are checked, so that none of them is dead
DEAD = frozenset({"PAGE_NOT_FOUND"})


def link_drafts(results: Sequence[StoredResult], run_id: UUID) -> Iterator[StepDraft]:
    """Yield link checks for the first results and for those that would replace them. Needs the tenant set."""
    first = [result.source for result in results[: OVER_FETCH * CHECKED]]
    fetched = find_fetched_sources(run_id)
    for source in Source.objects.filter(pk__in=first).order_by("created_at", "id"):
        address = address_of(source)
        if address.startswith(("http://", "https://")) and str(source.pk) not in fetched:
            yield StepDraft(
                f"link.{source.pk}",
                TechnicalStepName.CHECK_LINK,
                AgentRole.VERIFIER,
                input={"source": str(source.pk), "url": address},
                tool_name="browse",
            )


def find_fetched_sources(run_id: UUID) -> frozenset[str]:
    """Return the sources whose pages the site sent in this run, or reported as unchanged. Needs the tenant set."""
    steps = Step.objects.filter(run_id=run_id, handler=ReportWork.READ_PAGE, status=StepStatus.COMPLETED)
    asked = steps.filter(output__how__in=("fetched", "unchanged", "rendered"))
    return frozenset(asked.values_list("input__source", flat=True))


async def check_link(work: StepWork) -> StepResult:
    """Check one link by a request to the server, however new the saved copy is. The step succeeds with any outcome."""
    url = str(work.input["url"])
    try:
        await acquire(work.tenant_id, str(work.run_id), url, timedelta(0))
    except FetchError as error:
        return StepResult({"state": state_of(error), "code": error.code, "note": error.message})
    except ObjectError as error:
        return StepResult({"state": "unknown", "note": str(error)})
    return StepResult({"state": "alive"}, activity=f"Checking whether {url} is still online"[:300])


def state_of(error: FetchError) -> str:
    """Return the state of a link after an error. A site that refuses robots or asks for a pause proves nothing."""
    if error.code in DEAD:
        return "dead"
    return "silent" if error.is_retryable and error.retry_after_s is None else "unknown"


def with_links(
    results: Iterable[StoredResult], looks: Iterable[ChildStep], fetched: frozenset[str]
) -> list[StoredResult]:
    """Return the results with the states of their links."""
    links = {
        str(look.input["source"]): look.output
        for look in looks
        if look.handler == TechnicalStepName.CHECK_LINK
    }
    some_answer = bool(fetched) or any(output.get("state") != "silent" for output in links.values())
    marked = []
    for result in results:
        output = links.get(str(result.source), {"state": "alive"} if str(result.source) in fetched else {})
        link = _link(str(output.get("state", "")), some_answer=some_answer)
        marked.append(result.model_copy(update={"link": link, "note": str(output.get("note", ""))}))
    return marked


def _link(state: str, *, some_answer: bool) -> LinkState:
    if state == "alive":
        return "alive"
    return "dead" if state == "dead" or (state == "silent" and some_answer) else "saved"
