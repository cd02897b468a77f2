"""Servers that call themselves compatible: what they refuse, and in what shapes they answer.

The refusals are in the words of real servers: llama-cpp-python, llama.cpp, vLLM, Ollama, Gemini's and OpenRouter's
gateways, chat templates of Gemma and Mistral.
"""

import json

import pytest
from pydantic import BaseModel, Field

from research.llm.call_types import Message, Speaker, ToolCall, ToolSchema
from research.llm.model_errors import ModelError, Trouble
from research.llm.parse_model_answers import Fitting, judge
from research.llm.provider import loose_model_json, model_server_features, openai_client
from research.llm.provider.completion_replies import Reply, read_reply
from research.llm.provider.structured_output_schema import build_structured_output
from tests.fakes.openai_answers import Wire, error, generate_answer, text, tool_calls
from tests.llm.asking import Finding, ask, request, user

GOOD = {"text": "Built.", "year": 1918}
SYSTEM = Message(Speaker.SYSTEM, "You date bridges.")
SEARCH = ToolSchema("search", "Search the web.", Finding)
RIGHT = Finding(text="Built.", year=1918)


def answers_only(accepts, refusal):
    """A server that refuses each request that it does not accept."""

    def behave(sent):
        return generate_answer()(sent) if accepts(sent.body) else refusal(sent)

    return behave


def form_of(body):
    return (body.get("response_format") or {}).get("type")


def is_without_schema_form(body):
    return form_of(body) != "json_schema"


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (500, "1 validation error: response_format.type Input should be 'text' or 'json_object'"),
        (400, "Failed to initialize samplers: failed to parse grammar"),
        (404, "No endpoints found that support the parameter response_format: json_schema"),
        (422, "response_format.json_schema: extra fields not permitted"),
        (501, "structured output of type json_schema is not implemented"),
    ],
)
def test_a_refused_schema_is_asked_for_in_a_lesser_form_whatever_the_status(server, status, words):
    server.default = answers_only(is_without_schema_form, error(status, words))
    first, second = ask(server, request(), request())
    assert (type(first), type(second)) == (Reply, Reply)
    assert [form_of(sent.body) for sent in server.requests] == ["json_schema", "json_object", "json_object"]
    assert server.requests[1].body["response_format"]["schema"]["required"] == ["text", "year"]


class Bounded(BaseModel):
    text: str = Field(max_length=80)


def test_bounds_are_sent_until_a_server_refuses_them(server):
    def has_no_bounds(body):
        return "maxLength" not in json.dumps(body)

    refusal = error(400, "Invalid schema for response_format: 'maxLength' is not permitted")
    server.default = answers_only(has_no_bounds, refusal)
    bounded = request(output=build_structured_output(Bounded))
    ask(server, bounded, bounded)
    assert [form_of(sent.body) for sent in server.requests] == ["json_schema"] * 3
    assert ["maxLength" in json.dumps(sent.body) for sent in server.requests] == [True, False, False]


def test_a_server_without_json_modes_is_given_a_tool_to_answer_by(server):
    def behave(sent):
        if "response_format" in sent.body:
            return error(400, "Unrecognized request argument supplied: response_format")(sent)
        assert sent.body["tool_choice"]["function"]["name"] == "Finding"
        return tool_calls(("Finding", GOOD))(sent)

    server.default = behave
    [reply] = ask(server)
    assert judge(reply, Finding, ()) == Fitting(RIGHT)
    assert len(server.requests) == 2


def test_a_server_that_knows_no_form_at_all_is_asked_in_words(server):
    def refuse(sent):
        wrong = "response_format" if "response_format" in sent.body else "tools"
        return error(400, f"Extra inputs are not permitted: {wrong}")(sent)

    server.default = answers_only(lambda body: not {"response_format", "tools"} & body.keys(), refuse)
    [reply] = ask(server)
    assert set(json.loads(reply.text)) == {"text", "year"}
    assert len(server.requests) == 3


def test_the_same_unexplained_failure_twice_ends_the_form(server):
    server.default = answers_only(is_without_schema_form, error(500, "Internal server error"))
    first, second, third = ask(server, request(), request(), request())
    assert first.code is Trouble.UNAVAILABLE  # which may pass, and is tried again
    assert (type(second), type(third)) == (Reply, Reply)
    assert len(server.requests) == 4


def test_a_server_that_has_answered_keeps_its_form_through_a_failure(server):
    server.script(generate_answer(), error(500, "oops"), error(500, "oops"))
    ask(server, request(), request(), request(), request())
    assert {form_of(sent.body) for sent in server.requests} == {"json_schema"}


