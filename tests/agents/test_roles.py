"""The table of roles: who may use and ask what."""

import pytest

from research.agents.agent_roles import ROLES, limits_of, may_ask, may_use, tools_of
from research.agents.tools.tool_catalogue import catalogue
from research.models import AgentRole


def test_every_role_is_in_the_table():
    assert set(ROLES) == set(AgentRole)


def test_the_tools_of_the_table_are_the_catalogue():
    assert set().union(*(spec.tools for spec in ROLES.values())) == set(catalogue())


@pytest.mark.parametrize("role", [AgentRole.PLANNER, AgentRole.ORCHESTRATOR])
def test_who_plans_reads_no_source(role: AgentRole):
    assert [tool.name for tool in tools_of(role, catalogue())] == ["workspace"]


@pytest.mark.parametrize("role", AgentRole)
def test_who_reads_pages_cannot_ask_others(role: AgentRole):
    asks = any(may_ask(role, other) for other in AgentRole)
    assert not (asks and may_use(role, "browse"))
    assert asks == (role == AgentRole.ORCHESTRATOR)


@pytest.mark.parametrize("role", AgentRole)
def test_no_agent_works_longer_than_a_step(role: AgentRole):
    assert limits_of(role).iterations <= 20
    assert limits_of(role).time_s <= 300


def test_the_executor_only_computes():
    assert {tool.name for tool in tools_of(AgentRole.EXECUTOR, catalogue())} == {
        "retrieve",
        "compute",
        "workspace",
    }
