"""Copies of a run are runs like it, whole and apart; a bench of pages counts what was due, not what came."""

import pytest
from django.db import connection
from django.test import Client

from citations.models import Citation, Claim, Section
from research.accounts.people import PersonalAccount
from research.db.tenancy import tenant_context
from research.management.bench_copied_runs import copy_runs
from research.management.commands.bench_load import (
    TimedResponse,
    _fill,
    _statements,
    pages_of,
    summarize_answers,
)
from research.models import Run, Source
from tests.people import join
from tests.worlds import make_report

pytestmark = pytest.mark.django_db
MODELS = (Run, Source, Section, Claim, Citation)
MAX_STATEMENTS = 21
NESTED = 3  # of a test's own transaction around the request's: a savepoint, its release, the tenant set back


@pytest.fixture
def world(ada):
    return make_report(ada)


def test_copies_have_all_rows_of_their_own_and_open(world, ada):
    with tenant_context(ada.tenant.pk):
        before = [model.objects.count() for model in MODELS]
        rows = copy_runs([world.run.pk], first=1, times=3)
        connection.check_constraints()
        assert [model.objects.count() for model in MODELS] == [4 * count for count in before]
        assert rows == 3 * sum(before)
        copy = Run.objects.exclude(pk=world.run.pk).first()
        assert copy.topic == world.run.topic
        mine = Claim.objects.filter(run=copy)
        assert Citation.objects.filter(claim__in=mine).exclude(source__run=copy).count() == 0
        assert Citation.objects.filter(claim__in=mine).count() * 4 == Citation.objects.count()
    client = Client()
    client.force_login(ada.user)
    assert client.get(f"/runs/{copy.pk}/report/").status_code == 200


def test_there_are_as_many_runs_as_are_asked_for_and_copies_are_not_copied(world, ada):
    account = PersonalAccount(ada.user, ada.tenant.pk)
    assert _fill(account, 5)["runs"] == 5
    again = _fill(account, 7)
    assert again["runs"] == 7
    assert again["rows_made"] > 0
    assert _fill(account, 7)["rows_made"] == 0


def test_another_tenants_runs_are_not_copied(world):
    other = join("bob")
    with tenant_context(other.tenant.pk):
        assert copy_runs([world.run.pk], first=1, times=2) == 0


def test_every_kind_of_page_is_asked_and_needs_few_statements(world, ada):
    account = PersonalAccount(ada.user, ada.tenant.pk)
    _fill(account, 30)
    pages = pages_of(account)
    assert set(pages) == {"home", "runs", "run", "report", "popover", "sources", "source", "progress"}
    counts = {page: _statements(account, paths[0]) for page, paths in pages.items()}
    assert {page: count for page, count in counts.items() if not 2 <= count <= MAX_STATEMENTS + NESTED} == {}


def test_polls_are_told_apart_and_what_did_not_come_is_an_error():
    answers = [TimedResponse("home", ms, 200) for ms in range(1, 101)]
    answers += [
        TimedResponse("poll", 5.0, 304),
        TimedResponse("poll", 7.0, 0),
        TimedResponse("poll", 9.0, 500),
    ]
    found = summarize_answers(answers, {"home": 12})
    assert found["pages"] == {"n": 100, "p50_ms": 51, "p95_ms": 96, "p99_ms": 100, "errors": 0}
    assert found["by_kind"]["home"]["sql"] == 12
    assert found["by_kind"]["poll"] == {"n": 3, "p50_ms": 7, "p95_ms": 9, "p99_ms": 9, "errors": 2}
