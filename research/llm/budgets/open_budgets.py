"""The rows that count a run's spending: one for the run, one for each role with limits."""

from collections.abc import Iterable
from decimal import Decimal
from uuid import UUID

from research.llm.budgets.budget_limits import LIMITED_EACH, role_limits, run_limit, tier_of_tenant
from research.models import AgentRole, Budget

WHOLE_RUN = ""


def open_budgets(
    run_id: UUID, funded_usd: Decimal = Decimal(0), own_limit_usd: Decimal | None = None
) -> None:
    """Create a run's budgets from the limits of the tenant's present tier, or from what its owner wants to
    spend, if that is less.

    Safe to repeat: a second call changes nothing.
    """
    tier = tier_of_tenant()
    most = run_limit(tier)
    whole = Budget(
        run_id=run_id,
        role=WHOLE_RUN,
        limit_tokens_input=most.tokens_input,
        limit_tokens_output=most.tokens_output,
        limit_tokens_total=most.tokens_total,
        limit_usd=most.usd if own_limit_usd is None else min(most.usd, own_limit_usd),
        funded_usd=funded_usd,
    )
    shared = (role for role in role_limits(tier) if role not in LIMITED_EACH)
    Budget.objects.bulk_create(
        [whole, *(_of_role(run_id, role, tier) for role in shared)], ignore_conflicts=True
    )


def open_for_agent(run_id: UUID, role: str, agent_id: str) -> None:
    """Give one agent the limits of its role. A second time changes nothing."""
    open_for_agents([(run_id, role, agent_id)])


def open_for_agents(agents: Iterable[tuple[UUID, str, str]]) -> None:
    """Give each of several agents, named by run, role and agent id, the limits of its role."""
    tier = tier_of_tenant()
    rows = [_of_role(run_id, AgentRole(role), tier, agent_id) for run_id, role, agent_id in agents]
    Budget.objects.bulk_create(rows, ignore_conflicts=True)


def _of_role(run_id: UUID, role: AgentRole, tier: str, agent_id: str = "") -> Budget:
    limit = role_limits(tier)[role]
    return Budget(
        run_id=run_id,
        role=role,
        agent_id=agent_id,
        limit_tokens_input=limit.tokens_input,
        limit_tokens_output=limit.tokens_output,
    )
