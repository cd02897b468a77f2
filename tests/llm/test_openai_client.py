"""The client against a server with the faults that real ones have."""

import asyncio
import json
import threading
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from research.llm.call_types import Message, Speaker, ToolCall, ToolSchema
from research.llm.model_errors import ModelError, Trouble
from research.llm.model_settings import Endpoint
from research.llm.provider import model_server_connections, model_server_features
from research.llm.provider.openai_client import OpenAiModel
from tests.fakes.openai_answers import (
    Wire,
    answer,
    cut_off,
    drop_connection,
    empty_choices,
    error,
    generate_answer,
    hold_answer,
    not_json,
    rate_limited,
    refuse_parameters,
    text,
    tool_calls,
    very_long,
)
from tests.llm.asking import KEY, SENTENCE, Finding, ask, request, user

SCHEMA_FORM = "response_format.json_schema"


def trouble(server, behaviour):
    server.script(behaviour)
    [failed] = ask(server)
    assert isinstance(failed, ModelError)
    return failed


def test_an_answer_comes_back_with_its_usage(server):
    server.script(answer({"text": "Built.", "year": 1918}))
    [reply] = ask(server)
    assert json.loads(reply.text) == {"text": "Built.", "year": 1918}
    assert (reply.tokens_input, reply.tokens_output) == (11, 14)


def test_the_schema_is_sent_strict_with_temperature_and_limit(server):
    ask(server)
    [sent] = server.requests
    form = sent.body["response_format"]["json_schema"]
    assert (form["strict"], form["schema"]["required"]) == (True, ["text", "year"])
    assert (sent.body["temperature"], sent.body["max_tokens"]) == (0.3, 500)


def test_the_key_goes_into_the_header(server):
    ask(server)
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"


def test_missing_usage_is_told_as_unknown(server):
    server.script(text("{}", usage=False))
    [reply] = ask(server)
    assert (reply.tokens_input, reply.tokens_output) == (None, None)


def test_a_refused_temperature_is_left_out_and_never_sent_again(server):
    server.default = refuse_parameters("temperature")
    ask(server, request(), request())
    assert ["temperature" in sent.body for sent in server.requests] == [True, False, False]


def test_a_refused_schema_falls_back_to_json_mode_which_is_remembered(server):
    server.default = refuse_parameters(SCHEMA_FORM)
    ask(server, request(), request())
    forms = [sent.body["response_format"]["type"] for sent in server.requests]
    assert forms == ["json_schema", "json_object", "json_object"]


def test_in_json_mode_the_prompt_says_the_schema(server):
    server.default = refuse_parameters(SCHEMA_FORM)
    ask(server)
    first, second = server.requests[-1].body["messages"]
    assert first["role"] == "system"
    assert '"required":["text","year"]' in first["content"]
    assert second["content"] == SENTENCE


def test_in_json_mode_there_is_still_one_system_message(server):
    server.default = refuse_parameters(SCHEMA_FORM)
    ask(server, request(Message(Speaker.SYSTEM, "You date bridges."), user()))
    first, second = server.requests[-1].body["messages"]
    assert first["content"].startswith("You date bridges.\n\nGive the answer as one JSON object")
    assert second["role"] == "user"


def test_a_server_that_likes_neither_limit_is_not_asked_for_ever(server):
    server.default = error(400, "Neither 'max_tokens' nor 'max_completion_tokens' is supported.")
    assert ask(server)[0].code is Trouble.BAD_REQUEST
    assert len(server.requests) == 2


def test_a_connection_that_was_idle_for_long_is_not_used_again(server, monkeypatch):
    monkeypatch.setattr(model_server_connections, "KEPT_S", 0)
    replies = ask(server, request(), request())
    assert [json.loads(reply.text).keys() for reply in replies] == [{"text", "year"}] * 2


def test_a_server_without_any_response_format_is_asked_in_words(server):
    server.default = refuse_parameters("response_format")
    [reply] = ask(server)
    assert set(json.loads(reply.text)) == {"text", "year"}
    assert "response_format" not in server.requests[-1].body


def test_a_server_that_wants_the_new_limit_gets_it(server):
    def picky(sent):
        if "max_tokens" in sent.body:
            return error(400, "Use 'max_completion_tokens' instead.", param="max_tokens")(sent)
        return generate_answer()(sent)

    server.default = picky
    ask(server)
    assert server.requests[-1].body["max_completion_tokens"] == 500


def test_what_was_learned_of_one_model_is_not_held_against_another(server):
    server.default = refuse_parameters("temperature")
    ask(server)
    assert model_server_features.find_learned_features(server.base_url, "another-model") is None


def test_a_refused_request_teaches_nothing(server):
    server.default = error(400, "temperature is fine, the messages are not")
    assert ask(server)[0].code is Trouble.BAD_REQUEST
    assert model_server_features.find_learned_features(server.base_url, "test-model") is None


