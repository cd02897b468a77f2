"""Parses JSON from models and other servers, so that all text in it can be stored."""

import json
from typing import TypeAlias

from research.parsing.clean_text import clean

Json: TypeAlias = "None | bool | int | float | str | list[Json] | dict[str, Json]"


def read_json(text: str | bytes, *, allow_nan: bool = False) -> Json:
    """Return the parsed value with cleaned strings: no NUL, no lone surrogates, however they were escaped.

    Raises ValueError for invalid JSON, too deep nesting, and numbers that JSON does not have; with
    `allow_nan` these become null.
    """
    try:
        return clean_values(json.loads(text, parse_constant=_drop if allow_nan else refuse_constant))
    except RecursionError:
        raise ValueError("nested too deeply") from None


def clean_values(value: Json) -> Json:
    """Clean all strings and names in a value."""
    match value:
        case str():
            return clean(value)
        case list():
            return [clean_values(item) for item in value]
        case dict():
            return {clean(name): clean_values(item) for name, item in value.items()}
    return value


def refuse_constant(name: str) -> float:
    """Raise ValueError, for the number constants that Python accepts and JSON does not have."""
    raise ValueError(f"{name} is no number of JSON")


def _drop(_name: str) -> None:
    return None
