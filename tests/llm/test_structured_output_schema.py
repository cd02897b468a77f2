"""Schemas as strict servers want them."""

from enum import StrEnum
from typing import Literal

from pydantic import BaseModel, Field

from research.llm.provider.structured_output_schema import build_structured_output, describe_parameters


class Mood(StrEnum):
    SURE = "sure"
    UNSURE = "unsure"


class Part(BaseModel):
    title: str = Field(default="", max_length=20)
    pattern: str  # a property may be called like a keyword


class Whole(BaseModel):
    parts: list[Part] = Field(min_length=1, description="What it is made of")
    mood: Mood = Mood.SURE
    kind: Literal["a", "b"]
    year: int | None = None
    first: Part


class Open(BaseModel):
    values: dict[str, int]


class Anything(BaseModel):
    value: object


def objects(node):
    if isinstance(node, dict):
        if node.get("type") == "object":
            yield node
        for value in node.values():
            yield from objects(value)
    if isinstance(node, list):
        for value in node:
            yield from objects(value)


def test_every_object_requires_all_its_properties_and_allows_no_others():
    found = list(objects(build_structured_output(Whole).schema))
    assert len(found) == 2
    assert all(node["required"] == list(node["properties"]) for node in found)
    assert all(node["additionalProperties"] is False for node in found)


def test_keywords_that_strict_mode_does_not_know_are_dropped():
    text = str(build_structured_output(Whole).schema)
    assert "maxLength" not in text
    assert "minItems" not in text
    assert "default" not in text


def test_bounds_are_kept_for_servers_that_know_them():
    text = str(build_structured_output(Whole).bounded)
    assert "'maxLength': 20" in text
    assert "minItems" not in text


def test_a_property_named_like_a_keyword_stays():
    assert set(build_structured_output(Whole).schema["$defs"]["Part"]["properties"]) == {"title", "pattern"}


def test_descriptions_stay_for_the_model_to_read():
    assert build_structured_output(Whole).schema["properties"]["parts"]["description"] == "What it is made of"


def test_nothing_stands_beside_a_reference():
    assert build_structured_output(Whole).schema["properties"]["first"] == {"$ref": "#/$defs/Part"}


def test_an_object_with_any_keys_is_not_sent_as_strict():
    assert build_structured_output(Whole).is_strict
    assert not build_structured_output(Open).is_strict
    assert not build_structured_output(Anything).is_strict


def test_recursion_is_no_obstacle():
    class Tree(BaseModel):
        name: str
        children: list["Tree"] = []

    assert build_structured_output(Tree).is_strict


def test_parameters_are_described_with_their_types_and_meanings():
    assert describe_parameters(Whole.model_json_schema()) == (
        '{parts: [{title?: string, pattern: string}] (What it is made of), mood?: "sure" | "unsure",'
        ' kind: "a" | "b", year?: integer | null, first: {title?: string, pattern: string}}'
    )