@pytest.mark.parametrize(
    "words",
    [
        "registry.ollama.ai/library/stub:latest does not support tools",
        '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
    ],
)
def test_a_model_without_tools_is_told_of_them_in_words(server, words):
    def behave(sent):
        if "tools" in sent.body:
            return error(400, words)(sent)
        assert "search" in sent.body["messages"][0]["content"]
        return text('{"tool_calls": [{"name": "search", "arguments": {"text": "a", "year": 1}}]}')(sent)

    server.default = behave
    [reply] = ask(server, request(tools=(SEARCH,)))
    found = judge(reply, Finding, ["search"])
    assert [(call.name, json.loads(call.arguments)) for call in found.tool_calls] == [
        ("search", {"text": "a", "year": 1})
    ]


def test_turns_about_tools_are_words_for_a_model_without_them(server):
    server.default = answers_only(lambda body: "tools" not in body, error(400, "tools are not supported"))
    called = Message(Speaker.ASSISTANT, "", (ToolCall("1", "search", "{}"),))
    ask(server, request(user(), called, Message(Speaker.TOOL, "42", tool_call_id="1"), tools=(SEARCH,)))
    turns = server.requests[-1].body["messages"]
    assert {turn["role"] for turn in turns} == {"system", "user", "assistant"}
    assert all("tool_calls" not in turn for turn in turns)
    assert turns[-1]["content"] == "The tool answered:\n42"


def test_a_form_that_excludes_tools_is_left_out_beside_them_alone(server):
    words = "Function calling with a response mime type: 'application/json' is unsupported"
    server.default = answers_only(
        lambda body: not {"tools", "response_format"} <= body.keys(), error(400, words)
    )
    model_server_features.remember(server.base_url, "test-model", model_server_features.ModelCapabilities())
    ask(server, request(tools=(SEARCH,)), request())
    last = server.requests[-1].body
    assert ["tools" in sent.body for sent in server.requests] == [True, True, False]
    assert form_of(last) == "json_schema"


@pytest.mark.parametrize(
    "words", ["System role not supported", "Only user and assistant roles are supported!"]
)
def test_the_systems_words_move_into_the_first_turn_of_the_user(server, words):
    server.default = answers_only(
        lambda body: all(turn["role"] != "system" for turn in body["messages"]), error(400, words)
    )
    ask(server, request(SYSTEM, user()), request(SYSTEM, user()))
    [turn] = server.requests[-1].body["messages"]
    assert turn["role"] == "user"
    assert turn["content"].startswith("You date bridges.\n\nThe bridge")
    assert len(server.requests) == 3


def alternates(body):
    roles = [turn["role"] for turn in body["messages"]]
    return all(role == ("user", "assistant")[n % 2] for n, role in enumerate(roles))


def test_roles_alternate_where_a_template_wants_it(server):
    words = "Conversation roles must alternate user/assistant/user/assistant/..."
    server.default = answers_only(alternates, error(400, words))
    [reply] = ask(server, request(SYSTEM, user(), user("And that of Arnhem?")))
    assert isinstance(reply, Reply)
    assert [turn["role"] for turn in server.requests[-1].body["messages"]] == ["user"]
    assert len(server.requests) <= 3


@pytest.mark.parametrize(
    ("words", "most"),
    [
        ("max_tokens is too large: 500. This model supports at most 256 completion tokens", 256),
        ("Invalid max_tokens value, the valid range of max_tokens is [1, 128]", 128),
        ("max_output_tokens: 500 must be less than or equal to 400", 400),
    ],
)
def test_a_smaller_limit_of_the_output_is_taken_and_remembered(server, words, most):
    server.default = answers_only(lambda body: body["max_tokens"] <= most, error(400, words))
    ask(server, request(), request())
    assert [sent.body["max_tokens"] for sent in server.requests] == [500, most, most]


def test_what_exceeds_the_context_together_is_asked_for_with_less_output_this_time(server):
    words = (
        "This model's maximum context length is 600 tokens. However, you requested 700 tokens "
        "(200 in the messages, 500 in the completion)."
    )
    server.script(error(400, words, code="context_length_exceeded"))
    ask(server, request(), request())
    assert [sent.body["max_tokens"] for sent in server.requests] == [500, 384, 500]


def test_a_prompt_beyond_the_context_is_named(server):
    words = "request (20418 tokens) exceeds the available context size (8192 tokens), try increasing it"
    server.script(error(400, words))
    [failed] = ask(server)
    assert (failed.code, len(server.requests)) == (Trouble.CONTEXT_TOO_LONG, 1)


def test_a_server_that_refuses_for_good_is_left_alone(server):
    server.default = error(404, "The API deployment for this resource does not exist.")
    failures = ask(server, *[request()] * 20)
    assert {failure.code for failure in failures} == {Trouble.NOT_FOUND}
    assert len(server.requests) == 2


