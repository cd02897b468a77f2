"""JSON schemas of pydantic models, in the form that servers accept for strict structured output.

Strict mode (OpenAI, Structured Outputs) requires every property, allows no additional ones, and supports few
keywords. Constraints dropped here are still validated by pydantic.

Other servers get the longest length of texts and lists too: where a grammar enforces it, a model that repeats
itself comes to an end.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from pydantic import BaseModel

Node: TypeAlias = "dict[str, Node] | list[Node] | str | int | float | bool | None"
Schema: TypeAlias = "dict[str, Node]"

DROPPED = frozenset(
    "default title examples minLength maxLength pattern format minimum maximum exclusiveMinimum exclusiveMaximum "
    "multipleOf minItems maxItems uniqueItems minProperties maxProperties discriminator contentMediaType".split()
)
BOUNDS = frozenset({"maxLength", "maxItems"})
MAX_TOOL_CALLS = 3  # of one turn, where a schema bounds them
INEXPRESSIBLE = frozenset({"prefixItems", "patternProperties", "not", "if", "allOf", "propertyNames"})
NAMED = ("properties", "$defs")  # their keys are names, not keywords


@dataclass(frozen=True, slots=True)
class StructuredOutput:
    """The schema of an answer, and the same with bounds for servers that support them.

    `is_strict` is False if strict mode can't express it; then it is sent unchanged.
    """

    name: str
    schema: Schema
    is_strict: bool
    bounded: Schema


@lru_cache(maxsize=256)
def build_structured_output(model: type[BaseModel]) -> StructuredOutput:
    """Return the schema of an answer, strict if possible."""
    plain: Schema = model.model_json_schema()
    is_strict = not _is_inexpressible(plain)
    name = "".join(letter if letter.isalnum() else "_" for letter in model.__name__)[:60]
    if not is_strict:
        return StructuredOutput(name, plain, is_strict, plain)
    return StructuredOutput(name, _strict(plain, DROPPED), is_strict, _strict(plain, DROPPED - BOUNDS))


def _is_inexpressible(node: Node, *, names: bool = False) -> bool:
    if isinstance(node, list):
        return any(map(_is_inexpressible, node))
    if not isinstance(node, dict):
        return False
    if not names and (INEXPRESSIBLE & node.keys() or _is_open(node)):
        return True
    return any(_is_inexpressible(value, names=not names and key in NAMED) for key, value in node.items())


def _is_open(node: Schema) -> bool:
    """Return True for an object with arbitrary keys, or a value of any type."""
    if node.get("type") == "object":
        return bool(node.get("additionalProperties")) or "properties" not in node
    return not node.keys() & {"type", "$ref", "anyOf", "oneOf", "enum", "const"}


def _strict(node: Schema, dropped: frozenset[str]) -> Schema:
    kept = {
        _rename_keyword(key): _strict_value(key, value, dropped)
        for key, value in node.items()
        if key not in dropped
    }
    properties = kept.get("properties")
    if isinstance(properties, dict):
        kept["additionalProperties"] = False
        kept["required"] = [*properties]
    if "$ref" in kept:
        return {"$ref": kept["$ref"]}  # no other keyword is allowed beside it
    return kept


def _rename_keyword(keyword: str) -> str:
    return "anyOf" if keyword == "oneOf" else keyword


def _strict_value(key: str, value: Node, dropped: frozenset[str]) -> Node:
    if key in NAMED and isinstance(value, dict):
        return {name: _strict_value("", part, dropped) for name, part in value.items()}
    if isinstance(value, dict):
        return _strict(value, dropped)
    if isinstance(value, list):
        return [_strict_value("", part, dropped) for part in value]
    return value


def with_tool_calls(answer: Mapping[str, Node], tools: Mapping[str, Mapping[str, Node]]) -> Schema:
    """Return a schema for either the answer or calls of tools, for servers that know no tools.

    `tools`: the schema of each tool's arguments, by the tool's name.
    """
    calls: list[Node] = []
    definitions: Schema = {}
    for name, parameters in tools.items():
        arguments, own = _split_definitions(parameters)
        definitions |= own
        calls.append(_exact_object({"name": {"enum": [name], "type": "string"}, "arguments": arguments}))
    plain, own = _split_definitions(answer)
    listed: Schema = {"type": "array", "items": {"anyOf": calls}, "minItems": 1, "maxItems": MAX_TOOL_CALLS}
    return {"anyOf": [_exact_object({"tool_calls": listed}), plain], "$defs": {**definitions, **own}}


def _split_definitions(schema: Mapping[str, Node]) -> tuple[Schema, Schema]:
    """Return the schema without its definitions, and these."""
    definitions = schema.get("$defs")
    plain = {key: value for key, value in schema.items() if key != "$defs"}
    return plain, definitions if isinstance(definitions, dict) else {}


def _exact_object(properties: Schema) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": [*properties],
        "additionalProperties": False,
    }


def tool_parameters(model: type[BaseModel]) -> Mapping[str, Node]:
    """Return the JSON schema of a tool's input."""
    schema: Schema = model.model_json_schema()
    return {key: value for key, value in schema.items() if key != "title"}


def describe_parameters(schema: Mapping[str, Node]) -> str:
    """Return the schema of an object as a type with the descriptions of its fields, a third as long as its JSON.

    Slow servers read a prompt of 4,000 tokens for minutes. Bounds are left out: who exceeds them is told.

    >>> describe_parameters({"properties": {"url": {"type": "string", "description": "An id."}}, "required": []})
    '{url?: string (An id.)}'
    """
    return _describe_type({**schema}, schema)


def _describe_type(node: Node, root: Mapping[str, Node]) -> str:
    if not isinstance(node, dict):
        return "any"
    if isinstance(reference := node.get("$ref"), str):
        definitions = root.get("$defs")
        named = definitions.get(reference.rpartition("/")[2]) if isinstance(definitions, dict) else None
        return _describe_type(named, root)
    if isinstance(values := node.get("enum"), list):
        return " | ".join(f'"{value}"' for value in values)
    if isinstance(kinds := node.get("anyOf"), list):
        return " | ".join(_describe_type(kind, root) for kind in kinds)
    if node.get("type") == "array":
        return f"[{_describe_type(node.get('items'), root)}]"
    if isinstance(properties := node.get("properties"), dict):
        required = node.get("required")
        needed = required if isinstance(required, list) else []
        fields = (_describe_field(name, field, name in needed, root) for name, field in properties.items())
        return "{" + ", ".join(fields) + "}"
    return str(node.get("type", "any"))


def _describe_field(name: str, field: Node, is_required: bool, root: Mapping[str, Node]) -> str:
    said = field.get("description") if isinstance(field, dict) else None
    return f"{name}{'' if is_required else '?'}: {_describe_type(field, root)}{f' ({said})' if said else ''}"