def test_an_input_beyond_the_context_is_named_and_not_taken_for_a_refused_parameter(server):
    failed = trouble(server, error(400, "maximum context length is 8192 tokens; reduce max_tokens"))
    assert (failed.code, failed.is_retryable) == (Trouble.CONTEXT_TOO_LONG, False)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("status", "code", "retryable"),
    [
        (400, Trouble.BAD_REQUEST, False),
        (401, Trouble.ACCESS_DENIED, False),
        (402, Trouble.QUOTA, False),
        (403, Trouble.ACCESS_DENIED, False),
        (404, Trouble.NOT_FOUND, False),
        (408, Trouble.TIMEOUT, True),
        (409, Trouble.UNAVAILABLE, True),
        (413, Trouble.CONTEXT_TOO_LONG, False),
        (422, Trouble.BAD_REQUEST, False),
        (429, Trouble.RATE_LIMIT, True),
        (500, Trouble.UNAVAILABLE, True),
        (503, Trouble.UNAVAILABLE, True),
        (504, Trouble.TIMEOUT, True),
    ],
)
def test_each_status_has_its_name(server, status, code, retryable):
    server.default = error(status, "no")
    [failed] = ask(server)
    assert (failed.code, failed.is_retryable) == (code, retryable)


def test_no_status_is_tried_again_by_the_client_itself(server):
    trouble(server, error(503, "busy"))
    assert len(server.requests) == 1


def test_an_empty_account_is_no_rate_limit(server):
    failed = trouble(server, error(429, "You exceeded your current quota", code="insufficient_quota"))
    assert (failed.code, failed.is_retryable) == (Trouble.QUOTA, False)


def test_a_content_filter_that_answers_with_400_is_a_refusal(server):
    assert trouble(server, error(400, "filtered", code="content_filter")).code is Trouble.REFUSED


def test_retry_after_in_seconds_is_told(server):
    assert trouble(server, rate_limited("7.5")).retry_after_s == 7.5


def test_retry_after_as_a_date_is_told_in_seconds(server):
    soon = datetime.now(tz=UTC) + timedelta(minutes=5)
    failed = trouble(server, rate_limited(format_datetime(soon, usegmt=True)))
    assert 280 < failed.retry_after_s <= 300


@pytest.mark.parametrize("header", [None, "soon", "nan", ""])
def test_a_missing_or_senseless_retry_after_is_unknown(server, header):
    assert trouble(server, rate_limited(header)).retry_after_s is None


def test_a_retry_after_of_days_is_cut_to_an_hour(server):
    assert trouble(server, rate_limited("99999999")).retry_after_s == 3600


@pytest.mark.parametrize("behaviour", [drop_connection(), cut_off(), not_json(502)])
def test_a_broken_answer_is_an_unavailable_server(server, behaviour):
    assert trouble(server, behaviour).code is Trouble.UNAVAILABLE


def test_after_a_broken_connection_the_next_call_works(server):
    server.script(generate_answer(), drop_connection())
    first, second, third = ask(server, request(), request(), request())
    assert (first.text, second.code, third.text) == (first.text, Trouble.UNAVAILABLE, first.text)


def test_an_answer_without_choices_is_empty(server):
    assert trouble(server, empty_choices()).code is Trouble.EMPTY


def test_an_answer_that_does_not_end_is_given_up(server):
    assert trouble(server, very_long()).code is Trouble.TOO_LONG


def test_a_redirect_is_not_followed_with_the_key(server):
    moved = Wire(302, b"", {"location": f"{server.base_url}/elsewhere"})
    failed = trouble(server, lambda _sent: moved)
    assert (failed.code, "points to another address" in failed.message) == (Trouble.NOT_FOUND, True)
    assert len(server.requests) == 1


def test_a_server_that_is_not_there_is_unavailable():
    async def call():
        await OpenAiModel(Endpoint("http://127.0.0.1:9/v1", KEY)).complete(request())

    with pytest.raises(ModelError) as raised:
        asyncio.run(call())
    assert raised.value.code is Trouble.UNAVAILABLE


def test_a_model_that_takes_too_long_is_given_up(server):
    server.script(hold_answer(threading.Event()))
    [failed] = ask(server, limit_s=0.05)
    assert failed.code is Trouble.TIMEOUT


def test_fifty_calls_are_in_flight_at_once(server):
    gate = threading.Event()
    server.default = hold_answer(gate)

    async def call_all():
        model = OpenAiModel(Endpoint(server.base_url, KEY))
        calls = asyncio.gather(*(model.complete(request()) for _ in range(50)))
        await asyncio.to_thread(server.wait_for_requests, 50)
        gate.set()
        await calls
        await model.close()

    asyncio.run(call_all())
    assert server.most_in_flight == 50


def test_tools_and_their_results_are_passed_through(server):
    tool = ToolSchema("look_up", "Looks it up.", Finding)
    asked = ToolCall("call_7", "look_up", '{"text":"x"}')
    turns = (
        user(),
        Message(Speaker.ASSISTANT, "", tool_calls=(asked,)),
        Message(Speaker.TOOL, "1918", tool_call_id="call_7"),
    )
    server.script(tool_calls(("look_up", {"text": "y", "year": 1})))
    [reply] = ask(server, request(*turns, tools=(tool,)))
    assert reply.tool_calls == (ToolCall("call_0", "look_up", '{"text": "y", "year": 1}'),)
    sent = server.requests[0].body
    assert sent["messages"][-2]["tool_calls"][0]["function"]["name"] == "look_up"
    assert sent["messages"][-1]["tool_call_id"] == "call_7"
    assert sent["tools"][0]["function"]["parameters"]["required"] == ["text", "year"]
