"""The client against what llama.cpp's server and llama-cpp-python's answered when they were tried."""

import json

import pytest

from research.llm.call_types import ToolSchema
from research.llm.model_errors import ModelError, Trouble
from tests.fakes.openai_answers import text
from tests.fakes.recorded_answers import (
    FORM_FAULT,
    OLD_FORM_FAULT,
    llama_cpp_answer,
    llama_cpp_overflow,
    llama_cpp_python,
    llama_cpp_python_overflow,
    llama_cpp_refused_schema,
    llama_cpp_tools_and_schema,
)
from tests.llm.asking import Finding, ask, call, complete_one, request


def forms(server) -> list[str]:
    return [(sent.body.get("response_format") or {}).get("type", "none") for sent in server.requests]


def test_llama_cpp_answer_comes_back_with_its_usage(server):
    server.script(llama_cpp_answer('{\n  "text": "Built.",\n  "year"\n\n:\n\n1918\n\n}'))
    [reply] = ask(server)
    assert json.loads(reply.text) == {"text": "Built.", "year": 1918}
    assert (reply.tokens_input, reply.tokens_output, reply.finish_reason) == (20, 35, "stop")


def test_llama_cpp_overflow_is_named_at_the_first_request(server):
    server.default = llama_cpp_overflow()
    [failed] = ask(server)
    assert isinstance(failed, ModelError)
    assert (failed.code, failed.is_retryable) == (Trouble.CONTEXT_TOO_LONG, False)
    assert len(server.requests) == 1


def test_llama_cpp_schema_without_a_grammar_is_asked_for_otherwise(server):
    server.default = llama_cpp_refused_schema()
    [reply] = ask(server)
    assert set(json.loads(reply.text)) == {"text", "year"}
    assert len(server.requests) == 2


@pytest.mark.parametrize("fault", [FORM_FAULT, OLD_FORM_FAULT])
def test_llama_cpp_python_is_asked_for_an_object_after_one_refusal(server, fault):
    server.default = llama_cpp_python(fault)
    first, second = ask(server, request(), request())
    assert set(json.loads(first.text)) == set(json.loads(second.text)) == {"text", "year"}
    assert forms(server) == ["json_schema", "json_object", "json_object"]


def test_llama_cpp_python_overflow_is_named_at_the_first_request(server):
    server.default = llama_cpp_python_overflow()
    [failed] = ask(server)
    assert isinstance(failed, ModelError)
    assert failed.code is Trouble.CONTEXT_TOO_LONG
    assert len(server.requests) == 1


def test_llama_cpp_that_has_no_place_for_tools_is_given_a_schema_of_their_calls(gateway, step):
    gateway.props = {"total_slots": 1, "chat_template_caps": {"supports_tools": False}}
    gateway.script(text('{"tool_calls": [{"name": "look_up", "arguments": {"text": "y", "year": 1}}]}'))
    done = complete_one(call(step, tools=(ToolSchema("look_up", "Looks it up.", Finding),)))
    assert [(called.name, json.loads(called.arguments)) for called in done.tool_calls] == [
        ("look_up", {"text": "y", "year": 1})
    ]
    [sent] = gateway.requests
    assert "tools" not in sent.body
    either = sent.body["response_format"]["json_schema"]["schema"]["anyOf"]
    assert [list(one["properties"]) for one in either] == [["tool_calls"], ["text", "year"]]


def test_tools_are_offered_without_a_form_that_would_win_over_them(server):
    tool = ToolSchema("look_up", "Looks it up.", Finding)
    server.default = llama_cpp_tools_and_schema(
        '{"text": "Built.", "year": 1918}', ("look_up", {"text": "y"})
    )
    [called, answered] = ask(server, request(tools=(tool,)), request())
    assert [call.name for call in called.tool_calls] == ["look_up"]
    assert forms(server) == ["none", "json_schema"]
    assert '"required":["text","year"]' in server.requests[0].text
    assert json.loads(answered.text).keys() == {"text", "year"}
