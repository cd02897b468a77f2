"""Further ways in which servers and models depart from the protocol."""

import gzip
import json

import pytest
from pydantic import BaseModel

from research.llm.model_errors import Trouble
from research.llm.parse_model_answers import Fitting, judge
from research.llm.provider.completion_replies import Reply, read_reply
from tests.fakes.openai_answers import Wire, error, generate_answer
from tests.llm.asking import Finding, ask, request

GOOD = {"text": "Built.", "year": 1918}
RIGHT = Fitting(Finding(text="Built.", year=1918))


class Findings(BaseModel):
    """A list in an object, as most answers are."""

    findings: list[Finding]


def judge_text(text, schema=Finding):
    return judge(Reply(text), schema, ())


def wire(value, **headers):
    return lambda _sent: Wire(200, json.dumps(value).encode(), headers)


def test_a_compressed_answer_is_read_though_none_was_asked_for(server):
    body = json.dumps({"choices": [{"message": {"content": json.dumps(GOOD)}}]}).encode()
    server.script(lambda _sent: Wire(200, gzip.compress(body), {"content-encoding": "gzip"}))
    [reply] = ask(server)
    assert judge(reply, Finding, ()) == RIGHT


def test_ollamas_own_form_is_read():
    body = {
        "model": "qwen3",
        "message": {"role": "assistant", "content": json.dumps(GOOD)},
        "done": True,
        "done_reason": "stop",
        "prompt_eval_count": 26,
        "eval_count": 12,
    }
    reply = read_reply(json.dumps(body).encode())
    assert judge(reply, Finding, ()) == RIGHT
    assert (reply.tokens_input, reply.tokens_output) == (26, 12)


def test_a_completion_in_place_of_a_chat_is_read():
    body = {"object": "text_completion", "choices": [{"text": json.dumps(GOOD), "finish_reason": "stop"}]}
    assert judge(read_reply(json.dumps(body).encode()), Finding, ()) == RIGHT


def test_json_within_a_text_of_json_is_read():
    assert judge_text(json.dumps(json.dumps(GOOD))) == RIGHT


@pytest.mark.parametrize("reason", ["max_tokens", "MAX_TOKENS", "max_output_tokens", "model_length"])
def test_other_words_for_the_output_limit_are_known(reason):
    assert judge(Reply('{"text": "a', finish_reason=reason), Finding, ()).code is Trouble.TRUNCATED


def test_typographic_quotes_are_read():
    assert judge_text("{“text”: “Built.”, “year”: 1918}") == RIGHT


def test_names_without_quotes_and_comments_are_read():
    assert judge_text('{\n  // the year of completion\n  text: "Built.",\n  year: 1918\n}') == RIGHT


def test_a_list_in_place_of_the_object_that_holds_it_is_read():
    assert judge_text(json.dumps([GOOD, GOOD]), Findings).parsed == Findings(findings=[RIGHT.parsed] * 2)
    lines = "\n".join([json.dumps(GOOD)] * 2)
    assert judge_text(lines, Findings).parsed == Findings(findings=[RIGHT.parsed] * 2)


@pytest.mark.parametrize(
    "body",
    [
        {
            "error": {
                "code": 400,
                "message": "Unknown name \"additionalProperties\" at 'generation_config.response_schema'",
            }
        },
        {
            "detail": [
                {"loc": ["body", "response_format", "type"], "msg": "unexpected value; permitted: 'text'"}
            ]
        },
        {"detail": "response_format is not supported by this model"},
        {"errors": [{"message": "response_format: json_schema is not available"}]},
    ],
)
def test_complaints_in_other_shapes_teach_too(server, body):
    def behave(sent):
        if (sent.body.get("response_format") or {}).get("type") == "json_schema":
            return Wire(400, json.dumps(body).encode())
        return generate_answer()(sent)

    server.default = behave
    first, second = ask(server, request(), request())
    assert (type(first), type(second)) == (Reply, Reply)
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    ("words", "pause"),
    [
        ("Rate limit reached for gpt-5-mini. Please try again in 1.5s. Visit the page to learn more.", 1.5),
        ("Rate limit reached. Please try again in 320ms.", 0.32),
        ("Please retry in 7 seconds.", 7),
        ("Please try again in 2m3.5s.", 123.5),
        ("Please slow down.", None),
    ],
)
def test_a_pause_that_stands_in_the_words_is_kept(server, words, pause):
    server.script(error(429, words))
    [failed] = ask(server)
    assert failed.retry_after_s == pause


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("Loading model", Trouble.BUSY),
        ("Model is loading, try again later", Trouble.BUSY),
        ("Down", Trouble.UNAVAILABLE),
    ],
)
def test_server_that_loads_its_model_is_waited_for_like_a_busy_one(server, words, code):
    server.default = error(503, words)
    [failed] = ask(server)
    assert (failed.code, failed.is_retryable) == (code, True)


