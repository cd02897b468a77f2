"""A client of the protocol's own package drives a whole run over the sample library: by HTTP, and by a program."""

import asyncio
import sys
import threading
from uuid import UUID

import pytest
from django.db import connections
from httpx2 import ASGITransport, AsyncClient
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from config.asgi import application
from research.accounts import ensure_local_account
from research.library.importing import import_folder
from research.lifecycle.runner import drive
from research.mcp import tools
from research.models import ApiToken, Run, Scope
from research.tenancy import tenant_context
from research.tokens import issue_token
from tests.recipes.conftest import DOCUMENTS, MANIFEST, QUESTION

pytestmark = pytest.mark.django_db(transaction=True)
NAMES = {"start_research", "get_progress", "get_report", "search_library", "verify_claim"}


@pytest.fixture
def account(tmp_path):
    """With a small library of policies and trials."""
    folder = tmp_path / "library"
    folder.mkdir()
    for name, text in {**DOCUMENTS, "manifest.csv": MANIFEST}.items():
        (folder / name).write_text(text)
    account = ensure_local_account()
    import_folder(account.tenant_id, folder)
    return account


def token_for(account, scopes=tuple(Scope)):
    with tenant_context(account.tenant_id):
        return issue_token(account.user, "an agent", scopes, None)[1]


async def call(client, tool, **arguments):
    """What a tool gives; a refusal fails the test with its words."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    return result.structured_content


async def researched(client):
    """From the question to the report, as an agent goes."""
    assert {one.name for one in (await client.list_tools()).tools} == NAMES
    found = await call(client, "search_library", query="seasonal performance factor")
    started = await call(client, "start_research", question=QUESTION, config={"engine": "extractive"})
    run = started["run"]["id"]
    phase = ""
    while phase != "finished":
        watched = await call(client, "get_progress", run=run)
        phase = watched["progress"]["phase"]
        await asyncio.sleep(0.05)
    told = await call(client, "get_report", run=run)
    claim = "A heat pump shall reach a seasonal performance factor of at least 3.0 to receive the subsidy."
    checked = await call(client, "verify_claim", claim=claim)
    return found, told, checked


def looked_at(found, told, checked):
    assert any("3.0" in one["quote"] for one in found["passages"])
    assert (told["is_finished"], told["report"]["status"]) == (True, "done")
    claims = [claim for section in told["report"]["sections"] for claim in section["claims"]]
    assert any("3.0" in citation["quote"] for claim in claims for citation in claim["citations"])
    assert all(claim["citations"] and claim["confidence"] is not None for claim in claims)
    assert checked["status"] == "verified"
    assert "3.0" in checked["evidence"]["quote"]


def over_http(token):
    """A client of the site's own ASGI application."""
    headers = {"Authorization": f"Bearer {token}"}
    http = AsyncClient(transport=ASGITransport(application), headers=headers, timeout=60)
    return Client(streamable_http_client("http://localhost/mcp", http_client=http))


def test_an_agent_researches_over_http(account, monkeypatch):
    def work(run_id: UUID) -> None:
        threading.Thread(target=_worked_on, args=(account.tenant_id, run_id), daemon=True).start()

    monkeypatch.setattr(tools, "started", [work])  # in place of the site's workers

    token = token_for(account)

    async def go():
        async with over_http(token) as client:
            return await researched(client)

    looked_at(*asyncio.run(go()))


def _worked_on(tenant_id, run_id):
    drive(tenant_id, run_id)
    connections.close_all()


def test_an_agent_researches_by_a_program(account, child_environment):
    token = token_for(account)
    program = StdioServerParameters(
        command=sys.executable, args=["manage.py", "mcp"], env={**child_environment, "PLUMBLINE_TOKEN": token}
    )

    async def go():
        async with Client(stdio_client(program)) as client:
            return await researched(client)

    looked_at(*asyncio.run(go()))


@pytest.mark.parametrize("authorization", ["", "Bearer plumb_nothing", "Basic YTpi"])
def test_nobody_comes_in_without_a_token(db, authorization):
    async def ask():
        async with AsyncClient(transport=ASGITransport(application)) as http:
            return await http.post("http://localhost/mcp", json={}, headers={"Authorization": authorization})

    response = asyncio.run(ask())
    assert (response.status_code, response.json()["code"]) == (401, "not_authenticated")


def test_a_token_acts_as_far_as_its_scopes_and_until_it_is_taken_back(account):
    token = token_for(account, [Scope.READ])

    async def go():
        async with over_http(token) as client:
            refused = await client.call_tool("start_research", {"question": QUESTION})
            unknown = await client.call_tool("get_report", {"run": str(UUID(int=1))})
            return refused, unknown

    refused, unknown = asyncio.run(go())
    assert refused.is_error
    assert "lacks the scope “write”" in refused.content[0].text
    assert unknown.is_error
    assert "nothing here" in unknown.content[0].text
    with tenant_context(account.tenant_id):
        assert not Run.objects.exists()
        ApiToken.objects.update(revoked_at="2026-01-01T00:00Z")
    with pytest.raises(BaseExceptionGroup):
        asyncio.run(go())
