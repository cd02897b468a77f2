"""The agents' roles: which tools each may call, its limits, and to whom it may delegate.

The table follows agents-and-tools.md, Roles and delegation; every role may use `workspace`, which affects only the
run's notes.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from research.agents.tools.tool_interface import AnyTool
from research.models import AgentRole

MAX_ITERATIONS = 20
STEP_LIMIT_S = 300.0


@dataclass(frozen=True, slots=True)
class RoleLimits:
    """The limits of one agent. A conversation longer than `context_tokens` is brought to an end."""

    iterations: int = MAX_ITERATIONS
    time_s: float = STEP_LIMIT_S
    max_output_tokens: int = 4_000
    context_tokens: int = 60_000


@dataclass(frozen=True, slots=True)
class RoleSpec:
    """The tools, limits and delegations of a role.

    Its token limits for a whole run are settings: research.llm.budgets.budget_limits.
    """

    tools: frozenset[str]
    limits: RoleLimits
    delegates_to: frozenset[AgentRole] = frozenset()


def _spec(tools: str, limits: RoleLimits, delegates_to: frozenset[AgentRole] = frozenset()) -> RoleSpec:
    return RoleSpec(frozenset(tools.split()) | {"workspace"}, limits, delegates_to)


OTHERS = frozenset(AgentRole) - {AgentRole.ORCHESTRATOR}
ROLES: Mapping[AgentRole, RoleSpec] = {
    AgentRole.ORCHESTRATOR: _spec("", RoleLimits(), OTHERS),
    AgentRole.PLANNER: _spec("", RoleLimits(iterations=4, max_output_tokens=6_000)),
    AgentRole.RESEARCHER: _spec("search browse retrieve store", RoleLimits(context_tokens=80_000)),
    AgentRole.EXTRACTOR: _spec("extract summarize store dedupe", RoleLimits()),
    AgentRole.ANALYZER: _spec("retrieve dedupe summarize", RoleLimits(context_tokens=80_000)),
    AgentRole.WRITER: _spec("retrieve cite", RoleLimits(max_output_tokens=8_000)),
    AgentRole.VERIFIER: _spec("retrieve cite browse", RoleLimits()),  # browse: only existing evidence
    AgentRole.EXECUTOR: _spec("retrieve compute", RoleLimits()),
}


def limits_of(role: AgentRole) -> RoleLimits:
    return ROLES[role].limits


def may_use(role: AgentRole, tool: str) -> bool:
    return tool in ROLES[role].tools


def tools_of(role: AgentRole, catalogue: Mapping[str, AnyTool]) -> tuple[AnyTool, ...]:
    """Return the role's tools, in the catalogue's order."""
    return tuple(tool for name, tool in catalogue.items() if may_use(role, name))


def may_ask(role: AgentRole, other: AgentRole) -> bool:
    return other in ROLES[role].delegates_to
