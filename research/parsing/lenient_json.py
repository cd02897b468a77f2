"""JSON that a model or a server of others wrote, read so that every text in it can stand in a row."""

import json
from typing import TypeAlias

from research.parsing.clean_text import clean

Json: TypeAlias = "None | bool | int | float | str | list[Json] | dict[str, Json]"


def read_json(text: str | bytes, *, allow_nan: bool = False) -> Json:
    """The value, each text of it cleaned: no NUL, no lone surrogates, however they were escaped.

    Raises ValueError for what is no JSON, is nested too deeply, or holds a number that JSON has not; with `allow_nan`
    such a number is null.
    """
    try:
        return clean_values(json.loads(text, parse_constant=_drop if allow_nan else refuse_constant))
    except RecursionError:
        raise ValueError("nested too deeply") from None


def clean_values(value: Json) -> Json:
    """Clean each text and each name in a value."""
    match value:
        case str():
            return clean(value)
        case list():
            return [clean_values(item) for item in value]
        case dict():
            return {clean(name): clean_values(item) for name, item in value.items()}
    return value


def refuse_constant(name: str) -> float:
    """Raise ValueError: for the numbers that Python reads and JSON has not."""
    raise ValueError(f"{name} is no number of JSON")


def _drop(_name: str) -> None:
    return None
