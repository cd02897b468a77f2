"""A deep report whose writer says more than its sources, and researchers who find the page that says so."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from citations.models import Claim
from research.agents.tools.evidence.tool_source_handles import page_handle
from research.db.tenancy import tenant_context
from research.models import Run, Step
from research.pipelines.report.synthesizing import compose_report_section
from tests.fakes.openai_answers import Behaviour, Request, Wire, answer, tool_calls
from tests.fetching.site import Site
from tests.pipelines.model_world import model_world
from tests.pipelines.scribe import scribe
from tests.pipelines.scribe import section as scribe_section
from tests.pipelines.test_delegating import CONFIG, FINDINGS, Team
from tests.pipelines.test_model_report import WEAK
from tests.pipelines.test_web_report import ANSWER, article
from tests.pipelines.web_world import serve_search

DEEP = CONFIG | {"depth": "comprehensive"}
LABORATORY = article(
    "How the factor is measured",
    f"{WEAK} The laboratory is named by the office that pays the subsidy for a heat pump.",
    "A season is the time from October to April, and the laboratory reads its meters once a day.",
)
TASK = "Your task: Find sources that bear out a claim"
PARTLY = {"verdict": "partly", "quote": "", "reason": "No laboratory is named."}
REFUSED = PARTLY | {"verdict": "not_supported"}


def weaken(request: Request) -> dict:
    """Says more than the guide does, until told not to."""
    drafted = scribe_section(request)
    for one in drafted["paragraphs"][0]["sentences"]:
        if one["text"] == ANSWER and "An earlier version" not in request.text:
            one["text"] = WEAK
    return drafted


class Seeking(Team):
    """Its writer says more than the sources; its researchers find the page that says so, once they are asked for it.

    `requests` and `searches` hold what it was asked, and what was searched for.
    """

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self.scribe = scribe(section=weaken, opinion=lambda request: self.opinion)
        self.opinion, self.finds = PARTLY, True
        self.requests: list[Request] = []
        self.searches: list[str] = []

    def __call__(self, request: Request) -> Wire:
        self.requests.append(request)
        return super().__call__(request)

    def agent(self, request: Request) -> Behaviour:
        if TASK not in request.text or not self.finds:
            return answer(FINDINGS)
        page = page_handle(f"{self.site.base}/laboratory")
        turns = [
            tool_calls(("search", {"queries": ["season measured by a laboratory"]})),
            tool_calls(("browse", {"url": page})),
            tool_calls(("store", {"source": page, "chunks": [0]})),
            answer(FINDINGS | {"excerpts": [{"source": page, "quote": WEAK}]}),
        ]
        return turns[sum(message["role"] == "assistant" for message in request.body["messages"])]

    def find(self, query: str, page: int) -> list[str]:
        self.searches.append(query)
        if page > 1:
            return []
        return ["laboratory"] if query == "season measured by a laboratory" else ["guide", "trial"]


@contextmanager
def seeking_team(valkey_url: str) -> Iterator[Seeking]:
    with (
        model_world(valkey_url) as server,
        serve_search(lambda query, page: team.find(query, page), laboratory=LABORATORY) as site,
        pytest.MonkeyPatch.context() as patch,
    ):
        let_the_writer_pass(patch)
        server.default = team = Seeking(site)
        yield team


def let_the_writer_pass(patch: pytest.MonkeyPatch) -> None:
    """Let the writer's own check pass everything, so that the report's check has something to find."""
    patch.setattr(compose_report_section, "restates", lambda claim, windows, text: True)


def exits(run: Run) -> list[str]:
    with tenant_context(run.tenant_id):
        left = Step.objects.filter(run=run, handler="state.verifying").order_by("step_index")
        return list(left.values_list("output__exit", flat=True))


def texts(run: Run) -> list[str]:
    with tenant_context(run.tenant_id):
        return list(Claim.objects.filter(section__run=run).values_list("text", flat=True))
