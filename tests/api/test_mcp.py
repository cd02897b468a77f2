"""A client of the protocol's own package drives a whole run over the sample library: by HTTP, and by a program."""

import asyncio
import re
import sys
import threading
from uuid import UUID

import pytest
from django.db import OperationalError, connections
from httpx2 import ASGITransport, AsyncClient
from mcp import MCPError
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from config.asgi import application
from research.accounts.api_tokens import issue_token
from research.accounts.people import ensure_local_account
from research.db.tenancy import tenant_context
from research.engine.step_runner import drive
from research.integrations.mcp import mcp_tools
from research.library.import_library_folder import import_folder
from research.models import ApiToken, Escalation, Run, Scope
from tests.people import join
from tests.pipelines.conftest import DOCUMENTS, MANIFEST, QUESTION

pytestmark = pytest.mark.django_db(transaction=True)
CLAIM = "A heat pump shall reach a seasonal performance factor of at least 3.0 to receive the subsidy."
NAMES = {
    "start_research",
    "describe_kind",
    "get_progress",
    "cancel_run",
    "get_report",
    "search_library",
    "search_knowledge",
    "verify_claim",
    "get_plan",
    "change_plan",
    "schedule_research",
    "list_schedules",
    "act_on_schedule",
    "make_slides",
    "get_slides",
    "share_report",
    "delete_run",
}


