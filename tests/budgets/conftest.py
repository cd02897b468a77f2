"""A tenant with a run that may spend."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User

from research.db.tenancy import create_tenant, tenant_context
from research.llm.budgets.budget_limits import OperationCost
from research.llm.budgets.budgets import BudgetReservation
from research.models import Budget, Run, Tenant, UsageEntry
from tests.budgets.spending import reserve

Reserve = Callable[..., BudgetReservation]


@pytest.fixture
def tenant(db: None) -> Tenant:
    return create_tenant("Spenders")


@pytest.fixture
def owner(db: None) -> User:
    return User.objects.create_user("ada")


@pytest.fixture
def run(tenant: Tenant, owner: User) -> Run:
    return make_run(tenant, owner)


def make_run(tenant: Tenant, owner: User, **columns: object) -> Run:
    with tenant_context(tenant.pk):
        return Run.objects.create(owner=owner, topic="What does it cost?", **columns)


@pytest.fixture
def reserve_in_run(run: Run) -> Reserve:
    """Reserve in the run; the role is the writer's unless another is named."""

    def take(
        worst: OperationCost, ref: str = "draft", role: str = "writer", **more: object
    ) -> BudgetReservation:
        return reserve(run.pk, role, ref, worst, tenant_id=run.tenant_id, **more)

    return take


def budget_of(run: Run, role: str = "", agent_id: str = "") -> Budget:
    with tenant_context(run.tenant_id):
        return Budget.objects.get(run=run, role=role, agent_id=agent_id)


def usage_of(run: Run) -> list[UsageEntry]:
    with tenant_context(run.tenant_id):
        return list(UsageEntry.objects.filter(run=run).order_by("created_at"))
