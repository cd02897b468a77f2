"""Values of stored JSON, read back with their types. Each raises ValueError for what is none of its kind."""

from collections.abc import Mapping, Sequence

from research.lifecycle.recipe import Json, JsonObject


def listed(value: Json) -> Sequence[Json]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise ValueError("a list was stored here")
    return value


def mapped(value: Json) -> JsonObject:
    if not isinstance(value, Mapping):
        raise ValueError("an object was stored here")
    return value
