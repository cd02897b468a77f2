"""The proxy in front of a model's server: what it counts, passes on and refuses."""

import asyncio
import json
import threading
import time
from collections.abc import Iterator

import pytest

from research.evaluation.evaluation_proxy import CountingProxy, NoServer, refuse_nothing, refuse_schemas
from research.llm.model_errors import ModelError
from research.llm.model_settings import Endpoint
from research.llm.provider import model_server_features
from research.llm.provider.completion_replies import Reply
from research.llm.provider.openai_client import OpenAiModel
from tests.fakes.openai_answers import error, hold_answer, rate_limited
from tests.fakes.openai_server import FakeOpenAI
from tests.llm.asking import KEY, request


@pytest.fixture
def server() -> Iterator[FakeOpenAI]:
    model_server_features.forget()
    with FakeOpenAI() as fake:
        yield fake
    model_server_features.forget()


def ask_proxy(proxy: CountingProxy, limit_s: float = 20) -> Reply:
    async def ask() -> Reply:
        model = OpenAiModel(Endpoint(proxy.base_url, KEY), limit_s)
        try:
            return await model.complete(request())
        finally:
            await model.close()

    return asyncio.run(ask())


def test_a_request_is_passed_on_with_its_key_and_counted(server):
    with CountingProxy(server.base_url) as proxy:
        reply = ask_proxy(proxy)
    assert json.loads(reply.text).keys() == {"text", "year"}
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
    [exchange] = proxy.exchanges
    assert (exchange.status, exchange.form, exchange.had_tools, exchange.reason) == (
        200,
        "json_schema",
        False,
        "",
    )


def test_an_error_is_handed_back_with_its_pause_and_noted(server):
    server.script(rate_limited("7"))
    with CountingProxy(server.base_url) as proxy, pytest.raises(ModelError) as raised:
        ask_proxy(proxy)
    assert raised.value.retry_after_s == 7
    assert proxy.exchanges[0].status == 429


def test_a_refused_form_is_counted_though_the_server_never_sees_it(server):
    with CountingProxy(server.base_url, refuse_schemas) as proxy:
        ask_proxy(proxy)
    assert [(exchange.status, exchange.form) for exchange in proxy.exchanges] == [
        (500, "json_schema"),
        (200, "json_object"),
    ]
    assert "Input should be 'text' or 'json_object'" in proxy.exchanges[0].reason
    assert len(server.requests) == 1


def test_the_reason_of_a_refusal_is_the_servers_message(server):
    server.default = error(400, "maximum context length is 8192 tokens")
    with (
        CountingProxy(server.base_url, refuse_nothing) as proxy,
        pytest.raises(ModelError, match="longer than"),
    ):
        ask_proxy(proxy)
    assert proxy.exchanges[0].reason == "maximum context length is 8192 tokens"


def test_a_server_that_is_not_there_is_named():
    with CountingProxy("http://127.0.0.1:9/v1") as proxy, pytest.raises(NoServer, match="ConnectionRefused"):
        proxy.models("")


def test_a_request_that_is_given_up_is_counted_and_the_server_told(server):
    gate = threading.Event()
    server.default = hold_answer(gate)
    with CountingProxy(server.base_url) as proxy:
        with pytest.raises(ModelError, match="no answer within"):
            ask_proxy(proxy, limit_s=0.3)
        until = time.monotonic() + 10
        while not proxy.exchanges and time.monotonic() < until:
            gate.wait(0.02)
    assert [(exchange.status, exchange.reason) for exchange in proxy.exchanges] == [
        (499, "the client gave up waiting")
    ]
