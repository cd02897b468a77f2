"""`manage.py model`: the same findings on the command line, with an exit status."""

import io

import pytest
from django.core.management import CommandError, call_command

from research.db.tenancy import create_tenant, tenant_context
from research.llm.save_model_connection import EnteredModels, save_connection
from tests.fakes.openai_answers import capable, error
from tests.llm.asking import KEY
from tests.people import join

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def here(monkeypatch, settings):
    """Services and tables are there already."""
    from contextlib import nullcontext

    from research.management.commands import model

    monkeypatch.setattr(model, "run_services", nullcontext)
    monkeypatch.setattr(model, "migrate_if_needed", lambda: None)
    settings.PLUMBLINE_MODEL_PRIVATE_ADDRESSES = True


def run_model_command(*arguments):
    output = io.StringIO()
    call_command("model", *arguments, stdout=output)
    return output.getvalue()


def test_a_server_of_the_command_line_is_tested(server, monkeypatch):
    monkeypatch.setenv("TRIED_KEY", KEY)
    server.default = capable()
    output = run_model_command(
        "check", "--url", f"{server.base_url}/", "--key-from-env", "TRIED_KEY", "--model", "test-model"
    )
    assert output.startswith(f"test-model at {server.base_url}\n✓ Server ")
    assert "✓ JSON" in output
    assert "This model can write reports." in output
    assert "exhaustive" in output
    assert "no dollars" in output
    assert KEY not in output
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"


def test_a_server_that_cannot_write_fails_the_command(server):
    server.script_lists(error(401, "No"))
    with pytest.raises(CommandError) as raised:
        run_model_command("check", "--url", server.base_url, "--model", "m")
    assert raised.value.returncode == 1


def test_the_workspace_of_the_only_account_is_tested(server):
    server.default = capable()
    ada = join("ada")
    with tenant_context(ada.tenant.pk):
        save_connection(EnteredModels(server.base_url, "own", KEY), None)
    assert run_model_command("check").startswith(f"own at {server.base_url}")
    create_tenant("Second")
    assert run_model_command("check", "--workspace", ada.tenant.name).startswith("own at")
    assert run_model_command("check", "--workspace", str(ada.tenant.pk), "--model", "b").startswith("b at")


def test_the_environments_model_is_tested_where_no_workspace_has_one(server, settings):
    server.default = capable()
    settings.PLUMBLINE_MODEL_BASE_URL, settings.PLUMBLINE_MODEL = server.base_url, "of-all"
    assert run_model_command("check").startswith("of-all at")


def test_the_list_names_models_with_their_context(server):
    server.models = ({"id": "a", "context_length": 8192}, {"id": "b"})
    assert run_model_command("list", "--url", server.base_url) == "a  8,192 tokens\nb\n"
    server.script_lists(error(404, "no"))
    with pytest.raises(CommandError, match="no API at this address"):
        run_model_command("list", "--url", server.base_url)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("check",), "No model is connected"),
        (("check", "--url", "localhost:1"), "begins with http"),
        (("check", "--url", "http://localhost:1/v1"), "Name the model by --model"),
        (
            ("check", "--url", "http://localhost:1/v1", "--key-from-env", "NO_SUCH_VARIABLE"),
            "has no NO_SUCH_VARIABLE",
        ),
        (("check", "--key-from-env", "HOME"), "belongs to --url"),
        (("check", "--url", "http://localhost:1/v1", "--workspace", "x"), "not both"),
        (("check", "--workspace", "Nowhere"), "no workspace “Nowhere”"),
    ],
)
def test_what_the_command_line_lacks_is_said(arguments, complaint):
    with pytest.raises(CommandError, match=complaint):
        run_model_command(*arguments)


def test_two_workspaces_of_one_name_are_told_apart_by_id():
    create_tenant("Twin"), create_tenant("Twin")
    with pytest.raises(CommandError, match="give the id of one"):
        run_model_command("check", "--workspace", "Twin")