@pytest.fixture
def account(tmp_path):
    """Create an account with a small library of policies and trials."""
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
    """Return a tool's result; a refusal fails the test with its words."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    return result.structured_content


async def research_by_mcp(client):
    """Research a question up to the report, as an agent does."""
    assert {tool.name for tool in (await client.list_tools()).tools} == NAMES
    found = await call(client, "search_library", query="seasonal performance factor")
    started = await call(client, "start_research", question=QUESTION, config={"engine": "extractive"})
    run = started["run"]["id"]
    phase = ""
    while phase != "finished":
        watched = await call(client, "get_progress", run=run)
        phase = watched["progress"]["phase"]
        await asyncio.sleep(0.05)
    told = await call(client, "get_report", run=run)
    checked = await call(client, "verify_claim", claim=CLAIM)
    return found, told, checked


def check_results(found, told, checked):
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
        threading.Thread(target=_drive_run, args=(account.tenant_id, run_id), daemon=True).start()

    monkeypatch.setattr(mcp_tools, "started", [work])  # in place of the site's workers

    token = token_for(account)

    async def go():
        async with over_http(token) as client:
            return await research_by_mcp(client)

    check_results(*asyncio.run(go()))


def _drive_run(tenant_id, run_id):
    drive(tenant_id, run_id)
    connections.close_all()


def test_an_agent_researches_by_a_program(account, child_environment):
    token = token_for(account)
    program = StdioServerParameters(
        command=sys.executable, args=["manage.py", "mcp"], env={**child_environment, "PLUMBLINE_TOKEN": token}
    )

    async def go():
        async with Client(stdio_client(program)) as client:
            return await research_by_mcp(client)

    check_results(*asyncio.run(go()))


def test_an_agent_learns_what_a_kind_is_asked_with(account):
    token = token_for(account)

    async def go():
        async with over_http(token) as client:
            return [await call(client, "describe_kind", kind=kind) for kind in ("technical", "table")]

    technical, table = asyncio.run(go())
    assert "comparison" in technical["config"]["$defs"]["QuestionType"]["enum"]
    assert set(table["input"]["properties"]) >= {"prompt", "items", "fields", "pilot"}


@pytest.mark.parametrize("authorization", ["", "Bearer plumb_nothing", "Basic YTpi"])
def test_nobody_comes_in_without_a_token(db, authorization):
    async def ask():
        async with AsyncClient(transport=ASGITransport(application)) as http:
            return await http.post("http://localhost/mcp", json={}, headers={"Authorization": authorization})

    response = asyncio.run(ask())
    assert (response.status_code, response.json()["code"]) == (401, "not_authenticated")


def post_body(body: bytes, token: str):
    """The answer to a body as it is."""
    headers = {
        "Authorization": f"Bearer {token}",
        "Content-Type": "application/json",
        "Accept": "application/json",
    }

    async def ask():
        async with AsyncClient(transport=ASGITransport(application)) as http:
            return await http.post("http://localhost/mcp", content=body, headers=headers)

    return asyncio.run(ask())


@pytest.mark.parametrize(
    ("body", "code", "words"),
    [
        (b"", -32700, "no JSON"),
        (b"{", -32700, "no JSON"),
        (b"\xff", -32700, "no JSON"),
        (b"[" * 5000, -32700, "no JSON"),
        (b"7", -32600, "one JSON object"),
        (b'[1, "junk"]', -32600, "one JSON object"),
        (b"{}", -32600, "“jsonrpc”"),
        (b'{"jsonrpc": "2.0", "id": 1}', -32600, "“method”"),
        (b'{"jsonrpc": "2.0", "id": 1, "method": 7}', -32600, "“method”"),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": [1]}', -32600, "“params”"),
        (b'{"jsonrpc": "2.0", "id": null, "method": "ping"}', -32600, "“id”"),
        (b'{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}', -32600, "“id”"),
        (b'{"jsonrpc": "2.0", "id": {}, "method": "ping"}', -32600, "“id”"),
    ],
)
def test_what_is_no_message_is_answered_by_the_codes_of_json_rpc(account, body, code, words):
    response = post_body(body, token_for(account))
    told = response.json()
    assert (response.status_code, told["id"], told["error"]["code"]) == (400, None, code)
    assert words in told["error"]["message"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b'{"jsonrpc": "2.0", "id": "one", "method": "ping"}', 200),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "nothing/of/ours"}', 200),
        (b'{"jsonrpc": "2.0", "method": "notifications/initialized"}', 202),
        (b" " * 1_000_001, 413),
    ],
)
def test_what_is_a_message_is_answered_as_the_protocol_says(account, body, status):
    assert post_body(body, token_for(account)).status_code == status


def test_an_agent_that_comes_while_the_database_is_away_is_asked_to_come_again(account, monkeypatch):
    def away(_token: str) -> None:
        raise OperationalError("the server is gone")

    token = token_for(account)
    monkeypatch.setattr("research.accounts.api_tokens.find_caller", away)
    response = post_body(b"{}", token)
    assert (response.status_code, response.json()["code"], response.headers["Retry-After"]) == (
        503,
        "unavailable",
        "5",
    )


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
    assert "Not found" in unknown.content[0].text
    with tenant_context(account.tenant_id):
        assert not Run.objects.exists()
        ApiToken.objects.update(revoked_at="2026-01-01T00:00Z")
    with pytest.raises(BaseExceptionGroup):
        asyncio.run(go())


def test_what_belongs_to_another_workspace_is_not_there(account, db):
    """Neither its runs, nor its documents, nor what they would prove."""
    other = join("bob")
    with tenant_context(other.tenant.pk):
        theirs = str(Run.objects.create(owner=other.user, topic="What do they ask?").pk)
        token = issue_token(other.user, "an agent", tuple(Scope), None)[1]
    mine = token_for(account)

    async def go():
        async with over_http(mine) as client:
            refused = [
                await client.call_tool(name, {"run": theirs}) for name in ("get_progress", "get_report")
            ]
        async with over_http(token) as client:
            found = await call(client, "search_library", query="seasonal performance factor")
            return refused, found, await call(client, "verify_claim", claim=CLAIM)

    refused, found, checked = asyncio.run(go())
    assert all(one.is_error and "Not found" in one.content[0].text for one in refused)
    assert found["passages"] == []
    assert (checked["status"], checked["looked_at"]) == ("unsupported", 0)


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("start_research", {"question": "ab"}, "at least 3 characters"),
        ("start_research", {"question": QUESTION, "kind": "poem"}, "there are: report"),
        ("start_research", {"question": QUESTION, "config": {"depth": "endless"}}, "depth: Input should be"),
        ("get_report", {"run": "17"}, "run: Input should be a valid UUID"),
        ("get_report", {"run": str(UUID(int=1))}, "Not found."),
        (
            "search_library",
            {"query": "heat", "limit": 500},
            "limit: Input should be less than or equal to 20",
        ),
        ("search_library", {"query": "ab"}, "query: String should have at least 3 characters"),
        ("search_library", {}, "query: Field required"),
        ("search_library", {"query": "heat", "folder": "x"}, "folder: the tool has no such argument"),
        ("verify_claim", {"claim": "?!…"}, "no words"),
        ("write_poem", {}, "Unknown tool"),
    ],
)
def test_a_tool_says_what_is_wrong(account, tool, arguments, words):
    token = token_for(account)

    async def go():
        async with over_http(token) as client:
            try:
                result = await client.call_tool(tool, arguments)
            except MCPError as error:
                return True, str(error)
            return result.is_error, result.content[0].text

    is_error, told = asyncio.run(go())
    assert is_error
    assert words in told
    assert not re.search("Traceback|Error executing|pydantic", told)


def test_a_prompt_that_is_not_there_is_refused_in_words_and_is_no_crash(account, caplog):
    token = token_for(account)

    async def go():
        async with over_http(token) as client:
            with pytest.raises(MCPError, match="There is no prompt “nothing”"):
                await client.get_prompt("nothing")

    asyncio.run(go())
    assert not [record for record in caplog.records if record.exc_info]


def test_an_agent_learns_what_a_run_waits_for_and_may_end_it(account):
    token = token_for(account)
    with tenant_context(account.tenant_id):
        run = Run.objects.create(
            owner=account.user, topic="What do they ask?", state="human_review_conflicts"
        )
        Escalation.objects.create(
            run=run, visit=1, state=run.state, rule="unresolved_contradictions", priority="medium",
            type="blocking", fallback="degrade", deadline="2026-11-25T20:00Z", required_action="Look at both sides.",
        )  # fmt: skip

    async def go():
        async with over_http(token) as client:
            watched = await call(client, "get_progress", run=str(run.pk))
            ended = await call(client, "cancel_run", run=str(run.pk))
            return watched, ended, await client.call_tool("cancel_run", {"run": str(run.pk)})

    watched, ended, again = asyncio.run(go())
    [asked] = watched["waits_for"]
    assert (asked["what"], asked["otherwise"]) == ("Look at both sides.", "degrade")
    assert asked["address"].endswith(f"/runs/{run.pk}/")
    assert ended["run"]["phase"] == "finished"
    assert "has ended already" in again.content[0].text


def test_claims_are_told_apart(account):
    """True, false, and not in any document; against a text that is given, and against the library."""
    text = "The index holds at most 2,000 dimensions. It is built in memory."

    token = token_for(account)

    async def go():
        async with over_http(token) as client:
            return [
                (await call(client, "verify_claim", claim=claim, text=given))["status"]
                for claim, given in (
                    (CLAIM, ""),
                    (CLAIM.replace("3.0", "5.5"), ""),
                    ("The moon consists of basalt and anorthosite.", ""),
                    ("The index holds at most 2,000 dimensions.", text),
                    ("The index holds at most 4,000 dimensions.", text),
                    ("The index is written in Rust.", text),
                )
            ]

    said = asyncio.run(go())
    assert (said[0], said[3]) == ("verified", "verified")
    assert not {"verified", "partially_supported"} & {said[1], said[4]}
    assert (said[2], said[5]) == ("unsupported", "unsupported")


def test_fair_use_lookups_are_counted_by_person_and_read_alone_is_not(account, settings):
    """As threats.md says: a token that was found does not keep the site's processors at work."""
    settings.PLUMBLINE_LIMITS = {**settings.PLUMBLINE_LIMITS, "lookups_a_minute": (2,)}
    token = token_for(account)

    async def go():
        async with over_http(token) as client:
            asked = [("verify_claim", {"claim": CLAIM, "text": CLAIM}), ("search_library", {"query": "heat"})]
            asked += [*asked, ("get_report", {"run": str(UUID(int=1))})]
            return [(await client.call_tool(tool, words)).content[0].text for tool, words in asked]

    told = asyncio.run(go())
    assert ["Too many requests" in one for one in told] == [False, False, True, True, False]
    assert "Try again in" in told[2]