def test_after_its_rest_a_server_is_asked_again(server, monkeypatch):
    monkeypatch.setattr(openai_client, "REST_S", 0.0)
    server.script(*[error(401, "bad key")] * 2)
    *_failed, reply = ask(server, request(), request(), request())
    assert isinstance(reply, Reply)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (402, Trouble.QUOTA),
        (429, Trouble.RATE_LIMIT),
        (502, Trouble.UNAVAILABLE),
        ("401", Trouble.ACCESS_DENIED),
    ],
)
def test_an_error_within_an_answer_is_named_by_its_code(server, code, expected):
    body = {"id": None, "choices": None, "error": {"message": "Provider returned error", "code": code}}
    server.script(lambda _sent: Wire(200, json.dumps(body).encode()))
    [failed] = ask(server)
    assert failed.code is expected


def test_a_page_in_place_of_an_answer_says_that_the_address_is_wrong(server):
    server.script(
        lambda _sent: Wire(200, b"<!doctype html><title>Sign in</title>", {"content-type": "text/html"})
    )
    [failed] = ask(server)
    assert (failed.code, "web page" in failed.message) == (Trouble.NOT_FOUND, True)


def test_a_pause_in_milliseconds_is_kept(server):
    server.script(error(429, "slow down", retry_after_ms="700"))
    [failed] = ask(server)
    assert failed.retry_after_s == 0.7


# --- shapes of answers ---


def message(**said):
    return json.dumps({"choices": [{"message": {"role": "assistant", **said}}]}).encode()


def judge_reply(reply, tools=()):
    return judge(reply, Finding, tools)


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_an_answer_among_the_thoughts_is_used_where_there_is_no_other(field):
    assert judge_reply(read_reply(message(content=None, **{field: f"So: {json.dumps(GOOD)}"}))) == Fitting(
        RIGHT
    )


def test_thoughts_without_an_answer_are_told_as_what_they_are():
    flaw = judge_reply(read_reply(message(content="", reasoning_content="Let me think about bridges.")))
    assert flaw.code is Trouble.ONLY_THOUGHT


def test_thoughts_beside_an_answer_are_no_part_of_it():
    draft = json.dumps({"text": "Draft.", "year": 1})
    assert judge_reply(read_reply(message(content=json.dumps(GOOD), reasoning_content=draft))) == Fitting(
        RIGHT
    )


def test_an_output_used_up_by_thoughts_is_told():
    flaw = judge_reply(Reply("<think>thinking thinking", finish_reason="length"))
    assert flaw.code is Trouble.ONLY_THOUGHT


