"""What rules find for a task whose agent's model failed."""

import asyncio

import pytest

from research.agents.agent_delegation import Delegation, carry_out
from research.agents.agent_delegation_plan import PlannedStep
from research.agents.agent_findings_by_rules import METHOD, find_by_rules
from research.agents.agent_roles import tools_of
from research.agents.agent_toolbox import ToolCaller
from research.agents.tools.tool_catalogue import catalogue
from research.db.tenancy import tenant_context
from research.models import AgentMessage, AgentRole, Chunk, MessageStatus
from tests.tools.conftest import HEAT, account, hand, library, make_hand, module_database

__all__ = ["account", "hand", "library", "make_hand", "module_database"]  # fixtures


def find(hand, role=AgentRole.RESEARCHER, task=HEAT):
    return asyncio.run(find_by_rules(ToolCaller(role, hand, "a" * 32), tools_of(role, catalogue()), task))


def list_used_tools(hand):
    with tenant_context(hand.tenant_id):
        rows = AgentMessage.objects.filter(step_id=hand.step_id).order_by("key")
        return {(row.key.split(".")[1], row.recipient, row.status) for row in rows}


def test_rules_keep_documents_and_quote_their_nearest_sentences(hand):
    found = find(hand)
    assert found.method == METHOD
    assert found.excerpts
    assert "performance" in found.excerpts[0].quote
    with tenant_context(hand.tenant_id):
        texts = list(Chunk.objects.filter(run_id=hand.run_id).values_list("text", flat=True))
    assert all(any(excerpt.quote in text for text in texts) for excerpt in found.excerpts)


def test_rules_tools_are_recorded_as_an_agents_are(hand):
    find(hand)
    assert list_used_tools(hand) == {
        ("search", "tool:search", MessageStatus.COMPLETED),
        ("store", "tool:store", MessageStatus.COMPLETED),
        ("retrieve", "tool:retrieve", MessageStatus.COMPLETED),
    }


def test_rules_do_nothing_twice_when_the_step_is_repeated(hand):
    first = find(hand)
    used = list_used_tools(hand)
    assert (find(hand), list_used_tools(hand)) == (first, used)


@pytest.mark.parametrize("role", [AgentRole.EXTRACTOR, AgentRole.EXECUTOR])
def test_role_without_search_and_sources_finds_nothing(hand, role):
    assert find(hand, role).excerpts == []


def test_agent_without_a_model_ends_with_what_rules_find_and_says_why(hand):
    delegation = Delegation(hand, "Compare heat pumps.", catalogue(), "b" * 32)
    step = PlannedStep(id="a", title=HEAT, role=AgentRole.RESEARCHER)
    done = asyncio.run(carry_out(delegation, step, {}))
    assert (done.error_code, bool(done.error_message)) == ("LLM_NOT_CONFIGURED", True)
    assert done.output["excerpts"]
    with tenant_context(hand.tenant_id):
        message = AgentMessage.objects.get(step_id=hand.step_id, key="task.a")
    assert (message.status, message.result) == (MessageStatus.FAILED, done.output)
