"""A further round with a model: the orchestrator gives out work, a researcher finds and keeps a page, which is read."""

import re
from collections.abc import Iterator

import pytest

from citations.models import Citation, Warning
from exports.building.build_document_method import load_search_history
from research.accounts.people import PersonalAccount
from research.agents.tools.evidence.tool_source_handles import page_handle
from research.db.tenancy import tenant_context
from research.models import Kind, Run, Source, Step
from research.pipelines.pipeline_in_foreground import ask
from tests.fakes.openai_answers import Behaviour, Request, Wire, answer, refusal, tool_calls
from tests.fetching.site import Site
from tests.pipelines.model_world import model_world
from tests.pipelines.scribe import get_form_name, scribe
from tests.pipelines.test_web_report import article
from tests.pipelines.web_world import serve_search

COSTS = article(
    "What drilling costs",
    "Each installation in the field trial cost 14,200 euros on average, and drilling was a third of that sum.",
    "The subsidy covered a quarter of the cost of a heat pump, and was paid out within a year of the claim.",
)
VAIN = article(
    "A page about gardens",
    "Tomatoes want six hours of sun a day, and water in the morning alone, which is what most gardeners forget.",
    "Beans come up within a week when the soil is warm, and they want little more than a stick to climb on.",
)
ASKED = "What did each heat pump installation cost in the field trial?"
STEP = {"id": "step_1", "title": "Find costs", "role": "researcher", "inputs": []}
COMPARED = {
    "id": "step_2",
    "title": "Compare the costs",
    "role": "analyzer",
    "inputs": [{"name": "found", "value": "{{step_1.output.excerpts}}"}],
}
REST = {"depends_on": [], "description": "", "expected_output": "", "fallback": "", "parallel_safe": True}
CONFIG = {"sources": "web", "target_sources": 6, "fresh_pages": True, "reviews": "never"}
FINDINGS = {"data_points": [], "insights": [], "gaps": [], "excerpts": [], "method": "Read it."}


def value(field: str, value: str, source: str) -> dict[str, object]:
    return {"field": field, "value": value, "reason": "", "confidence": 0.8, "sources": [source]}


class Team:
    """A model that plans as the scribe does; its researcher searches, reads two pages and keeps one."""

    def __init__(self, site: Site) -> None:
        self.site, self.steps = site, [STEP | REST, COMPARED | REST]
        self.scribe = scribe()

    def __call__(self, request: Request) -> Wire:
        if request.body.get("tools") or get_form_name(request) == "Findings":
            return self.agent(request)(request)
        if get_form_name(request) == "AgentPlan":
            return (answer({"steps": self.steps}) if self.steps else refusal())(request)
        return self.scribe(request)

    def agent(self, request: Request) -> Behaviour:
        if "Your task: Compare the costs" in request.text:
            return answer(FINDINGS | {"gaps": ["What repairs cost."]})
        if re.search("Your task: (Prepare|Find further)", request.text):
            return self.request(request)
        page, other = (page_handle(f"{self.site.base}/{name}") for name in ("costs", "gardens"))
        turns = [
            tool_calls(("search", {"queries": ["price of drilling"]})),
            tool_calls(("browse", {"url": page}), ("browse", {"url": other})),
            tool_calls(("store", {"source": page, "chunks": [0]})),
            answer(
                FINDINGS
                | {"excerpts": [{"source": page, "quote": "14,200 euros", "credibility": 7}]}
                | {
                    "data_points": [
                        value("share of drilling", "a third", page),
                        value("repairs", "900 euros", page),
                    ]
                }
            ),
        ]
        said = [one for one in request.body["messages"] if one["role"] == "assistant"]
        return turns[len(said)]

    def request(self, request: Request) -> Behaviour:
        """What a writer or a verifier lacks before a deep report is written."""
        return answer(FINDINGS)


def search_pages(query: str, page: int) -> list[str]:
    """Return pages: one of the trial by the searches of the plan, the others by the researcher's own words."""
    if page > 1:
        return []
    return ["costs", "gardens"] if "price" in query else ["trial"]


