"""A planner that does not understand the question asks back, and the run waits for its owner's answer."""

from collections.abc import Iterator

import pytest

from research.models import Escalation, PlanVersion, ReviewAct, State
from research.models.schemas import Plan
from tests.fakes.openai_server import FakeOpenAI
from tests.pipelines.conftest import QUESTION
from tests.pipelines.model_world import model_world
from tests.pipelines.review_world import Asked, ask_people
from tests.pipelines.scribe import get_form_name, plan, scribe

UNCLEAR = "Do you mean homes or offices?"
ANSWER = "Homes, and no offices."


def plan_of_one_who_asks(request) -> dict:
    """Until it has been answered."""
    return {**plan(request), "questions": [] if ANSWER in request.text else [UNCLEAR]}


@pytest.fixture(scope="module")
def model(library: str, valkey_url: str) -> Iterator[FakeOpenAI]:
    with model_world(valkey_url) as server:
        server.default = scribe(plan=plan_of_one_who_asks)
        yield server


@pytest.fixture
def open_question(model: FakeOpenAI, account, library: str) -> Asked:
    return ask_people(account, QUESTION, folders=[library], target_sources=2)


def plans(asked: Asked) -> list[Plan]:
    with asked.rows():
        rows = PlanVersion.objects.filter(run=asked.run_id).order_by("number")
        return [Plan.model_validate(row.plan) for row in rows]


def test_the_run_waits_with_the_planners_question(open_question):
    assert open_question.run.state == State.HUMAN_REVIEW_PLAN
    assert (open_question.question.rule, open_question.question.type, open_question.question.fallback) == (
        "plan_clarification", "blocking", "fail",
    )  # fmt: skip
    assert [item.reason for item in open_question.items] == [UNCLEAR]


def test_the_answer_goes_to_the_planner_who_asks_no_more(open_question, model):
    open_question.decide_whole(ReviewAct.REPLAN, note=ANSWER)
    assert open_question.drive() == State.COMPLETED
    told = [
        request.text
        for request in model.requests
        if get_form_name(request) == "PlanAnswer" and ANSWER in request.text
    ]
    assert len(told) == 1
    assert [one.clarification_questions for one in plans(open_question)] == [[UNCLEAR], []]
    with open_question.rows():
        assert Escalation.objects.filter(run=open_question.run_id, rule="plan_clarification").count() == 1


def test_a_plan_that_is_accepted_as_it_is_is_carried_out(open_question):
    open_question.decide_whole(ReviewAct.ACCEPT)
    assert open_question.drive() == State.COMPLETED
    assert open_question.document.claims


def test_without_an_answer_the_run_ends(open_question):
    open_question.let_it_expire()
    assert open_question.run.state == State.FAILED


def test_a_run_that_asks_nobody_goes_on(model, account, library):
    asked = ask_people(account, QUESTION, folders=[library], target_sources=2, reviews="never")
    assert asked.run.state == State.COMPLETED
    assert plans(asked)[0].clarification_questions == [UNCLEAR]