def test_an_agent_schedules_shares_and_deletes(account, monkeypatch):
    monkeypatch.setattr(mcp_tools, "started", [])
    times = {"cron": "0 7 * * mon-fri", "time_zone": "Europe/Zurich"}

    async def go(client):
        made = await call(
            client, "schedule_research", wanted={"input": {"question": QUESTION}, "times": times}
        )
        assert made["when"] == "Monday to Friday at 07:00 (Europe/Zurich)"
        renamed = {"name": "Heat", "input": {"question": QUESTION}, "times": {"every_minutes": 30}}
        await call(client, "schedule_research", wanted=renamed, schedule=made["id"])
        done = await call(client, "act_on_schedule", schedule=made["id"], act="run")
        run = done["run"]["id"]
        with_work = asyncio.to_thread(_drive_run, account.tenant_id, UUID(run))
        await with_work
        plan = await call(client, "get_plan", run=run)
        assert plan["steps"]
        assert not plan["is_editable"]
        refused = await client.call_tool(
            "change_plan",
            {"run": run, "plan": {"version": plan["version"], "goal": "x", "steps": plan["steps"]}},
        )
        assert "waits for your consent" in refused.content[0].text
        deck = await call(client, "make_slides", run=run, wanted={"length": "short"})
        assert (await call(client, "get_slides", deck=deck["id"]))["state"] == "waiting"
        assert "/shared/" in (await call(client, "share_report", run=run))["address"]
        [listed] = (await call(client, "list_schedules"))["schedules"]
        assert (listed["name"], listed["last_run"]) == ("Heat", run)
        await call(client, "act_on_schedule", schedule=made["id"], act="delete")
        await call(client, "delete_run", run=run)
        assert (await call(client, "list_schedules"))["schedules"] == []

    async def connect():
        async with over_http(token) as client:
            await go(client)

    token = token_for(account)
    asyncio.run(connect())
    with tenant_context(account.tenant_id):
        assert not Run.objects.exists()
