"""JSON Schema as columns: what other programs describe a row with."""

import re
from collections.abc import Mapping
from typing import TypeAlias

from pydantic import ValidationError

from research.pipelines.table.table_columns import FieldType, TableField, complaints

Json: TypeAlias = Mapping[str, "Json"] | list["Json"] | str | int | float | bool | None

_TYPES = {
    "string": FieldType.STRING,
    "number": FieldType.NUMBER,
    "integer": FieldType.NUMBER,
    "boolean": FieldType.BOOLEAN,
}
_FORMATS = {
    "date": FieldType.DATE,
    "date-time": FieldType.DATE,
    "uri": FieldType.URL,
    "uri-reference": FieldType.FILE,
}


class SchemaRefused(ValueError):
    """A schema that describes no table; str() is for the person who gave it."""


def fields_of(schema: Json) -> tuple[TableField, ...]:
    """Return the properties of an object schema as columns. Raises SchemaRefused."""
    properties = schema.get("properties") if isinstance(schema, Mapping) else None
    if not isinstance(properties, Mapping):
        raise SchemaRefused("the schema has no properties: it describes no row of a table")
    fields = tuple(
        _field(name, definition if isinstance(definition, Mapping) else {})
        for name, definition in properties.items()
    )
    if wrong := complaints(fields):
        raise SchemaRefused(" ".join(wrong))
    return fields


def _field(name: str, schema: Mapping[str, Json]) -> TableField:
    items = schema.get("items")
    many = "array" in _types(schema)
    value_schema = items if many and isinstance(items, Mapping) else schema
    kinds = [kind for kind in _types(value_schema) if kind in _TYPES]
    form = _text(value_schema, "format")
    kind = _TYPES[kinds[0]] if kinds else FieldType.STRING
    given = {
        "name": name,
        "type": _FORMATS.get(form, kind) if kind is FieldType.STRING else kind,
        "title": _text(schema, "title"),
        "description": _text(schema, "description"),
        "format": "integer" if "integer" in kinds else "" if form in _FORMATS else form,
        "pattern": _whole(_text(value_schema, "pattern")),
        "many": many,
    }
    try:
        return TableField.model_validate(given)
    except ValidationError as error:
        raise SchemaRefused(f"column “{name}”: {error.errors()[0]['msg']}") from error


def _whole(pattern: str) -> str:
    """Return a pattern that is anchored at both ends without its anchors: patterns of columns match whole values."""
    if match := re.fullmatch(r"\^(?:\(\?:(?P<grouped>[^()]*)\)|(?P<plain>.*))\$", pattern):
        return match["grouped"] or match["plain"] or ""
    return pattern


def _types(schema: Mapping[str, Json]) -> list[str]:
    given = schema.get("type")
    return [str(kind) for kind in given] if isinstance(given, list) else [str(given)]


def _text(told: Mapping[str, Json], key: str) -> str:
    found = told.get(key)
    return found if isinstance(found, str) else ""
