"""Turn the OpenAPI description into a reference for readers: operations by subject, schemas with their fields.

Pure functions.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from ninja.types import DictStrAny

from research.integrations.api.openapi import operations

SHAPES = "#/components/schemas/"
BOUNDS = (
    ("minimum", "maximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
)


@dataclass(frozen=True, slots=True)
class Value:
    """A parameter, or a field of a schema. `type` is written as in code: integer 1–500, "a" | "b", Claim[]."""

    name: str
    type: str
    shapes: tuple[str, ...]  # schemas in the type
    is_required: bool
    default: str  # as JSON; "" for none
    about: str
    place: str = ""  # of a parameter: path, query, header


@dataclass(frozen=True, slots=True)
class Answer:
    """A response. `type` is empty if it has no body or is a file."""

    status: int
    about: str
    type: str
    shapes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ApiOperation:
    subject: str
    method: str
    path: str
    summary: str
    about: str
    scope: str
    parameters: tuple[Value, ...]
    media_type: str  # of the request body; "" if there is none
    sent: tuple[Value, ...]  # the fields of a form; for JSON a single value without a name
    answers: tuple[Answer, ...]
    problems: tuple[int, ...]  # statuses

    @property
    def anchor(self) -> str:
        return f"{self.method.lower()}{self.path.replace('/', '-').replace('{', '').replace('}', '')}"


@dataclass(frozen=True, slots=True)
class ApiSchema:
    """A schema with either the `values` of an enumeration or `fields`."""

    name: str
    about: str
    fields: tuple[Value, ...]
    values: tuple[str, ...]
    type: str = ""  # if it is neither


@dataclass(frozen=True, slots=True)
class ApiReference:
    """The API reference: `subjects` in the order of the description, schemas by name."""

    subjects: tuple[tuple[str, tuple[ApiOperation, ...]], ...]
    shapes: tuple[ApiSchema, ...]


def reference_of(schema: DictStrAny) -> ApiReference:
    """Return the API reference of an OpenAPI description."""
    parsed = [_operation(path, method, operation) for path, method, operation in operations(schema)]
    subjects = groupby(parsed, key=lambda parsed_operation: parsed_operation.subject)
    shapes = (
        _shape(name, shape_schema) for name, shape_schema in sorted(schema["components"]["schemas"].items())
    )
    return ApiReference(tuple((subject, tuple(ones)) for subject, ones in subjects), tuple(shapes))


def _operation(path: str, method: str, operation: DictStrAny) -> ApiOperation:
    security = operation.get("security") or [{}]
    scopes = [scope for requirement in security for scopes in requirement.values() for scope in scopes]
    statuses = {int(status): answer for status, answer in operation["responses"].items()}
    media_type, sent = _parse_request_body(operation.get("requestBody"))
    return ApiOperation(
        subject=(operation.get("tags") or [""])[0],
        method=method.upper(),
        path=path,
        summary=operation.get("summary", ""),
        about=_line(operation.get("description", "")),
        scope=", ".join(scopes),
        parameters=tuple(_parameter(parameter) for parameter in operation.get("parameters", ())),
        media_type=media_type,
        sent=sent,
        answers=tuple(_answer(status, response) for status, response in statuses.items() if status < 400),
        problems=tuple(sorted(status for status in statuses if status >= 400)),
    )


def _parameter(parameter: DictStrAny) -> Value:
    is_required = bool(parameter.get("required"))
    return _value(
        parameter["name"],
        parameter["schema"],
        parameter.get("description", ""),
        parameter["in"],
        is_required=is_required,
    )


def _parse_request_body(body: DictStrAny | None) -> tuple[str, tuple[Value, ...]]:
    if not body:
        return "", ()
    media_type, content = next(iter(body["content"].items()))
    schema = content["schema"]
    if "properties" in schema:
        return media_type, tuple(_fields(schema))
    return media_type, (_value("", schema, is_required=True),)


def _answer(status: int, answer: DictStrAny) -> Answer:
    schema = (answer.get("content") or {}).get("application/json", {}).get("schema", {})
    return Answer(
        status,
        answer.get("description", ""),
        type_of(schema) if schema else "",
        tuple(find_shape_names(schema)),
    )


def _shape(name: str, schema: DictStrAny) -> ApiSchema:
    about = _line(schema.get("description", ""))
    values = tuple(map(_json, schema.get("enum", ())))
    if "properties" in schema or values:
        return ApiSchema(name, about, tuple(_fields(schema)), values)
    return ApiSchema(name, about, (), (), type_of(schema))


def _fields(schema: DictStrAny) -> Iterator[Value]:
    required = schema.get("required", ())
    for name, field_schema in schema.get("properties", {}).items():
        yield _value(name, field_schema, is_required=name in required)


def _value(name: str, schema: DictStrAny, about: str = "", place: str = "", *, is_required: bool) -> Value:
    default = _json(schema["default"]) if schema.get("default") not in (None, "", [], {}) else ""
    words = _line(about or schema.get("description", ""))
    shapes = tuple(dict.fromkeys(find_shape_names(schema)))
    return Value(name, type_of(schema), shapes, is_required, default, words, place)


def type_of(schema: Mapping[str, object]) -> str:
    """
    >>> type_of({"type": "array", "items": {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}]}})
    '(integer ≥ 1 | null)[]'
    """
    if isinstance(reference := schema.get("$ref"), str):
        return reference.removeprefix(SHAPES)
    if isinstance(several := schema.get("anyOf") or schema.get("oneOf") or schema.get("allOf"), list):
        return " | ".join(dict.fromkeys(map(type_of, several)))
    if "const" in schema:
        return _json(schema["const"])
    if isinstance(values := schema.get("enum"), list):
        return " | ".join(map(_json, values))
    if schema.get("type") == "array":
        return _list_of(schema)
    name = str(schema.get("type") or "any")
    words = f"{name} ({form})" if (form := schema.get("format")) else name
    return f"{words}{_bounds(schema)}"


def _list_of(schema: Mapping[str, object]) -> str:
    places = schema.get("prefixItems")
    if isinstance(places, list):
        return f"[{', '.join(map(type_of, places))}]"
    items = schema.get("items")
    item = type_of(items) if isinstance(items, Mapping) else "any"
    return f"({item})[]{_bounds(schema)}" if " " in item else f"{item}[]{_bounds(schema)}"


def _bounds(schema: Mapping[str, object]) -> str:
    for least, most in BOUNDS:
        low, high = schema.get(least), schema.get(most)
        if low is not None and high is not None:
            return f" {low}–{high}"
        if low is not None or high is not None:
            return f" ≥ {low}" if high is None else f" ≤ {high}"
    return ""


def find_shape_names(schema: object) -> Iterator[str]:
    """Yield the names of the schemas that a type refers to, in order."""
    if isinstance(schema, Mapping):
        reference = schema.get("$ref")
        if isinstance(reference, str):
            yield reference.removeprefix(SHAPES)
        for name, inner in schema.items():
            if name not in ("discriminator", "default", "properties"):
                yield from find_shape_names(inner)
    elif isinstance(schema, Sequence) and not isinstance(schema, str):
        for inner in schema:
            yield from find_shape_names(inner)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _line(words: str) -> str:
    return " ".join(words.split())