def stream(*deltas, finish="stop"):
    chunks = [{"choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
    chunks.append({"choices": [], "usage": {"prompt_tokens": 10, "completion_tokens": 5}})
    lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks]
    return (": PROCESSING\n\n" + "".join(lines) + "data: [DONE]\n\n").encode()


def test_a_stream_that_nobody_asked_for_is_put_together():
    said = json.dumps(GOOD)
    reply = read_reply(stream({"role": "assistant", "content": said[:9]}, {"content": said[9:]}))
    assert judge_reply(reply) == Fitting(RIGHT)
    assert (reply.tokens_input, reply.tokens_output, reply.finish_reason) == (10, 5, "stop")


def test_tool_calls_in_a_stream_are_put_together():
    reply = read_reply(
        stream(
            {"tool_calls": [{"index": 0, "id": "c1", "function": {"name": "search", "arguments": '{"a"'}}]},
            {"tool_calls": [{"index": 0, "function": {"arguments": ": 1}"}}]},
            finish="tool_calls",
        )
    )
    assert reply.tool_calls == (ToolCall("c1", "search", '{"a": 1}'),)


def test_an_error_in_a_stream_is_named():
    with pytest.raises(ModelError) as raised:
        read_reply(b'data: {"error": {"message": "overloaded", "code": 502}}\n\ndata: [DONE]\n\n')
    assert raised.value.code is Trouble.UNAVAILABLE


@pytest.mark.parametrize(
    "sent",
    [
        message(content=GOOD),
        message(
            content=[
                {"type": "thinking", "thinking": "…", "text": "{}"},
                {"type": "text", "text": json.dumps(GOOD)},
            ]
        ),
        message(content=[json.dumps(GOOD)]),
        b"\xef\xbb\xbf" + message(content=json.dumps(GOOD)),
        b"\n\n  " + message(content=json.dumps(GOOD)) + b"\ndata: [DONE]",
        message(content=json.dumps(GOOD)).replace(b'"choices"', b'"logprobs": NaN, "choices"'),
    ],
)
def test_the_answer_is_found_in_whatever_its_body_makes_of_it(sent):
    assert judge_reply(read_reply(sent)) == Fitting(RIGHT)


DRAFT = '{"text": "Draft.", "year": 1}'


@pytest.mark.parametrize(
    "said",
    [
        f"[THINK]Perhaps {DRAFT}?[/THINK]{json.dumps(GOOD)}",
        f"<think>Perhaps {DRAFT}?</think>\n{json.dumps(GOOD)}",
        f"<|channel|>analysis<|message|>{DRAFT}<|end|><|start|>assistant<|channel|>final"
        f"<|message|>{json.dumps(GOOD)}<|return|>",
        f"<|channel|>final <|constrain|>json<|message|>{json.dumps(GOOD)}",
        f"analysisPerhaps {DRAFT}.assistantfinal{json.dumps(GOOD)}",
        f"<|START_THINKING|>{DRAFT}<|END_THINKING|>{json.dumps(GOOD)}",
        f"◁think▷{DRAFT}◁/think▷{json.dumps(GOOD)}",
        f"<seed:think>{DRAFT}</seed:think>{json.dumps(GOOD)}",
        f"<reasoning>{DRAFT}</reasoning>{json.dumps(GOOD)}",
        f"{DRAFT}[/THINK]{json.dumps(GOOD)}",
        f"First try: {DRAFT}\nOn second thoughts:\n{json.dumps(GOOD)}",
        f"Sure, as {{agreed}}:\n```json\n{json.dumps(GOOD)}\n```\nAnything else?",
        f"[{json.dumps(GOOD)}]",
        "{'text': 'Built.', 'year': 1918}",
        '{"text": "Built.", "year": 1918,}',
        f"<tool_call>\n{json.dumps({'name': 'answer', 'arguments': GOOD})}\n</tool_call>",
        json.dumps({"name": "answer", "parameters": json.dumps(GOOD)}),
        json.dumps({"answer": GOOD}),
    ],
)
def test_the_last_object_that_fits_is_the_answer_and_no_draft_is(said):
    assert judge_reply(Reply(said)) == Fitting(RIGHT)


def test_line_ends_within_texts_are_read():
    assert (
        judge_reply(Reply('{"text": "Built\nin spring.", "year": 1918}')).parsed.text == "Built\nin spring."
    )


@pytest.mark.parametrize(
    "said",
    [
        '{"text": "It holds {\\"text\\": \\"a\\", \\"year\\": 1}", "year": }',
        '{"drafts": [{"text": "a", "year": 1}], "year": "x"',
    ],
)
def test_a_part_of_something_broken_is_no_answer(said):
    assert judge_reply(Reply(said)).code is Trouble.INVALID_OUTPUT


def test_a_call_whose_arguments_are_the_answer_is_the_answer():
    reply = Reply("", (ToolCall("1", "give_answer", json.dumps(GOOD)),), "tool_calls")
    assert judge_reply(reply) == Fitting(RIGHT)
    assert judge_reply(reply, ["search"]) == Fitting(RIGHT)


def test_arguments_that_are_nearly_json_are_read():
    found = judge_reply(Reply("", (ToolCall("1", "search", '{"query": "heat pump", }'),)), ["search"])
    assert json.loads(found.tool_calls[0].arguments) == {"query": "heat pump"}


def test_calls_written_as_text_are_calls():
    said = '<tool_call>{"name": "search", "arguments": {"query": "a"}}</tool_call>'
    [call] = judge_reply(Reply(said), ["search"]).tool_calls
    assert (call.name, json.loads(call.arguments)) == ("search", {"query": "a"})


class Lenient(Finding):
    """An answer any object would fit, since all of its fields have defaults."""

    text: str = ""
    year: int = 0


def test_an_object_of_other_names_is_no_answer():
    said = f'{json.dumps(GOOD)}\n{{"note": "I hope it helps"}}'
    assert judge(Reply(said), Lenient, ()).parsed == Lenient(text="Built.", year=1918)
    assert judge(Reply('{"note": "nothing"}'), Lenient, ()).code is Trouble.INVALID_OUTPUT


def test_a_text_of_many_broken_objects_is_given_up_soon(monkeypatch):
    scanned = []
    original = loose_model_json._end_of

    def count_and_find(text, start):
        scanned.append(len(text) - start)
        return original(text, start)

    monkeypatch.setattr(loose_model_json, "_end_of", count_and_find)
    text = '{"a" ' * 190_000
    assert loose_model_json.objects(text) == []
    assert 0 < sum(scanned) <= loose_model_json.MAX_SCANNED + len(text)
