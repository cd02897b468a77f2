"""Servers on the web: through the guard unless the operator calls them inside, with headers, within limits."""

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
import uvicorn

from config.mcp_server_settings import McpServer
from research.search.mcp_tools import mcp_search_web_server, search_with_mcp_tool
from research.search.search_protocol import Hits, SearchCode, SearchError
from tests.search.outside.asking import Asked, run_with_servers
from tests.search.outside.server import build_server

TOOL = {"name": "brave_web_search"}


class Seen:
    """The application with the headers of all requests written down; a path that is `hidden` is not found."""

    def __init__(self, app: Callable) -> None:
        self.app = app
        self.headers: list[dict[str, str]] = []
        self.answer: tuple[int, dict[str, str], bytes] | None = None

    async def __call__(self, scope, receive, send) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        self.headers.append({name.decode(): value.decode() for name, value in scope["headers"]})
        if self.answer is None:
            return await self.app(scope, receive, send)
        status, headers, body = self.answer
        lines = [(name.encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": status, "headers": lines})
        await send({"type": "http.response.body", "body": body})
        return None


@contextmanager
def up(*, json_response: bool = False) -> Iterator[tuple[str, Seen]]:
    seen = Seen(build_server().streamable_http_app(json_response=json_response))
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen()  # who comes before the server is up waits for it
    server = uvicorn.Server(uvicorn.Config(seen, log_level="error", lifespan="on"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}/mcp", seen
    server.should_exit = server.force_exit = True
    thread.join(10)
    listening.close()


def at(url: str, **more: object) -> McpServer:
    return McpServer.model_validate({"url": url, "tools": [TOOL], **more})


def one_search(server: McpServer, query: str = "heat") -> Hits | SearchError:
    return run_with_servers(lambda asked: asked.search(query, most=5), one=server)


@pytest.mark.parametrize("json_response", [False, True])
def test_a_server_on_the_web_is_asked_page_after_page(json_response):
    with up(json_response=json_response) as (url, _):
        found = run_with_servers(lambda asked: asked.search("heat", most=22), one=at(url))
    assert [hit.url for hit in found.hits] == [f"https://site-{number}.example/" for number in range(22)]


def test_headers_go_with_every_request_with_variables_filled_in(monkeypatch):
    monkeypatch.setenv("SEARCH_TOKEN", "secret-of-the-operator")
    with up() as (url, seen):
        one_search(at(url, headers={"Authorization": "Bearer ${SEARCH_TOKEN}", "X-Team": "heat"}))
    assert {header.get("authorization") for header in seen.headers} == {"Bearer secret-of-the-operator"}
    assert {header.get("x-team") for header in seen.headers} == {"heat"}


def test_a_private_address_is_refused_unless_the_operator_calls_it_inside():
    async def work(asked: Asked):
        return await asked.search(most=5), await asked.search(name="mcp:two", most=5)

    with up() as (url, _):
        servers = {"one": at(url), "two": at(url, inside=True)}
        refused, found = run_with_servers(work, allow_loopback=False, **servers)
    assert refused.code is SearchCode.NOT_AVAILABLE
    assert refused.message.startswith("Its address cannot be used (")
    assert "the option “inside” allows addresses in your own network" in refused.message
    assert len(found.hits) == 5


def test_a_server_that_is_away_is_a_named_failure():
    with up() as (url, _):
        pass
    assert one_search(at(url)).code is SearchCode.NOT_AVAILABLE


@pytest.mark.parametrize(
    ("status", "headers", "body"),
    [
        (500, {}, b"oops"), (401, {}, b"who are you?"), (302, {"location": "http://127.0.0.1:1/"}, b""),
        (200, {"content-type": "text/html"}, b"<html>"), (200, {"content-type": "application/json"}, b"{7"),
        (200, {"content-type": "application/json"}, b"[" * 100_000),
        (200, {"content-type": "application/json", "content-encoding": "gzip"}, b"\x1f\x8b"),
        (200, {"content-type": "text/event-stream"}, b"data: {7\n\n"), (202, {}, b""),
    ],
)  # fmt: skip
def test_an_answer_that_is_none_is_a_named_failure(monkeypatch, status, headers, body):
    monkeypatch.setattr(search_with_mcp_tool, "ANSWER_S", 5.0)
    with up() as (url, seen):
        seen.answer = (status, headers, body)
        assert one_search(at(url)).code is SearchCode.NOT_AVAILABLE


@pytest.mark.parametrize("kind", ["application/json", "text/event-stream"])
def test_an_answer_without_end_is_broken_off(monkeypatch, kind):
    monkeypatch.setattr(mcp_search_web_server, "MAX_BYTES", 10_000)
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"x": "y" * 100_000}}).encode()
    with up() as (url, seen):
        seen.answer = (
            200,
            {"content-type": kind},
            b"data: " + body + b"\n\n" if kind.endswith("stream") else body,
        )
        assert one_search(at(url)).code is SearchCode.NOT_AVAILABLE


def test_a_slow_server_is_given_up(monkeypatch):
    monkeypatch.setattr(search_with_mcp_tool, "ANSWER_S", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/mcp"
        assert one_search(at(url)).code is SearchCode.TIMEOUT


def test_a_conversation_that_the_server_forgot_is_begun_anew():
    with up() as (url, seen):

        async def work(asked: Asked):
            first = await asked.search("heat", most=5)
            seen.app = build_server().streamable_http_app()  # as after a restart
            async with seen.app.router.lifespan_context(seen.app):
                return first, await asked.search("pumps", most=5)

        first, second = run_with_servers(work, one=at(url))
    assert (len(first.hits), len(second.hits)) == (5, 5)
