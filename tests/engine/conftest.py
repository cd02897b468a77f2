"""A tenant with an owner, runs of the toy recipe, and steps to be claimed."""

from collections.abc import Callable, Iterator

import pytest
from django.contrib.auth.models import User

from research.db.tenancy import create_tenant, tenant_context
from research.engine.claim_and_finish_steps import claim
from research.engine.claimed_step import ClaimedStep
from research.engine.states.transitions import advance, enter, lock_run
from research.models import Membership, Queue, Role, Run, State, Step, Tenant
from research.runs.start_and_cancel import start_run
from tests.engine import toy
from tests.engine.rows import fresh, sql

StartToy = Callable[..., Run]
Take = Callable[..., list[ClaimedStep]]


@pytest.fixture
def tenant(db: None) -> Tenant:
    return create_tenant("Toys")


@pytest.fixture
def owner(tenant: Tenant) -> User:
    user = User.objects.create_user("ada")
    with tenant_context(tenant.pk):
        Membership.objects.create(user=user, role=Role.OWNER)
    return user


@pytest.fixture
def start_toy(tenant: Tenant, owner: User) -> StartToy:
    """Start a toy run; keyword arguments are its configuration."""

    def start(**config: object) -> Run:
        with tenant_context(tenant.pk):
            return start_run(owner=owner, kind="technical", topic="How many words?", config=config)

    return start


@pytest.fixture
def take(tenant: Tenant) -> Take:
    """Claim what is ready of a run, in all queues."""

    def take_some(run: Run, most: int = 10, owner: str = "here") -> list[ClaimedStep]:
        return claim(tenant.pk, run.pk, queues=frozenset(Queue), owner=owner, most=most)

    return take_some


@pytest.fixture
def add_step(tenant: Tenant) -> Callable[..., Step]:
    """Insert a step beside the lifecycle's own; keyword arguments are its columns."""

    def add(run: Run, key: str, **columns: object) -> Step:
        with tenant_context(tenant.pk):
            run.refresh_from_db()
            values = {"queue": "agents", "handler": "toy.part", "agent_role": "executor", "max_attempts": 3}
            step = Step.objects.create(run=run, key=key, step_index=run.step_count, **{**values, **columns})
            Run.objects.filter(pk=run.pk).update(step_count=run.step_count + 1)
            return step

    return add


@pytest.fixture
def at(start_toy: StartToy, tenant: Tenant) -> Callable[..., Run]:
    """A run that has just come to a state, its fifth, with the state's own step; keywords are columns."""

    def bring(state: State, **columns: object) -> Run:
        run = start_toy()
        sql(run, "DELETE FROM research_step WHERE run_id = %s")
        sql(run, "UPDATE research_run SET step_count = 0, version = 4 WHERE id = %s")
        with tenant_context(tenant.pk):
            run = lock_run(run.pk)
            enter(run, state, frozenset(Queue))
            Run.objects.filter(pk=run.pk).update(**columns)
        return fresh(run)

    return bring


@pytest.fixture
def leave(take: Take) -> Callable[..., Run]:
    """Execute the step of the run's state, whatever its children."""

    def go(run: Run, served: frozenset[Queue] = frozenset(Queue)) -> Run:
        done = "status = 'completed' WHERE status = 'pending' AND handler LIKE 'toy%%'"
        sql(run, f"UPDATE research_step SET {done} AND run_id = %s")
        sql(run, "UPDATE research_step SET pending_children = 0 WHERE run_id = %s")
        (step,) = take(run)
        advance(step, served)
        return fresh(run)

    return go


@pytest.fixture(autouse=True)
def clean_gates() -> Iterator[None]:
    yield
    for gate in toy.gates.values():
        gate.set()
    toy.gates.clear()
    toy.actions.clear()