@pytest.fixture(scope="module")
def world(module_database: None, valkey_url: str) -> Iterator[tuple[Team, object]]:
    with model_world(valkey_url) as server, serve_search(search_pages, costs=COSTS, gardens=VAIN) as site:
        team = Team(site)
        server.default = team
        yield team, server


@pytest.fixture(scope="module")
def run(account: PersonalAccount, world) -> Run:
    document = ask(account, Kind.REPORT, ASKED, CONFIG)
    with tenant_context(account.tenant_id):
        return Run.objects.get(pk=document.run_id)


@pytest.fixture
def rows(run: Run, account: PersonalAccount) -> Iterator[None]:
    with tenant_context(account.tenant_id):
        yield


def outputs(run: Run, handler: str) -> list[dict]:
    return list(
        Step.objects.filter(run=run, handler=handler).order_by("step_index").values_list("output", flat=True)
    )


def test_the_work_is_given_out_once_and_each_task_is_a_step_of_its_role(run, rows):
    assert [output["tasks"] for output in outputs(run, "report.delegate")] == [2]
    tasks = Step.objects.filter(run=run, handler="report.task").order_by("step_index")
    assert [(task.agent_role, task.agent_id, task.status) for task in tasks] == [
        ("researcher", "researcher-step_1", "completed"),
        ("analyzer", "analyzer-step_2", "completed"),
    ]
    assert tasks[1].key.startswith(tasks[0].key.partition("/")[0])  # in the same visit, in the wave after


def test_what_a_researcher_kept_is_read_and_its_claims_stand_in_the_report(run, rows):
    source = Source.objects.get(run=run, url__endswith="/costs")
    assert (source.status, source.subtopic) == ("processed", "The limits")
    assert [output["kept"] for output in outputs(run, "report.gather")] == [1, 0]
    quotes = Citation.objects.filter(claim__section__run=run, source=source).values_list("quote", flat=True)
    assert any("14,200 euros" in quote for quote in quotes)
    assert run.state == "completed"


def test_what_an_agent_found_is_looked_up_in_its_source_as_any_note_is(run, rows):
    source = Source.objects.get(run=run, url__endswith="/costs")
    [given] = Step.objects.filter(run=run, handler="report.admit", key__contains="/found.")
    assert given.input["source"] == str(source.pk)
    [admitted] = given.output["admission"]["admitted"]
    assert admitted["text"].startswith("Each installation in the field trial cost 14,200 euros")


def test_what_an_agent_found_and_its_source_does_not_say_is_listed(run, rows):
    assert [one["text"] for one in outputs(run, "report.gather")[0]["dropped"]] == ["repairs: 900 euros"]
    assert "repairs: 900 euros" in [left["text"] for left in run.result["left_out"]]


def test_a_page_that_was_read_in_vain_is_set_aside_and_says_so(run, rows):
    vain = Source.objects.get(run=run, url__endswith="/gardens")
    assert (vain.status, vain.error_message) == ("excluded", "An agent read it and kept nothing of it.")


def test_the_report_names_what_agents_searched_for(run, rows):
    assert "price of drilling" in load_search_history(run.pk, []).queries


def test_what_agents_say_is_missing_is_shown_as_proposed(run, rows):
    [gap] = Warning.objects.filter(run=run, computed=False)
    assert (gap.code, gap.text) == ("G049", "What repairs cost.")


def test_the_analyzer_was_given_the_researcher_s_words_as_data(run, world):
    _team, server = world
    [told] = [request for request in server.requests if "Your task: Compare the costs" in request.text]
    assert "14,200 euros" in told.body["messages"][1]["content"].split("<source-text-")[1]


def test_an_orchestrator_that_fails_leaves_the_round_to_its_searches(account, world):
    team, _server = world
    before, team.steps = team.steps, []
    try:
        document = ask(account, Kind.REPORT, ASKED, CONFIG)
    finally:
        team.steps = before
    with tenant_context(account.tenant_id):
        given = Step.objects.filter(run=document.run_id, handler="report.delegate")
        said = {(step.output["tasks"], step.output["fallback"]["code"]) for step in given}
        assert said == {(0, "LLM_REFUSED")}
        assert not Step.objects.filter(run=document.run_id, handler="report.task").exists()
        assert Run.objects.get(pk=document.run_id).is_finished
