"""Servers as the setting names them: what is missing is known, what makes no sense stops the start."""

import json

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.mcp_server_settings import servers, tools_of

NAME = "PLUMBLINE_MCP_SERVERS"
BRAVE = {"command": "npx", "args": ["-y", "brave"], "env": ["BRAVE_API_KEY"], "tools": ["brave_web_search"]}
GITHUB = {
    "url": "https://api.githubcopilot.com/mcp/",
    "headers": {"Authorization": "Bearer ${GITHUB_TOKEN}"},
    "tools": ["search_code", "search_repositories"],
}


@pytest.fixture(autouse=True)
def keys(monkeypatch):
    monkeypatch.setenv("BRAVE_API_KEY", "brave-secret")
    monkeypatch.setenv("GITHUB_TOKEN", "github-secret")


def read_servers(monkeypatch, **named: object):
    monkeypatch.setenv(NAME, json.dumps(named))
    return servers(NAME)


def test_without_the_setting_there_are_none(monkeypatch):
    monkeypatch.delenv(NAME, raising=False)
    assert servers(NAME) == {}


def test_the_reference_servers_need_few_words(monkeypatch):
    found = read_servers(monkeypatch, brave=BRAVE, github=GITHUB)
    assert set(tools_of(found)) == {
        "mcp:brave",
        "mcp:github:search_code",
        "mcp:github:search_repositories",
    }
    [tool] = found["brave"].tools
    assert (tool.most, tool.page, tool.types) == ("count", "offset", {"web"})


def test_servers_are_asked_as_often_as_their_services_allow(monkeypatch):
    other = {"command": "find", "tools": ["find"]}
    found = read_servers(
        monkeypatch, brave=BRAVE, github=GITHUB, other=other, mine={**GITHUB, "a_minute": 30}
    )
    assert {name: server.a_minute for name, server in found.items()} == {
        "brave": 60,
        "github": 10,
        "other": 60,
        "mine": 30,
    }


def test_what_is_said_of_a_known_tool_goes_before_what_is_known(monkeypatch):
    older = {"name": "search_code", "query": "q", "types": ["code", "web"]}
    [tool] = read_servers(monkeypatch, github={**GITHUB, "tools": [older]})["github"].tools
    assert (tool.query, tool.most, tool.types) == ("q", "perPage", {"code", "web"})


def test_variables_are_handed_on_by_name_and_headers_filled_in(monkeypatch):
    found = read_servers(monkeypatch, brave=BRAVE, github=GITHUB)
    assert set(found["brave"].variables()) == {"PATH", "BRAVE_API_KEY"}
    assert found["github"].expand_headers() == {"Authorization": "Bearer github-secret"}
    assert "github-secret" in found["github"].secrets()


@pytest.mark.parametrize(
    ("server", "words"),
    [
        ({"tools": ["find"]}, "it needs either a command or a url"),
        ({**BRAVE, "url": "https://a.example/"}, "it needs either a command or a url"),
        ({"command": "npx"}, "one.tools: Field required"),
        ({"command": "npx", "tools": []}, "at least 1 item"),
        ({"command": "npx", "tools": [{"name": "x", "types": ["gopher"]}]}, "one.tools.0.types.0"),
        ({"command": "npx", "tools": ["find"], "shell": True}, "one.shell: Extra inputs"),
        ({"url": "ftp://a.example/", "tools": ["find"]}, "must begin with https://"),
        ({"url": "https://me:secret@a.example/", "tools": ["find"]}, "without a login"),
        ({**BRAVE, "env": ["NOT_SET_ANYWHERE"]}, "names the variable 'NOT_SET_ANYWHERE', which is not set"),
        ({**GITHUB, "headers": {"X": "${NOT_SET_ANYWHERE}"}}, "which is not set"),
    ],
)
def test_what_makes_no_sense_stops_the_start_with_one_sentence(monkeypatch, server, words):
    with pytest.raises(ImproperlyConfigured) as failure:
        read_servers(monkeypatch, one=server)
    assert words in str(failure.value)
    assert "secret" not in str(failure.value)


@pytest.mark.parametrize("text", ["{", "[]", '"x"', '{"A b": {"command": "x", "tools": ["y"]}}'])
def test_what_is_no_table_of_servers_is_refused(monkeypatch, text):
    monkeypatch.setenv(NAME, text)
    with pytest.raises(ImproperlyConfigured, match=NAME):
        servers(NAME)
