"""A model's text becomes an object, or the model is told what is missing."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from research.llm.call_types import Speaker, ToolCall
from research.llm.model_errors import ModelError, Trouble
from research.llm.parse_model_answers import MAX_TEXT, Fitting, Flaw, judge, repair_messages, without_thinking
from research.llm.provider.completion_replies import Reply, read_reply
from tests.llm.asking import Finding, user

GOOD = '{"text": "Built.", "year": 1918}'


def judge_text(text, tools=(), **changed):
    return judge(Reply(text, **changed), Finding, tools)


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"  \n{GOOD}\n",
        f"```json\n{GOOD}\n```",
        f"```\n{GOOD}\n```",
        f"<think>Let me see: {{1918}}?</think>{GOOD}",
        f"<thinking>hm</thinking>\n{GOOD}",
        f"reasoning without an opening mark</think>{GOOD}",
        f"Here is the answer: {GOOD} I hope it helps.",
        f"<think>a</think><think>b</think>```json\n{GOOD}\n```",
    ],
)
def test_an_object_is_found_in_its_usual_wrappings(text):
    assert judge_text(text) == Fitting(Finding(text="Built.", year=1918))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('{"text": "unclosed", "year": }', Trouble.INVALID_OUTPUT),
        ('{"text": "no year"}', Trouble.INVALID_OUTPUT),
        ('["a list"]', Trouble.INVALID_OUTPUT),
        ("I don't know.", Trouble.INVALID_OUTPUT),
        ("A set {of words} is no object.", Trouble.INVALID_OUTPUT),
        ("", Trouble.EMPTY),
        ("<think>only thoughts", Trouble.ONLY_THOUGHT),
        ("x" * (MAX_TEXT + 1), Trouble.TOO_LONG),
        ("[" * 100_000, Trouble.INVALID_OUTPUT),
        ('{"text":' * 50_000, Trouble.INVALID_OUTPUT),
    ],
)
def test_what_is_no_object_is_named(text, code):
    assert judge_text(text).code is code


def test_characters_that_no_row_can_hold_are_left_out():
    got = judge_text('{"text": "a\\u0000b \\\\u0000", "year": 1}')
    assert got.parsed.text == "ab \\u0000"


def test_half_an_answer_is_truncated_even_where_it_would_fit():
    assert judge_text(GOOD, finish_reason="length").code is Trouble.TRUNCATED


class Findings(BaseModel):
    findings: list[Finding]
    remark: str = ""


def judge_cut_off(text):
    return judge(Reply(text, finish_reason="length"), Findings, ())


@pytest.mark.parametrize(
    "cut", ['{"text": "The second', '{"text": "Second.", "year": 19', "", "\n", '{"text": "]}", "ye']
)
def test_of_an_answer_that_was_cut_off_the_complete_items_are_kept(cut):
    first = '{"text": "Built [in }", "year": 1918}'
    kept = judge_cut_off(f'{{"findings": [{first}, {cut}').parsed
    assert [found.text for found in kept.findings] == ["Built [in }"]


@pytest.mark.parametrize(
    "text", ['{"findings": [{"text": "Built', '{"findings": [', '{"remark": "so', "Well, I"]
)
def test_a_cut_off_answer_without_a_complete_item_is_asked_for_in_fewer_words(text):
    flaw = judge_cut_off(text)
    assert (flaw.code, flaw.can_be_repaired) == (Trouble.TRUNCATED, True)


def test_an_answer_that_goes_round_in_circles_is_not_asked_for_again():
    circles = judge_text('{"text": "' + "The pump is warm. " * 200, finish_reason="length")
    assert (circles.code, circles.can_be_repaired) == (Trouble.TRUNCATED, False)
    rows = [f"Pump {number} delivers {number * 7} kilowatts at {number} degrees." for number in range(80)]
    assert judge_text(json.dumps(rows)[:-1], finish_reason="length").can_be_repaired


def test_a_model_that_was_cut_off_while_it_thought_is_told_to_think_less():
    flaw = judge_cut_off("<think>Let me see: the bridge was")
    assert (flaw.code, flaw.can_be_repaired) == (Trouble.ONLY_THOUGHT, True)


@pytest.mark.parametrize("refused", [{"refusal": "No."}, {"finish_reason": "content_filter"}])
def test_a_refusal_is_not_repaired(refused):
    flaw = judge_text("", **refused)
    assert (flaw.code, flaw.can_be_repaired) == (Trouble.REFUSED, False)


def test_calls_of_known_tools_come_through():
    calls = (ToolCall("1", "search", "{}"),)
    assert judge_text("", ["search"], tool_calls=calls) == Fitting(None, calls)


def test_a_tool_that_does_not_exist_is_the_tool_loops_to_refuse():
    calls = (ToolCall("1", "shell", "{}"),)
    assert judge_text("", ["search", "browse"], tool_calls=calls) == Fitting(None, calls)


def test_calls_where_no_tool_was_offered_are_a_flaw():
    flaw = judge_text("", tool_calls=(ToolCall("1", "search", "{}"),))
    assert (flaw.code, flaw.can_be_repaired) == (Trouble.INVALID_OUTPUT, True)


def test_the_errors_name_the_fields_and_quote_nothing():
    flaw = judge_text('{"text": 5, "year": "canary-77"}')
    assert [line.split(":")[0] for line in flaw.errors] == ["text", "year"]
    assert "canary-77" not in " ".join(flaw.errors)


def test_a_repair_turn_repeats_the_answer_and_says_what_was_wrong():
    flaw = Flaw(Trouble.INVALID_OUTPUT, ("year: Field required",))
    asked, said, told = repair_messages((user(),), Reply('<think>x</think>{"text": "a"}'), flaw, Finding)
    assert asked == user()
    assert (said.speaker, said.content) == (Speaker.ASSISTANT, '{"text": "a"}')
    assert "year: Field required" in told.content
    assert '"required":["text","year"]' in told.content


def test_a_repair_turn_does_not_repeat_an_endless_answer():
    turns = repair_messages((user(),), Reply("y" * 500_000), Flaw(Trouble.INVALID_OUTPUT), Finding)
    assert sum(len(turn.content) for turn in turns) < 30_000


@given(st.text(max_size=300))
def test_no_text_is_too_odd_to_be_judged(text):
    assert isinstance(judge_text(text), Fitting | Flaw)


@given(st.text(max_size=200))
def test_thoughts_never_come_through(text):
    assert "<think>" not in without_thinking(f"<think>{text}</think>{text}").lower()


def body(message, **choice):
    return json.dumps(
        {"choices": [{"message": message, **choice}], "usage": {"prompt_tokens": None}}
    ).encode()


def test_an_answer_in_parts_is_put_together():
    parts = [{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}]
    assert read_reply(body({"content": parts})).text == "ab"


@pytest.mark.parametrize(("arguments", "text"), [(None, "{}"), ({"a": 1}, '{"a": 1}'), ("{}", "{}")])
def test_arguments_of_a_tool_come_as_text_however_they_were_sent(arguments, text):
    asked = [{"id": None, "function": {"name": "f", "arguments": arguments}}]
    assert read_reply(body({"content": None, "tool_calls": asked})).tool_calls == (
        ToolCall("call_0", "f", text),
    )


@pytest.mark.parametrize("sent", [b'{"choices": null}', b'{"choices": []}', b"{}"])
def test_a_body_without_an_answer_is_empty(sent):
    with pytest.raises(ModelError) as raised:
        read_reply(sent)
    assert raised.value.code is Trouble.EMPTY


@pytest.mark.parametrize("sent", [b"", b"null", b"[]", b'{"choices": "x"}', b"\xff\xfe"])
def test_a_body_of_another_kind_is_no_chat_completion(sent):
    with pytest.raises(ModelError) as raised:
        read_reply(sent)
    assert raised.value.code is Trouble.UNAVAILABLE


def test_senseless_usage_counts_as_missing():
    reply = read_reply(body({"content": "x"}))
    assert (reply.tokens_input, reply.tokens_output) == (None, None)
