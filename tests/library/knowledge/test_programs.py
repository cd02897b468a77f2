"""The graph for programs: the HTTP API, the tool of the MCP server, the command."""

import json
from io import StringIO

import pytest
from django.core.management import call_command

from research.db.tenancy import tenant_context
from research.integrations import api_rate_limit
from research.integrations.mcp.mcp_tools import search_knowledge
from research.models import EntityMention
from tests.api.programs import program_of
from tests.library.knowledge.finished_runs import Said, make_finished_run

pytestmark = pytest.mark.django_db
LENGTH = Said("The Gotthard Base Tunnel is 57 km long.", "2019", "SBB")


@pytest.fixture(autouse=True)
def _fresh_rate_limits(monkeypatch):
    api_rate_limit.forget()
    monkeypatch.setattr(api_rate_limit, "_take_from_redis", lambda keys, limits: None)
    monkeypatch.setattr("config.services.embedded.build_embedded_services", list)  # for the command


@pytest.fixture
def ada_with_claim(ada):
    make_finished_run(ada, "How long is it?", [LENGTH])
    return ada


def test_api_lists_entities_and_reads_one(ada_with_claim):
    program = program_of(ada_with_claim)
    listed = program.get("/knowledge/entities?query=tunnel").json()
    assert [entity["key"] for entity in listed["entities"]] == ["gotthard base tunnel"]
    one = program.get("/knowledge/entity?key=gotthard%20base%20tunnel").json()
    assert one["statements"][0]["accounts"][0]["quote"] == LENGTH.text


def test_api_finds_nothing_of_another_workspace(ada_with_claim, bob):
    program = program_of(bob)
    assert program.get("/knowledge/entities").json()["entities"] == []
    assert program.get("/knowledge/entity?key=gotthard%20base%20tunnel").status_code == 404


def test_search_knowledge_tells_what_runs_say(ada_with_claim):
    with tenant_context(ada_with_claim.tenant.pk):
        [found] = search_knowledge("gotthard", 1).found
    assert [statement.text for statement in found.statements] == [LENGTH.text]


def test_knowledge_command_rebuilds_and_prints_json(ada_with_claim):
    with tenant_context(ada_with_claim.tenant.pk):
        EntityMention.objects.all().delete()
    out = StringIO()
    call_command(
        "knowledge", "tunnel", rebuild=True, workspace=ada_with_claim.tenant.pk, stdout=out, stderr=StringIO()
    )
    [told] = json.loads(out.getvalue())
    assert told["workspace"] == str(ada_with_claim.tenant.pk)
    assert told["known"][0]["statements"][0]["text"] == LENGTH.text
