"""The log of agents: what they said to tools, and what they wrote down for each other."""

import json

import pytest

from research.agents.tools.agent_notebook import NotebookAuthor, append, tick
from research.db.tenancy import tenant_context
from research.models import AgentMessage, AgentRole, EntryKind, Step
from tests.people import join
from tests.web.pages import tree, words
from tests.worlds import make_report


@pytest.fixture
def world(db):
    return make_report(join("ada"))


@pytest.fixture
def client(world):
    return world.person.sign_in()


def say(world, number: int = 1, **facts: object) -> None:
    with tenant_context(world.person.tenant.pk):
        AgentMessage.objects.create(
            run=world.run, step=Step.objects.get(run=world.run), key=f"turn.{number}", trace_id="t",
            sender="researcher", recipient="tool:search", type="task", **facts,
        )  # fmt: skip


def write(world, kind: EntryKind, *texts: str) -> None:
    with tenant_context(world.person.tenant.pk):
        append(NotebookAuthor(world.run.pk, None, AgentRole.RESEARCHER, kind), kind, texts)


def test_the_log_shows_what_agents_said(client, world):
    say(world, status="completed", payload={"arguments": "pumps <b>"}, result={"output": 7}, duration_ms=40)
    page = client.get(f"/runs/{world.run.pk}/log/")
    assert "turn.1 researcher → tool:search · Done · 40 ms" in words(page)
    assert b"pumps &lt;b&gt;" in page.content


def test_a_message_that_failed_says_why(client, world):
    say(world, status="failed", error_code="NO_RESULTS", error_message="Nothing was found.")
    assert "Nothing was found. (NO_RESULTS)" in words(client.get(f"/runs/{world.run.pk}/log/"))


def test_the_log_shows_the_workspace(client, world):
    write(world, EntryKind.PLAN, "Search for costs", "Compare them")
    write(world, EntryKind.NOTE, "Two guides <differ>.")
    with tenant_context(world.person.tenant.pk):
        tick(world.run.pk, 1)
    page = words(client.get(f"/runs/{world.run.pk}/log/"))
    assert "☑ Search for costs done" in page
    assert "☐ Compare them open" in page
    assert "Researcher: Two guides &lt;differ&gt;." in page


def test_an_empty_workspace_is_not_shown(client, world):
    [main] = tree(client.get(f"/runs/{world.run.pk}/log/")).xpath("//main")
    assert "Notes of the agents" not in main.text_content()


def test_the_download_has_both(client, world):
    say(world, status="completed", payload={"arguments": "x"})
    write(world, EntryKind.FINDING, "The factor is 3.")
    log = json.loads(b"".join(client.get(f"/runs/{world.run.pk}/log.json")))
    assert [one["recipient"] for one in log["steps"][0]["messages"]] == ["tool:search"]
    assert [(one["kind"], one["text"]) for one in log["workspace"]] == [("finding", "The factor is 3.")]


def test_another_tenants_workspace_is_not_to_be_had(client, world):
    write(world, EntryKind.NOTE, "Ours.")
    stranger = join("bob").sign_in()
    assert stranger.get(f"/runs/{world.run.pk}/log/").status_code == 404
