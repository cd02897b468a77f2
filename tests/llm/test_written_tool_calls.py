"""Calls of tools as models write them where no parser of the server reads them: each family has marks of its own."""

import json

import pytest
from pydantic import BaseModel

from research.llm.parse_model_answers import Fitting, judge
from research.llm.provider.completion_replies import Reply

TEXT = '{"text": "a", "year": "1"}'


class Total(BaseModel):
    total: int


@pytest.mark.parametrize(
    "said",
    [
        '[search(text="a", year="1")]',
        '```tool_code\nsearch(text="a", year="1")\n```',
        f'<|python_tag|>{{"name": "search", "parameters": {TEXT}}}',
        f"<function=search>{TEXT}</function>",
        "<tool_call>\n<function=search>\n<parameter=text>\na\n</parameter>\n<parameter=year>\n1\n</parameter>\n</function>",
        '<invoke name="search"><parameter name="text">a</parameter><parameter name="year">1</parameter></invoke>',
        "<tool_call>search\n<arg_key>text</arg_key>\n<arg_value>a</arg_value>\n"
        "<arg_key>year</arg_key>\n<arg_value>1</arg_value>\n</tool_call>",
        f"[TOOL_CALLS]search{TEXT}",
        f'[TOOL_CALLS][{{"name": "search", "arguments": {TEXT}}}]',
        f"<｜tool▁call▁begin｜>function<｜tool▁sep｜>search\n```json\n{TEXT}\n```<｜tool▁call▁end｜>",
        f"<|tool_call_begin|>functions.search:0<|tool_call_argument_begin|>{TEXT}<|tool_call_end|>",
        "<|channel|>analysis<|message|>I could call search with {}.<|end|><|start|>assistant<|channel|>commentary"
        f" to=functions.search <|constrain|>json<|message|>{TEXT}<|call|>",
        f'{{"name": "functions.search", "arguments": {TEXT}}}',
        json.dumps({"type": "function", "function": {"name": "search", "arguments": TEXT}}),
        f'Thought: I need the web.\n{{"action": "search", "action_input": {TEXT}}}',
    ],
)
def test_call_in_the_marks_of_a_model_is_read(said):
    found = judge(Reply(said), Total, ["search", "browse"])
    assert [(call.name, json.loads(call.arguments)) for call in found.tool_calls] == [
        ("search", {"text": "a", "year": "1"})
    ]


def test_several_calls_are_read_in_order():
    found = judge(
        Reply('[search(queries=["a", "b"], days=None), browse(url="x")]'), Total, ["search", "browse"]
    )
    assert [(call.name, json.loads(call.arguments)) for call in found.tool_calls] == [
        ("search", {"queries": ["a", "b"], "days": None}),
        ("browse", {"url": "x"}),
    ]


@pytest.mark.parametrize(
    "said",
    [
        'I used search: {"total": 3}',
        'search(text="a") gave me this.\n{"total": 3}',
        '{"total": 3} by research',
    ],
)
def test_answer_beside_the_name_of_a_tool_is_the_answer(said):
    assert judge(Reply(said), Total, ["search"]) == Fitting(Total(total=3))


@pytest.mark.parametrize(
    "said",
    [
        "I would use search for that.",
        "search(a, b)",
        "search(text=open('x'))",
        "re-search{}",
        "search " + "(" * 3000,
    ],
)
def test_name_of_a_tool_alone_is_no_call(said):
    assert not isinstance(judge(Reply(said), Total, ["search"]), Fitting)


def test_thought_about_a_call_is_no_call():
    said = '<|channel|>analysis<|message|>Perhaps search{"text": "a"}?<|end|><|start|>assistant'
    assert not isinstance(judge(Reply(said), Total, ["search"]), Fitting)
