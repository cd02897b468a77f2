"""`manage.py runs`: an operator sees what all workspaces' runs cost, and ends one."""

from io import StringIO
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

from research.db.tenancy import tenant_context
from research.models import Act, AuditEntry, Budget, Run, State
from tests.people import Person, join

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _own_servers(monkeypatch):
    monkeypatch.setattr("config.services.embedded.build_embedded_services", list)


def run_runs(*words: str) -> list[str]:
    out = StringIO()
    call_command("runs", *words, stdout=out)
    return out.getvalue().splitlines()


def run_of(person: Person, usd: str, tokens: int = 100, state: State = State.COLLECTING) -> Run:
    with tenant_context(person.tenant.pk):
        run = Run.objects.create(owner=person.user, topic="What is it that they ask?", state=state)
        Budget.objects.create(
            run=run,
            limit_tokens_input=10_000,
            limit_tokens_output=10_000,
            spent_tokens_input=tokens,
            spent_usd=usd,
            funded_usd=10,
        )
    return run


def test_runs_of_all_workspaces_are_listed_the_dearest_first_without_what_they_ask():
    ada, bob = join("ada"), join("bob")
    cheap, dear, long = run_of(ada, "0.02"), run_of(bob, "7.5"), run_of(ada, "0.02", 900)
    lines = run_runs()
    assert [line.split()[0] for line in lines] == [str(one.pk) for one in (dear, long, cheap)]
    assert "7.5000 USD        100 tokens" in lines[0]
    assert not any("they ask" in line for line in lines)


def test_a_run_that_has_asked_no_model_yet_has_spent_nothing():
    person = join("ada")
    with tenant_context(person.tenant.pk):
        Run.objects.create(owner=person.user, topic="What is it that they ask?")
    assert "0.0000 USD          0 tokens" in run_runs()[0]


def test_where_none_is_under_way_it_says_so():
    run_of(join("ada"), "1", state=State.CANCELLED)
    assert run_runs() == ["No run is under way."]


def test_a_run_of_any_workspace_is_ended_and_that_is_recorded_there():
    bob = join("bob")
    run = run_of(bob, "7.5")
    run_runs("--end", str(run.pk))
    with tenant_context(bob.tenant.pk):
        found = Run.objects.get(pk=run.pk)
        assert found.is_finished or found.cancel_at is not None
        assert AuditEntry.objects.filter(act=Act.RUN_CANCEL, via="command").count() == 1


def test_a_run_that_is_not_there_is_not_ended():
    with pytest.raises(CommandError, match="has ended, or there is none"):
        run_runs("--end", str(uuid4()))
