"""The first round of a report with a model: divided among researchers where it pays, and short where it does not."""

from collections.abc import Iterator

import pytest
from django.test import Client

from research.accounts.people import PersonalAccount
from research.db.tenancy import tenant_context
from research.models import Kind, Run, Source, Step
from research.models.schemas import Division, Plan, Subtopic
from research.pipelines.pipeline_in_foreground import ask
from research.pipelines.report.delegating.divide_report_among_agents import divide_by_subtopic
from research.pipelines.report.delegating.first_report_round import choose_division
from research.pipelines.report.delegating.report_agent_task_waves import Wave
from research.pipelines.report.report_config import ReportConfig
from tests.pipelines.model_world import model_world
from tests.pipelines.test_delegating import CONFIG, COSTS, VAIN, Team, search_pages
from tests.pipelines.web_world import serve_search

SEVERAL = "How do heat pumps compare with gas boilers in the field trial?"
SIMPLE = "What did each heat pump installation cost in the field trial?"
LIMITS = Subtopic(name="Limits", queries=["limits"], target_sources=3)
COST = Subtopic(name="Costs", description="What owners pay.", queries=["price", "subsidy"], target_sources=4)


@pytest.mark.parametrize(
    ("topic", "depth", "subtopics", "division"),
    [
        (SEVERAL, "comprehensive", [LIMITS, COST], Division.DIVIDED),
        (SEVERAL, "exhaustive", [LIMITS, COST], Division.DIVIDED),
        (SEVERAL, "standard", [LIMITS, COST], Division.DEPTH),
        (SEVERAL, "quick", [LIMITS, COST], Division.DEPTH),
        (SIMPLE, "exhaustive", [LIMITS, COST], Division.SIMPLE),
        (SEVERAL, "exhaustive", [LIMITS], Division.SIMPLE),
    ],
)
def test_work_is_divided_where_depth_and_question_call_for_it(topic, depth, subtopics, division):
    plan = Plan(goal=topic, subtopics=subtopics)
    assert choose_division(plan, ReportConfig(depth=depth), topic) is division


def test_each_researcher_knows_its_subtopic_and_what_the_others_do():
    first, second = divide_by_subtopic([LIMITS, COST])
    assert (first.title, second.title) == ("Research Limits", "Research Costs")
    assert second.description == (
        "What owners pay. Look where plain searches for these words do not lead: price; subsidy."
        " Wanted are 4 good sources, also such as speak against it. Others research: Limits."
    )
    wave = Wave(goal="Compare.", steps=[first, second])
    assert [draft.key for draft in wave.drafts()] == ["delegate/step_1", "delegate/step_2"]


@pytest.fixture(scope="module")
def team(module_database: None, valkey_url: str) -> Iterator[None]:
    with model_world(valkey_url) as server, serve_search(search_pages, costs=COSTS, gardens=VAIN) as site:
        server.default = Team(site)
        yield


def browser_of(account: PersonalAccount) -> Client:
    client = Client()
    client.force_login(account.user)
    return client


def run_question(account: PersonalAccount, topic: str, depth: str) -> Run:
    document = ask(account, Kind.REPORT, topic, CONFIG | {"depth": depth})
    with tenant_context(account.tenant_id):
        return Run.objects.get(pk=document.run_id)


def test_a_deep_run_gives_each_subtopic_to_a_researcher_from_the_first_round(
    account: PersonalAccount, team: None
):
    run = run_question(account, SEVERAL, "comprehensive")
    with tenant_context(account.tenant_id):
        steps = Step.objects.filter(run=run)
        [first, *_] = steps.filter(handler="report.delegate").order_by("step_index")
        assert first.output["subtopics"] == ["The limits", "The costs"]
        visit = first.key.partition("/")[0]
        tasks = steps.filter(handler="report.task", key__startswith=f"{visit}/")
        assert [(task.agent_role, task.status) for task in tasks] == [("researcher", "completed")] * 2
        assert steps.filter(handler="report.web_search", key__startswith=f"{visit}/").exists()
        assert Source.objects.get(run=run, url__endswith="/costs").status == "processed"
    shown = browser_of(account).get(f"/runs/{run.pk}/plan/").content.decode()
    assert "The work is divided: 2 researchers work at the same time" in shown


def test_a_simple_question_takes_the_short_way_at_any_depth(account: PersonalAccount, team: None):
    run = run_question(account, SIMPLE, "exhaustive")
    with tenant_context(account.tenant_id):
        assert not Step.objects.filter(run=run, input__has_key="is_first_round").exists()
    shown = browser_of(account).get(f"/runs/{run.pk}/plan/").content.decode()
    assert "because the question asks one thing" in shown