def refuses(accepts, refusal):
    """A server that refuses each request that it does not accept."""
    return lambda sent: generate_answer()(sent) if accepts(sent.body) else refusal(sent)


def has_no_schema(body):
    return (body.get("response_format") or {}).get("type") != "json_schema"


@pytest.mark.parametrize(
    "refusal",
    [
        error(400, "The specified schema produces a constraint that has too many states for serving."),
        error(400, "output_config.format: Extra inputs are not permitted"),
        error(400, "Bad Request"),
        lambda _sent: Wire(400, b""),
        error(403, "response_format json_schema is not available on your plan"),
        error(415, "response_format json_schema unsupported"),
    ],
)
def test_refusal_without_a_known_reason_leads_to_a_lesser_form(server, refusal):
    server.default = refuses(has_no_schema, refusal)
    first, second = ask(server, request(), request())
    assert (type(first), type(second)) == (Reply, Reply)
    assert len(server.requests) == 3


def test_refused_form_is_remembered_though_the_server_has_not_answered_yet(server):
    refused = error(500, "response_format.type Input should be 'text' or 'json_object'")
    server.script(refused, error(503, "busy"), generate_answer())
    failed, answered = ask(server, request(), request())
    assert (failed.code, type(answered)) == (Trouble.UNAVAILABLE, Reply)
    forms = [sent.body["response_format"]["type"] for sent in server.requests]
    assert forms == ["json_schema", "json_object", "json_object"]


def test_server_that_refuses_all_forms_without_a_reason_is_asked_in_words(server):
    server.default = refuses(lambda body: "response_format" not in body, error(400, "Bad Request"))
    [reply] = ask(server)
    assert isinstance(reply, Reply)
    assert len(server.requests) == 3


def test_server_that_refuses_everything_is_asked_in_all_forms_once(server):
    server.default = error(400, "Bad Request")
    failures = ask(server, *[request()] * 10)
    assert {failure.code for failure in failures} == {Trouble.BAD_REQUEST}
    assert len(server.requests) == 4


@pytest.mark.parametrize("name", ["temperature", "max_tokens", "response_format"])
def test_parameter_that_only_its_place_names_is_left_out(server, name):
    problem = {"type": "extra_forbidden", "loc": ["body", name], "msg": "Extra inputs are not permitted"}
    server.default = refuses(
        lambda body: name not in body, lambda _sent: Wire(422, json.dumps({"detail": [problem]}).encode())
    )
    [reply] = ask(server)
    assert isinstance(reply, Reply)
    assert len(server.requests) <= 3


def test_vllms_words_for_too_much_output_leave_room_for_less(server):
    words = (
        "'max_tokens' or 'max_completion_tokens' is too large: 500. This model's maximum context length is 4096 tokens"
        " and your request has 3796 input tokens (500 > 4096 - 3796). (parameter=max_tokens, value=500)"
    )
    server.default = refuses(lambda body: body["max_tokens"] <= 300, error(400, words))
    ask(server)
    assert [sent.body["max_tokens"] for sent in server.requests] == [500, 284]


def message(**fields):
    return json.dumps({"choices": [{"message": {"content": None, **fields}, "finish_reason": "stop"}]})


@pytest.mark.parametrize(
    "body",
    [
        f": PROCESSING\n\n: PROCESSING\n\n{message(content=json.dumps(GOOD))}",
        f" \n\n  {message(content=json.dumps(GOOD))}",
        message(function_call={"name": "Finding", "arguments": json.dumps(GOOD)}),
        message(parsed=GOOD),
        json.dumps({"choices": [{"message": {"content": ""}}, {"message": {"content": json.dumps(GOOD)}}]}),
        message(content=json.dumps({"type": "object", "properties": GOOD, "required": ["text", "year"]})),
        message(content=json.dumps({"answer": GOOD, "explanation": "The text says so."})),
        message(content=json.dumps({"draft": {"text": "?", "year": 0}, "final": GOOD})),
    ],
)
def test_answer_is_found_where_a_server_or_model_put_it(body):
    assert judge(read_reply(body.encode()), Finding, ()) == RIGHT


def test_part_of_an_object_with_a_field_of_the_answer_is_no_answer():
    said = json.dumps({"text": 5, "example": GOOD})
    assert not isinstance(judge(Reply(said), Finding, ()), Fitting)
