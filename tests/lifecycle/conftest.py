"""A tenant with an owner, and runs of the toy recipe."""

from collections.abc import Callable, Iterator

import pytest
from django.contrib.auth.models import User

from research.models import Run, Tenant
from research.runs import start_run
from research.tenancy import create_tenant, tenant_context
from tests.lifecycle import toy

StartToy = Callable[..., Run]


@pytest.fixture
def tenant(transactional_db: None) -> Tenant:
    return create_tenant("Toys")


@pytest.fixture
def owner(transactional_db: None) -> User:
    return User.objects.create_user("ada")


@pytest.fixture
def start_toy(tenant: Tenant, owner: User) -> StartToy:
    """Start a toy run; keyword arguments are its configuration."""

    def start(**config: object) -> Run:
        with tenant_context(tenant.pk):
            return start_run(owner=owner, kind="technical", topic="How many words?", config=config)

    return start


@pytest.fixture(autouse=True)
def nothing_held() -> Iterator[None]:
    yield
    for gate in toy.gates.values():
        gate.set()
    toy.gates.clear()
    toy.actions.clear()
