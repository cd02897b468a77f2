"""`manage.py evaluate model` against the fake server: every task ends, and what it took is counted."""

import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import override_settings
from pytest_django import DjangoDbBlocker

from research.accounts.people import PersonalAccount, ensure_local_account
from research.db.tenancy import tenant_context
from research.evaluation.evaluation_heat_pump_library import PUMPS, build_expected_cells, right_cells
from research.evaluation.evaluation_of_model_tasks import (
    Evaluation,
    OtherModelConnected,
    TaskOutcome,
    format_figures,
)
from research.evaluation.evaluation_proxy import CountingProxy
from research.llm.save_model_connection import EnteredModels, save_connection
from research.models import ModelConnection
from tests import databases
from tests.conftest import DATABASE
from tests.fakes.openai_answers import error, generate_answer
from tests.fakes.openai_server import FakeOpenAI
from tests.pipelines.model_world import model_world


@pytest.fixture(scope="module")
def account(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, database_cluster: Path
) -> Iterator[PersonalAccount]:
    with django_db_blocker.unblock():
        yield ensure_local_account()
        databases.renew(database_cluster, DATABASE)


@pytest.fixture
def server(valkey_url: str) -> Iterator[FakeOpenAI]:
    with model_world(valkey_url) as fake:
        fake.default = generate_answer()
        yield fake


def evaluate_task(
    account: PersonalAccount, server: FakeOpenAI, only: str, folder: Path
) -> tuple[Evaluation, list[TaskOutcome]]:
    with CountingProxy(server.base_url) as proxy, override_settings(PLUMBLINE_MODEL_BASE_URL=proxy.base_url):
        evaluation = Evaluation(account, proxy, folder / "heat-pumps", only)
        return evaluation, list(evaluation.run())


def test_a_brief_is_counted_request_by_request(account, server, tmp_path):
    evaluation, [outcome] = evaluate_task(account, server, "brief", tmp_path)
    figures = evaluation.figures()
    assert outcome.ended.startswith("done, ")
    assert figures.requests == len(server.requests) == outcome.requests
    assert (figures.calls, figures.used, figures.requests_per_used) == (1, 1, 1.0)
    assert (figures.failures, figures.refusals) == ({}, {})
    assert "requests a call of use  1.00" in list(format_figures(figures))


def test_a_server_that_fails_is_told_by_its_code_and_words(account, server, tmp_path):
    server.default = error(401, "Incorrect API key provided")
    evaluation, [outcome] = evaluate_task(account, server, "brief", tmp_path)
    figures = evaluation.figures()
    assert (figures.used, figures.requests_per_used) == (0, None)
    assert figures.failures == {"LLM_ACCESS_DENIED": figures.calls}
    assert figures.refusals == {"401 Incorrect API key provided": figures.requests}
    assert outcome.ended.startswith("done, ")


def test_a_tool_loop_ends_with_what_the_model_answered(account, server, tmp_path):
    _evaluation, [outcome] = evaluate_task(account, server, "tools", tmp_path)
    assert re.fullmatch(r"answered; \d+ values, \d+ excerpts; 0 tool calls", outcome.ended)


def test_tool_loop_without_an_answer_ends_with_what_rules_find(account, server, tmp_path):
    server.default = error(401, "Incorrect API key provided")
    _evaluation, [outcome] = evaluate_task(account, server, "tools", tmp_path)
    assert re.fullmatch(
        r"done by rules \(LLM_ACCESS_DENIED: .*\); 0 values, [1-6] excerpts; 7 tool calls", outcome.ended
    )


def test_workspace_with_a_connected_model_is_not_measured(account, server, tmp_path):
    with tenant_context(account.tenant_id):
        save_connection(EnteredModels(server.base_url, "own"), None)
        try:
            with pytest.raises(OtherModelConnected, match="Name another folder"):
                evaluate_task(account, server, "brief", tmp_path)
        finally:
            ModelConnection.objects.all().delete()


def test_values_of_the_texts_alone_are_right():
    right = dict(build_expected_cells())
    assert right_cells(right) == 3 * len(PUMPS)
    assert (
        right_cells({**right, ("Lumen 9", "maker"): "Calor", ("Lumen 9", "heat"): "6.1"})
        == 3 * len(PUMPS) - 2
    )
    assert right_cells({}) == 0


def test_without_a_server_the_command_says_how_to_start_one():
    with pytest.raises(CommandError, match="make model-server"):
        call_command("evaluate", "model", "--server", "http://127.0.0.1:9/v1", stdout=StringIO())
