"""The files and slides that are chosen with a new run are there when it ends, wherever it was asked for."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from httpx2 import ASGITransport, AsyncClient
from mcp.client import Client as McpClient
from mcp.client.streamable_http import streamable_http_client

from config.asgi import application
from exports.formats.export_formats import WRITERS, Format
from exports.models import Export, ExportState
from research.accounts.api_tokens import issue_token
from research.accounts.people import PersonalAccount, ensure_local_account
from research.db.tenancy import tenant_context
from research.engine.step_runner import drive
from research.integrations import api_rate_limit
from research.library.import_library_folder import import_folder
from research.models import Run, Scope, State
from slides.models import Deck
from tests.pipelines.conftest import DOCUMENTS, MANIFEST, QUESTION

pytestmark = pytest.mark.django_db(transaction=True, databases=["default", "owner"])
WANTED = {"exports": ["csv"], "slides": True, "reviews": "never"}


@pytest.fixture
def account(tmp_path, monkeypatch: pytest.MonkeyPatch) -> PersonalAccount:
    """An account with a small library. CSV is written as plain words: what counts is that it is made."""
    monkeypatch.setitem(WRITERS, Format.CSV, replace(WRITERS[Format.CSV], path="tests.exports.writers.plain"))
    monkeypatch.setattr("config.services.embedded.build_embedded_services", list)
    monkeypatch.setattr(api_rate_limit, "_take_from_redis", lambda keys, limits: None)
    folder = tmp_path / "library"
    folder.mkdir()
    for name, text in {**DOCUMENTS, "manifest.csv": MANIFEST}.items():
        (folder / name).write_text(text, encoding="utf-8")
    account = ensure_local_account()
    import_folder(account.tenant_id, folder)
    return account


def token_of(account: PersonalAccount) -> str:
    with tenant_context(account.tenant_id):
        return issue_token(account.user, "a program", tuple(Scope), None)[1]


def ask_by_form(account: PersonalAccount) -> None:
    client = Client()
    client.force_login(account.user)
    sent = {"question": QUESTION, "exports": "csv", "slides": "on"}
    assert client.post("/runs/new/", sent).status_code == 302


def ask_by_api(account: PersonalAccount) -> None:
    body = {"kind": "report", "input": {"question": QUESTION}, "config": WANTED}
    headers = {"Authorization": f"Bearer {token_of(account)}"}
    response = Client().post("/api/v1/runs", body, content_type="application/json", headers=headers)
    assert response.status_code == 201, response.content


def ask_by_mcp(account: PersonalAccount) -> None:
    token = token_of(account)

    async def go() -> None:
        headers = {"Authorization": f"Bearer {token}"}
        http = AsyncClient(transport=ASGITransport(application), headers=headers, timeout=60)
        async with McpClient(streamable_http_client("http://localhost/mcp", http_client=http)) as client:
            asked = {"question": QUESTION, "config": WANTED}
            result = await client.call_tool("start_research", asked)
            assert not result.is_error, result.content

    asyncio.run(go())


def ask_by_command(account: PersonalAccount) -> None:
    options = ["--set", "exports=csv", "--slides"]
    with pytest.raises(SystemExit, match="^0$"):
        call_command("research", QUESTION, *options, "--json", stdout=StringIO(), stderr=StringIO())


@pytest.mark.parametrize("ask", [ask_by_form, ask_by_api, ask_by_mcp, ask_by_command])
def test_chosen_files_are_there_when_the_run_ends(
    ask: Callable[[PersonalAccount], None], account: PersonalAccount
) -> None:
    ask(account)
    with tenant_context(account.tenant_id):
        run = Run.objects.get()
    drive(account.tenant_id, run.pk)
    with tenant_context(account.tenant_id):
        run.refresh_from_db()
        assert run.state == State.COMPLETED
        assert [(file.format, file.state) for file in Export.objects.filter(run=run)] == [
            ("csv", ExportState.READY)
        ]
        assert [deck.state for deck in Deck.objects.filter(run=run)] == [ExportState.READY]
