"""Before a deep report is written, its writers and a verifier ask for what they lack: once, by researchers."""

from collections.abc import Iterator

import pytest

from citations.models import Citation, Warning
from research.accounts.people import PersonalAccount
from research.agents.tools.evidence.tool_source_handles import page_handle
from research.db.tenancy import tenant_context
from research.models import Kind, Run, Source, Step
from research.pipelines.pipeline_in_foreground import ask
from tests.fakes.openai_answers import Behaviour, Request, Wire, answer, tool_calls
from tests.fetching.site import Site
from tests.pipelines.model_world import model_world
from tests.pipelines.test_delegating import CONFIG, FINDINGS, REST, STEP, Team
from tests.pipelines.test_floor import TWO_PARTS
from tests.pipelines.test_web_report import article
from tests.pipelines.web_world import serve_search

LISTED = article(
    "Heat pumps in listed houses",
    "In a listed house the subsidy covers 45 percent of the cost of a heat pump. The office pays it within a year.",
    "Owners of such houses ask the office first, and few of them had to wait for longer than a month for its answer.",
)
WANTED = "subsidy cost heat pump listed house"


class Requesting(Team):
    """Its writers lack a page on listed houses; its researchers find that page, and nothing else."""

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self.wanted = [WANTED]

    def __call__(self, request: Request) -> Wire:
        """The orchestrator passes on what was asked for."""
        self.steps = [STEP | REST | {"description": WANTED if WANTED in request.text else "Costs."}]
        return super().__call__(request)

    def request(self, request: Request) -> Behaviour:
        return answer(FINDINGS | {"gaps": self.wanted if "Prepare the section" in request.text else []})

    def agent(self, request: Request) -> Behaviour:
        if f"Your task: Find costs. {WANTED}" not in request.text:
            asks = "Your task: Prepare" in request.text or "Your task: Find further" in request.text
            return self.request(request) if asks else answer(FINDINGS)
        page = page_handle(f"{self.site.base}/listed")
        turns = [
            tool_calls(("search", {"queries": ["subsidy for listed houses"]})),
            tool_calls(("browse", {"url": page})),
            tool_calls(("store", {"source": page, "chunks": [0]})),
            answer(FINDINGS | {"excerpts": [{"source": page, "quote": "covers 45 percent of the cost"}]}),
        ]
        return turns[sum(message["role"] == "assistant" for message in request.body["messages"])]


def search_pages(query: str, page: int) -> list[str]:
    if page > 1:
        return []
    return ["listed"] if query == "subsidy for listed houses" else ["guide", "trial"]


@pytest.fixture(scope="module")
def team(module_database: None, valkey_url: str) -> Iterator[tuple[Requesting, object]]:
    with model_world(valkey_url) as server, serve_search(search_pages, listed=LISTED) as site:
        server.default = Requesting(site)
        yield server.default, server


def run_question(account: PersonalAccount, **config: object) -> Run:
    document = ask(account, Kind.REPORT, TWO_PARTS, CONFIG | {"depth": "comprehensive"} | config)
    with tenant_context(account.tenant_id):
        return Run.objects.get(pk=document.run_id)


@pytest.fixture(scope="module")
def run(account: PersonalAccount, team) -> Run:
    return run_question(account)


@pytest.fixture
def rows(run: Run, account: PersonalAccount) -> Iterator[None]:
    with tenant_context(account.tenant_id):
        yield


def tasks(run: Run) -> list[tuple[str, str]]:
    of_run = Step.objects.filter(run=run, handler="report.task").order_by("step_index")
    return list(of_run.values_list("agent_role", "status"))


def test_each_section_is_a_writers_task_and_its_thin_claims_a_verifiers(run, rows):
    assert ("writer", "completed") in tasks(run)
    assert tasks(run).count(("verifier", "completed")) == 1
    assert Step.objects.filter(run=run, handler="report.request").count() == 1


def test_what_a_writer_lacks_is_found_by_a_researcher_and_cited_in_the_report(run, rows):
    source = Source.objects.get(run=run, url__endswith="/listed")
    cited = Citation.objects.filter(claim__section__run=run, source=source).values_list("quote", flat=True)
    assert any("covers 45 percent of the cost" in quote for quote in cited)
    assert run.state == "completed"


def test_the_analysis_is_repeated_once_and_nobody_asks_again(run, rows):
    assert Step.objects.filter(run=run, handler="report.merge", status="completed").count() == 2
    assert not Warning.objects.filter(run=run, text=WANTED).exists()


def test_agents_that_lack_nothing_send_nobody_out(account, team):
    requesting, _server = team
    requesting.wanted = []
    try:
        run = run_question(account)
    finally:
        requesting.wanted = [WANTED]
    with tenant_context(account.tenant_id):
        assert Step.objects.filter(run=run, handler="report.request").count() == 1
        [looked] = Step.objects.filter(run=run, handler="report.look_again").values_list("output", flat=True)
        assert [part["part"] for part in looked["parts"]] == ["The costs"]  # the plan's own, without a claim


def test_a_writer_that_cites_finds_its_tool(account, team):
    _requesting, server = team
    offered = [
        {tool["function"]["name"] for tool in request.body.get("tools", ())}
        for request in server.requests
        if "Prepare the section" in request.text
    ]
    assert offered
    assert all(names == {"retrieve", "cite", "workspace"} for names in offered)
