"""A model server of this test's own, a step to call on behalf of, and a gateway as after a restart."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.utils.timezone import now

from research.db.tenancy import create_tenant, tenant_context
from research.llm import model_prices
from research.llm.call_store import model_call_secure_log
from research.llm.model_process import close_model_process
from research.llm.provider import model_server_features
from research.models import AgentRole, Run, Step, StepStatus, Tenant
from research.runs.start_and_cancel import start_run
from tests.fakes.openai_server import FakeOpenAI
from tests.llm.asking import KEY


@dataclass(frozen=True)
class CallingStep:
    """The ids that a call needs; `again()` is the step's next execution."""

    tenant_id: UUID
    run_id: UUID
    step_id: UUID
    key: str
    fence: int = 1

    def again(self) -> "CallingStep":
        return replace(self, fence=self.fence + 1)


@pytest.fixture
def server() -> Iterator[FakeOpenAI]:
    """Nothing that an earlier test learned about its server is remembered."""
    _forget()
    with FakeOpenAI() as fake:
        yield fake
    _forget()


def _forget() -> None:
    model_server_features.forget()
    model_prices.forget()
    model_call_secure_log.forget()


@pytest.fixture
def gateway(server: FakeOpenAI, transactional_db: None, valkey: str, settings) -> Iterator[FakeOpenAI]:
    """The server, configured as the one to ask; rows and Valkey are real."""
    settings.PLUMBLINE_MODEL_BASE_URL = server.base_url
    settings.PLUMBLINE_MODEL_API_KEY = KEY
    settings.PLUMBLINE_MODEL = "test-model"
    settings.PLUMBLINE_MODEL_CALLS_A_MINUTE = 100_000
    settings.REDIS_LOCATION = valkey
    yield server
    close_model_process()


@pytest.fixture
def tenant(transactional_db: None) -> Tenant:
    return create_tenant("Bridges")


MakeStep = Callable[..., CallingStep]


@pytest.fixture
def make_step(tenant: Tenant) -> MakeStep:
    """A running step, of a run of its own unless one is given."""
    owner = User.objects.create_user("ada")

    def make(key: str = "1.synthesizing/write", run_id: UUID | None = None) -> CallingStep:
        with tenant_context(tenant.pk):
            run = start_run(owner=owner, kind="report", topic="Which bridge?") if run_id is None else None
            run_id = run.pk if run else run_id
            index = Step.objects.filter(run_id=run_id).count() + 100
            step = Step.objects.create(
                run_id=run_id, key=key, step_index=index, handler="test.write", agent_role=AgentRole.WRITER,
                status=StepStatus.RUNNING, fence=1, lease_owner="here", lease_until=now() + timedelta(minutes=9),
            )  # fmt: skip
        return CallingStep(tenant.pk, step.run_id, step.pk, key)

    return make


@pytest.fixture
def step(make_step: MakeStep) -> CallingStep:
    return make_step()


@pytest.fixture
def run_of(tenant: Tenant) -> Callable[[UUID], Run]:
    def get(run_id: UUID) -> Run:
        with tenant_context(tenant.pk):
            return Run.objects.get(pk=run_id)

    return get
