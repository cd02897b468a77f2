"""Figures of an installation, which show nobody's work."""

import pytest
from django.db import connection
from django.db.utils import ProgrammingError
from django.test.utils import CaptureQueriesContext

from research.db.tenancy import tenant_context
from research.models import AgentRole, Queue, Role, State, Step
from research.ops.metrics import MEANINGS, figures
from tests.people import Person, join
from tests.worlds import make_report

pytestmark = pytest.mark.django_db


def value(name: str, label: str = "") -> float | None:
    return next((f.value for f in figures.latest() if (f.name, f.label) == (name, label)), None)


def add_step(person: Person, run, number: int, **columns: object) -> None:
    with tenant_context(person.tenant.pk):
        Step.objects.create(
            run=run,
            key=f"extra/{number}",
            step_index=1_000 + number,
            handler="x",
            agent_role=AgentRole.EXTRACTOR,
            **columns,
        )


def test_runs_of_all_workspaces_are_counted_together(ada):
    before = value("workspaces") or 0
    figures.forget()
    grace = join("grace", role=Role.OWNER)
    for person in (ada, grace):
        make_report(person, state=State.READING)
    make_report(ada, state=State.COMPLETED)
    assert value("runs", State.READING) == 2
    assert value("runs", State.COMPLETED) is None
    assert value("workspaces") == before + 1


def test_steps_are_told_by_queue_and_only_those_that_could_be_done(ada):
    at_work = make_report(ada, state=State.READING).run
    ended = make_report(ada, state=State.COMPLETED).run
    for number, queue in enumerate((Queue.READING, Queue.READING, Queue.AGENTS)):
        add_step(ada, at_work, number, queue=queue)
    add_step(ada, at_work, 8, queue=Queue.AGENTS, pending_children=1)
    add_step(ada, ended, 9, queue=Queue.EXPORTS)
    assert value("steps_ready", Queue.READING) == 2
    assert value("steps_ready", Queue.AGENTS) == 1
    assert value("steps_ready", Queue.EXPORTS) is None


def test_every_figure_has_a_meaning_and_every_label_its_name(ada):
    make_report(ada, state=State.READING)
    for figure in figures.latest():
        assert bool(figure.label) <= bool(MEANINGS[figure.name].label), figure


def test_no_word_of_anybodys_work_is_among_them(ada):
    world = make_report(ada, state=State.READING)
    told = " ".join(f"{figure.name} {figure.label}" for figure in figures.latest())
    for secret in (
        world.run.topic,
        str(world.run.pk),
        ada.user.username,
        ada.tenant.name,
        str(ada.tenant.pk),
    ):
        assert secret not in told


def test_who_asks_again_at_once_costs_the_database_nothing():
    first = figures.latest()
    with CaptureQueriesContext(connection) as asked:
        assert figures.latest() is first
    assert len(asked) == 0


def test_without_a_queue_its_figures_are_left_out(settings):
    settings.REDIS_LOCATION = "unix:///nowhere/valkey.sock"
    assert value("queue_messages", "agents") is None
    assert value("database_bytes") is not None


def test_messages_that_no_worker_took_are_counted(valkey):
    from redis import Redis

    with Redis.from_url(valkey) as broker:
        broker.rpush("reading", "one", "two")
    assert value("queue_messages", "reading") == 2
    assert value("queue_messages", "agents") == 0


def test_the_application_may_only_count():
    with connection.cursor() as cursor, pytest.raises(ProgrammingError, match="must be owner"):
        cursor.execute("DROP FUNCTION plumbline_figures()")
