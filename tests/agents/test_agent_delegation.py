"""A step of a plan, carried out by an agent against a real gateway and a generated or scripted server."""

import asyncio
import json

import pytest
from django.db.models import F

from research.agents.agent_delegation import TASK_PROMPTS, Delegation, carry_out
from research.agents.agent_delegation_plan import DELEGABLE, PlannedStep
from research.agents.agent_findings import DataPoint, Excerpt, Findings, check_findings
from research.agents.tools.tool_catalogue import catalogue
from research.db.tenancy import tenant_context
from research.llm.model_errors import ModelError
from research.models import AgentRole, Budget, Content, MessageStatus, Source
from tests.agents.counting import messages
from tests.agents.test_plan import make_step
from tests.fakes.openai_answers import answer, error, invent_sources, refusal, tool_calls

TEXT = "Each installation cost 14,200 euros on average, drilling included."


def findings(**given: object) -> dict:
    return Findings.model_validate({"method": "Looked it up.", **given}).model_dump()


def a_delegation(step, sender: AgentRole = AgentRole.ORCHESTRATOR) -> Delegation:
    return Delegation(step, "Compare heat pumps.", catalogue(), "b" * 32, sender)


def carry_out_step(step, one: PlannedStep, sender: AgentRole = AgentRole.ORCHESTRATOR, **outputs: object):
    return asyncio.run(carry_out(a_delegation(step, sender), one, outputs))


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


def test_a_step_gets_what_earlier_ones_found_as_data(gateway, step):
    gateway.default = answer(findings())
    later = make_step("b", value="Known: {{a.output.insights}}", role="analyzer")
    carry_out_step(step, later, a={"insights": ["Pumps cost less."]})
    told = gateway.requests[-1].body["messages"][1]["content"]
    assert '["Pumps cost less."]' in told.split("<source-text-")[1]


def test_each_task_is_a_message_with_its_result(gateway, step):
    gateway.default = answer(findings(insights=["x"]))
    carry_out_step(step, make_step("a"))
    message = messages(step)["task.a"]
    assert (message.sender, message.recipient, message.trace_id) == ("orchestrator", "researcher", "b" * 32)
    assert (message.status, message.result["insights"]) == (MessageStatus.COMPLETED, ["x"])
    assert message.payload["constraints"] == {"time_limit_s": 300, "iterations": 20}


def test_an_agent_that_fails_is_told_of_in_its_outcome(gateway, step):
    gateway.default = refusal()
    done = carry_out_step(step, make_step("a"))
    assert (done.error_code, bool(done.error_message), done.output["excerpts"]) == ("LLM_REFUSED", True, [])


def test_what_is_missing_makes_a_result_partial(gateway, step):
    gateway.default = answer(findings(gaps=["No costs of repairs."]))
    carry_out_step(step, make_step("a"))
    assert messages(step)["task.a"].status == MessageStatus.PARTIAL


def test_what_the_database_cannot_keep_is_left_out_of_a_result(gateway, step):
    gateway.default = answer(findings(insights=["Pumps\0 cost less."]))
    done = carry_out_step(step, make_step("a"))
    assert done.output["insights"] == messages(step)["task.a"].result["insights"] == ["Pumps cost less."]


def test_a_step_that_is_carried_out_again_pays_nothing_twice(gateway, step):
    gateway.default = answer(findings(insights=["x"]))
    first = carry_out_step(step, make_step("a"))
    again = carry_out_step(step.again(), make_step("a"))
    assert (again.output, gateway.paid) == (first.output, 1)


def test_an_agent_that_failed_tries_again(gateway, step):
    gateway.default = error(500)
    first = carry_out_step(step, make_step("a"))
    gateway.default = answer(findings())
    again = carry_out_step(step.again(), make_step("a"))
    assert (first.error_code, again.error_code) == ("LLM_UNAVAILABLE", "")


def test_failure_that_may_pass_is_left_to_the_caller_and_the_agent_goes_on(gateway, step):
    gateway.script(tool_calls(("workspace", {"action": "read"})), error(503, "Loading model"))
    with pytest.raises(ModelError) as caught:
        asyncio.run(
            carry_out(a_delegation(step), make_step("a"), {}, is_tried_again=lambda error: error.is_retryable)
        )
    assert caught.value.code == "LLM_BUSY"
    gateway.default = answer(findings(insights=["x"]))
    done = carry_out_step(step.again(), make_step("a"))
    assert (done.error_code, done.output["insights"], gateway.paid) == ("", ["x"], 2)


def test_only_the_orchestrator_delegates(gateway, step):
    with pytest.raises(ValueError, match="gives no task"):
        carry_out_step(step, make_step("a"), sender=AgentRole.RESEARCHER)


def test_a_spent_budget_ends_the_whole(gateway, step):
    gateway.default = answer(findings())
    carry_out_step(step, make_step("a"))
    with tenant_context(step.tenant_id):
        Budget.objects.filter(run_id=step.run_id).update(limit_tokens_input=F("spent_tokens_input") + 1)
    with pytest.raises(ModelError) as caught:
        carry_out_step(step, make_step("b"))
    assert caught.value.code == "BUDGET_EXCEEDED_TOKENS"


# --- findings ---


def test_what_stands_in_a_source_is_kept(step, source):
    excerpt = Excerpt(source=source, quote="Each installation cost 14,200 euros", credibility=7)
    point = DataPoint(field="cost", value="14,200 euros", confidence=0.9, sources=[source])
    with tenant_context(step.tenant_id):
        result = check_findings(Findings(excerpts=[excerpt], data_points=[point]), step.run_id)
    assert (result.findings.excerpts, result.findings.data_points) == ([excerpt], [point])


def test_an_excerpt_that_leaves_words_out_is_given_whole(step, source):
    excerpt = Excerpt(
        source=source, quote="Each installation … on average, drilling included.", credibility=7
    )
    with tenant_context(step.tenant_id):
        result = check_findings(Findings(excerpts=[excerpt]), step.run_id)
    assert [found.quote for found in result.findings.excerpts] == [TEXT]


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
        result = check_findings(given, step.run_id)
    assert (result.findings.excerpts, result.unknown_sources, result.unfound_quotes) == ([], 2, 1)
    [point] = result.findings.data_points
    assert (point.value, point.sources, bool(point.reason)) == (None, [], True)


def test_nothing_that_a_lying_model_says_gets_through(gateway, step, source):
    gateway.default = invent_sources()
    for name in "abcdef":
        carry_out_step(step, make_step(name))
    kept = json.dumps([row.result for key, row in messages(step).items() if key.startswith("task.")])
    assert "invented.example" not in kept
    assert "src-999999" not in kept
    assert "Nobody has ever written" not in kept
