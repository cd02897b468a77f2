"""Columns from JSON Schema."""

import pytest

from research.pipelines.table.table_columns_from_json_schema import SchemaRefused, fields_of


def test_a_schema_of_others_is_read():
    schema = {
        "properties": {
            "name": {"type": ["string", "null"]},
            "code": {"type": "string", "pattern": "^[A-Z]{3}$", "title": "ISO code"},
            "area": {"type": ["number", "null"], "minimum": 0},
            "staff": {"type": "integer"},
            "listed": {"type": "boolean"},
            "day": {"type": "string", "format": "date"},
            "web": {"type": "string", "format": "uri"},
            "mail": {"type": "string", "format": "email"},
            "languages": {"type": ["array", "null"], "items": {"type": "string"}},
        }
    }
    found = fields_of(schema)
    assert [(one.name, one.type.value, one.format, one.pattern, one.many) for one in found] == [
        ("name", "string", "", "", False), ("code", "string", "", "[A-Z]{3}", False),
        ("area", "number", "", "", False), ("staff", "number", "integer", "", False),
        ("listed", "boolean", "", "", False), ("day", "date", "", "", False), ("web", "url", "", "", False),
        ("mail", "string", "email", "", False), ("languages", "string", "", "", True),
    ]  # fmt: skip
    assert found[1].title == "ISO code"


@pytest.mark.parametrize(
    ("schema", "why"),
    [
        ([], "no properties"),
        ({"type": "object"}, "no properties"),
        ({"properties": {}}, "at least one column"),
        ({"properties": {"Bad name": {}}}, "column “Bad name”"),
        ({"properties": {"a": {"type": "string", "pattern": "("}}}, "column “a”"),
    ],
)
def test_what_describes_no_table_is_refused(schema, why):
    with pytest.raises(SchemaRefused, match=why):
        fields_of(schema)
