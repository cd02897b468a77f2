"""A tool as the loop sees it: what the model is told of it, of its mistakes, and of time that ran out."""

import asyncio
import json
from typing import Literal

import pytest

from research.agents.tools.tool_catalogue import catalogue
from research.agents.tools.tool_interface import Tool, ToolCode, ToolError, ToolInput, ToolOutput, Use
from research.models import AgentRole
from tests.agents.steps import STEP

USE = Use(STEP, AgentRole.RESEARCHER, "turn.1.call.1")


class Inner(ToolInput):
    words: list[str] = []


class Asked(ToolInput):
    kind: Literal["a", "b"]
    number: int = 1
    inner: Inner = Inner()


class Got(ToolOutput):
    number: int


async def answers(given: Asked, use: Use) -> Got:
    return Got(number=given.number)


async def hangs(given: Asked, use: Use) -> Got:
    await asyncio.Event().wait()
    raise AssertionError


def use_tool(arguments: str, work=answers, limit_s: float = 5) -> Got:
    return asyncio.run(Tool("try", "Tries.", Asked, work, limit_s).use(arguments, USE))


def refusal(arguments: str, **rest: object) -> ToolError:
    with pytest.raises(ToolError) as caught:
        use_tool(arguments, **rest)
    return caught.value


def test_arguments_are_read_as_the_model_writes_them():
    assert use_tool('{"kind": "a", "number": 7}').number == 7


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("", "kind: Field required"),
        ("not json", "arguments: Invalid JSON"),
        ("[1]", "arguments: "),
        ('{"kind": "c"}', "kind: Input should be 'a' or 'b'"),
        ('{"kind": "a", "number": "many"}', "number: "),
        ('{"kind": "a", "tenant": "another"}', "tenant: Extra inputs are not permitted"),
        ('{"kind": "a", "inner": {"words": ["x\\u0000y"]}}', "NUL"),
        ('{"kind": "a", "inner": {"words": ["\\ud800"]}}', "arguments: "),
        ("[" * 5_000, "arguments: "),
    ],
)
def test_a_mistake_is_told_by_the_name_of_the_field(arguments: str, told: str):
    problem = refusal(arguments)
    assert (problem.code, told in problem.message) == (ToolCode.INVALID_ARGUMENTS, True)


def test_what_was_written_is_not_repeated():
    assert "s3cret" not in refusal('{"kind": "s3cret", "number": "s3cret", "inner": {"s": "s3cret"}}').message


def test_many_mistakes_are_told_in_part():
    words = json.dumps({"kind": "a", "inner": {"words": list(range(100))}})
    assert refusal(words).message.count(";") == 9


def test_time_that_runs_out_is_told_with_the_limit():
    problem = refusal('{"kind": "a"}', work=hangs, limit_s=0)
    assert (problem.code, problem.message) == (ToolCode.TIMEOUT, "try had no result within 0 s.")


def test_what_is_not_there_yet_is_not_worth_another_try():
    unmendable = [code for code in ToolCode if not ToolError(code, "x").is_recoverable]
    assert unmendable == [ToolCode.NOT_AVAILABLE]


@pytest.mark.parametrize("name", catalogue())
def test_every_tool_says_what_it_takes(name: str):
    schema = catalogue()[name].schema
    fields = schema.input.model_json_schema()
    assert (schema.name, fields["type"], fields["additionalProperties"]) == (name, "object", False)
    assert schema.description.endswith(".")
