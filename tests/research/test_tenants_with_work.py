"""Sweeps look at the tenants that have something to do, however many others there are."""

import pytest
from django.db import connection
from django.db.models.functions import Now
from django.test.utils import CaptureQueriesContext

from research.accounts.notification_mail import send_waiting
from research.db.tenancy import SweepTarget, create_tenant, tenant_context, tenants_with
from research.engine.outbox import relay
from research.engine.sweeper import sweep
from research.models import Mail, Outbox, Run, State
from research.models.base_models import new_id
from research.tasks import sweep as sweep_task
from tests.people import join

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada():
    return join("ada")


def statements(act) -> int:
    with CaptureQueriesContext(connection) as captured:
        act()
    return len(captured)


def a_run(person, **columns: object) -> Run:
    with tenant_context(person.tenant.pk):
        return Run.objects.create(owner=person.user, topic="Do pumps freeze?", **columns)


@pytest.mark.parametrize("what", SweepTarget)
def test_a_tenant_without_work_is_in_no_list(ada, what: SweepTarget):
    assert ada.tenant.pk not in tenants_with(what, "some-model")


def test_a_run_is_work_while_it_goes_on_and_shortly_after(ada):
    run = a_run(ada, state=State.READING)
    assert tenants_with(SweepTarget.RUNS) == [ada.tenant.pk]
    with tenant_context(ada.tenant.pk):
        Run.objects.filter(pk=run.pk).update(state=State.CANCELLED, completed_at=Now())
    assert tenants_with(SweepTarget.RUNS) == [ada.tenant.pk]


def test_a_message_and_a_mail_are_work_until_they_are_sent(ada):
    run = a_run(ada)
    with tenant_context(ada.tenant.pk):
        Outbox.objects.create(run=run, topic="t", payload={"queue": "agents"}, dedupe_key=str(new_id()))
        Mail.objects.create(kind="run_done", ref="1", to="ada@example.org", subject="s", body="b")
    assert tenants_with(SweepTarget.MESSAGES) == tenants_with(SweepTarget.MAIL) == [ada.tenant.pk]
    with tenant_context(ada.tenant.pk):
        Outbox.objects.update(published_at=Now())
        Mail.objects.update(sent_at=Now())
    assert tenants_with(SweepTarget.MESSAGES) == tenants_with(SweepTarget.MAIL) == []


@pytest.mark.parametrize("act", [sweep_task, sweep, relay, send_waiting], ids=lambda act: act.__name__)
def test_more_tenants_with_nothing_to_do_cost_no_statement_more(ada, act):
    act()  # what is looked up once
    before = statements(act)
    for number in range(5):
        create_tenant(f"Workspace {number}")
    assert statements(act) == before
