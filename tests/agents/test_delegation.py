"""A plan carried out by agents, against a real gateway and a generated or scripted server."""

import asyncio
import json
import threading

import pytest
from django.db.models import F

from research.agents.delegation import TASK_PROMPTS, Delegation, carry_out
from research.agents.findings import DataPoint, Excerpt, Findings, checked
from research.agents.plan import DELEGABLE, PlannedStep
from research.llm.errors import ModelError
from research.models import AgentRole, Budget, Content, MessageStatus, Source
from research.tenancy import tenant_context
from research.tools.catalogue import catalogue
from tests.agents.counting import messages
from tests.agents.test_plan import planned
from tests.fakes.openai_answers import Behaviour, Request, answer, error, held, invented, refusal
from tests.tools.conftest import limits

TEXT = "Each installation cost 14,200 euros on average, drilling included."


def findings(**given: object) -> dict:
    return Findings.model_validate({"method": "Looked it up.", **given}).model_dump()


def by_title(**answers: Behaviour) -> Behaviour:
    """Answers by the title of the task that is asked for."""

    def behave(request: Request):
        title = request.body["messages"][1]["content"].split("Your task: ")[1].split(".")[0]
        return answers[title](request)

    return behave


def a_delegation(step, sender: AgentRole = AgentRole.ORCHESTRATOR) -> Delegation:
    return Delegation(step, "Compare heat pumps.", catalogue(), "b" * 32, sender)


def carried(step, *steps: PlannedStep, sender: AgentRole = AgentRole.ORCHESTRATOR):
    return asyncio.run(carry_out(a_delegation(step, sender), steps))


@pytest.fixture
def source(step) -> str:
    with tenant_context(step.tenant_id):
        content = Content.objects.create(
            raw_sha256="r", extractor="test 1", sha256="t", text=TEXT, media_type="text/plain"
        )
        row = Source.objects.create(run_id=step.run_id, content=content, canonical_url="a")
    return f"src-{row.pk.hex[-12:]}"


def test_every_role_that_gets_a_task_has_a_prompt():
    assert set(TASK_PROMPTS) == DELEGABLE


def test_later_steps_get_what_earlier_ones_found_as_data(gateway, step):
    gateway.default = by_title(a=answer(findings(insights=["Pumps cost less."])), b=answer(findings()))
    carried(step, planned("a"), planned("b", value="Known: {{a.output.insights}}", role="analyzer"))
    told = gateway.requests[-1].body["messages"][1]["content"]
    assert '["Pumps cost less."]' in told.split("<source-text-")[1]


def watched(gateway, gate, count, step, *steps: PlannedStep):
    """The plan is carried out; the gate is opened when so many requests have come."""

    async def work():
        working = asyncio.create_task(carry_out(a_delegation(step), steps))
        await asyncio.to_thread(gateway.wait_for_requests, count)
        gate.set()
        return await working

    return asyncio.run(work())


def test_steps_that_can_be_done_at_once_are(gateway, step):
    gate = threading.Event()
    gateway.default = held(gate, answer(findings()))
    watched(gateway, gate, 3, step, *map(planned, "abc"))  # all are asked before any is answered
    assert gateway.most_in_flight == 3


def test_a_step_waits_for_nobody_but_those_it_depends_on(gateway, step):
    gate = threading.Event()
    done = answer(findings())
    gateway.default = by_title(a=done, slow=held(gate, done), b=done)
    outcomes = watched(gateway, gate, 3, step, planned("slow"), planned("a"), planned("b", "a"))
    assert sorted(outcomes) == ["a", "b", "slow"]


def test_a_step_that_is_not_parallel_safe_is_done_alone(gateway, step):
    gateway.default, gateway.latency_s = answer(findings()), 0.01
    done = carried(step, planned("a", safe=False), planned("b"), planned("c", safe=False))
    assert (gateway.most_in_flight, sorted(done)) == (1, ["a", "b", "c"])


def test_no_more_agents_work_at_once_than_the_limit(gateway, step):
    gate = threading.Event()
    gateway.default = held(gate, answer(findings()))
    with limits(agents=2):
        done = watched(gateway, gate, 2, step, *map(planned, "abcd"))
    assert (gateway.most_in_flight, sorted(done)) == (2, ["a", "b", "c", "d"])


