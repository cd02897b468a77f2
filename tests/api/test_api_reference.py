"""Types of the published description, written as in code."""

import pytest

from research.integrations.api.api_reference import find_shape_names, type_of

CLAIM = {"$ref": "#/components/schemas/Claim"}


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"type": "string"}, "string"),
        ({"type": "string", "format": "uuid"}, "string (uuid)"),
        ({"type": "string", "minLength": 3, "maxLength": 2000}, "string 3–2000"),
        ({"type": "integer", "minimum": 1, "maximum": 100}, "integer 1–100"),
        ({"type": "number", "maximum": 1}, "number ≤ 1"),
        ({"enum": ["accept", "reject"], "type": "string"}, '"accept" | "reject"'),
        ({"const": "report", "type": "string"}, '"report"'),
        ({"type": "array", "items": CLAIM, "maxItems": 5}, "Claim[] ≤ 5"),
        ({"anyOf": [CLAIM, {"type": "null"}]}, "Claim | null"),
        (
            {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "integer"}]},
            "[integer, integer]",
        ),
        ({"type": "array"}, "any[]"),
        ({"allOf": [CLAIM]}, "Claim"),
        ({}, "any"),
    ],
)
def test_a_type_is_written_as_in_code(schema, words):
    assert type_of(schema) == words


def test_the_shapes_that_a_type_names_are_found_once_each_place():
    several = {"oneOf": [CLAIM, {"items": CLAIM}], "discriminator": {"mapping": {"a": "Claim"}}}
    assert list(find_shape_names(several)) == ["Claim", "Claim"]