def test_each_task_is_a_message_with_its_result(gateway, step):
    gateway.default = answer(findings(insights=["x"]))
    carried(step, planned("a"))
    message = messages(step)["task.a"]
    assert (message.sender, message.recipient, message.trace_id) == ("orchestrator", "researcher", "b" * 32)
    assert (message.status, message.result["insights"]) == (MessageStatus.COMPLETED, ["x"])
    assert message.payload["constraints"] == {"time_limit_s": 300, "iterations": 20}


def test_an_agent_that_fails_leaves_the_others_their_work(gateway, step):
    gateway.default = by_title(a=refusal(), b=answer(findings()), c=answer(findings()))
    done = carried(step, planned("a"), planned("b"), planned("c", value="{{a.output}}"))
    assert (done["a"].error_code, done["b"].error_code, done["c"].error_code) == ("LLM_REFUSED", "", "")
    [told] = [one.text for one in gateway.requests if "Your task: c." in one.text]
    assert "(not available)" in told


def test_what_is_missing_makes_a_result_partial(gateway, step):
    gateway.default = answer(findings(gaps=["No costs of repairs."]))
    carried(step, planned("a"))
    assert messages(step)["task.a"].status == MessageStatus.PARTIAL


def test_what_the_database_cannot_keep_is_left_out_of_a_result(gateway, step):
    gateway.default = answer(findings(insights=["Pumps\0 cost less."]))
    done = carried(step, planned("a"))
    assert done["a"].output["insights"] == messages(step)["task.a"].result["insights"] == ["Pumps cost less."]


def test_a_plan_that_is_carried_out_again_pays_nothing_twice(gateway, step):
    gateway.default = by_title(a=answer(findings(insights=["x"])), b=error(500))
    first = carried(step, planned("a"), planned("b", "a"))
    gateway.default = by_title(b=answer(findings()))
    again = carried(step.again(), planned("a"), planned("b", "a"))
    assert (first["b"].error_code, again["b"].error_code) == ("LLM_UNAVAILABLE", "")
    assert (again["a"].output, gateway.paid) == (first["a"].output, 2)


def test_only_the_orchestrator_delegates(gateway, step):
    with pytest.raises(ValueError, match="gives no task"):
        carried(step, planned("a"), sender=AgentRole.RESEARCHER)


def test_a_spent_budget_ends_the_whole(gateway, step):
    gateway.default = answer(findings())
    carried(step, planned("a"))
    with tenant_context(step.tenant_id):
        Budget.objects.filter(run_id=step.run_id).update(limit_tokens_input=F("spent_tokens_input") + 1)
    with pytest.raises(ModelError) as caught:
        carried(step, planned("b"))
    assert caught.value.code == "BUDGET_EXCEEDED_TOKENS"


# --- findings ---


def test_what_stands_in_a_source_is_kept(step, source):
    excerpt = Excerpt(source=source, quote="Each installation cost 14,200 euros", credibility=7)
    point = DataPoint(field="cost", value="14,200 euros", confidence=0.9, sources=[source])
    with tenant_context(step.tenant_id):
        result = checked(Findings(excerpts=[excerpt], data_points=[point]), step.run_id)
    assert (result.findings.excerpts, result.findings.data_points) == ([excerpt], [point])


def test_quotes_and_sources_that_were_made_up_are_taken_out(step, source):
    given = Findings(
        excerpts=[
            Excerpt(source=source, quote="Nobody has ever written this sentence.", credibility=None),
            Excerpt(source="src-ffffffffffff", quote="Each installation cost 14,200 euros", credibility=None),
            Excerpt(source="https://invented.example", quote=TEXT, credibility=None),
        ],
        data_points=[DataPoint(field="cost", value="1 euro", confidence=1.0, sources=["src-ffffffffffff"])],
    )
    with tenant_context(step.tenant_id):
        result = checked(given, step.run_id)
    assert (result.findings.excerpts, result.unknown_sources, result.unfound_quotes) == ([], 2, 1)
    [point] = result.findings.data_points
    assert (point.value, point.sources, bool(point.reason)) == (None, [], True)


def test_nothing_that_a_lying_model_says_gets_through(gateway, step, source):
    gateway.default = invented()
    carried(step, *(planned(name) for name in "abcdef"))
    kept = json.dumps([row.result for key, row in messages(step).items() if key.startswith("task.")])
    assert "invented.example" not in kept
    assert "src-999999" not in kept
    assert "Nobody has ever written" not in kept
