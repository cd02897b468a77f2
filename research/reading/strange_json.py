"""JSON that a model or a server of others wrote, read so that every text in it can stand in a row."""

import json
from typing import TypeAlias

from research.reading.cleaning import clean

Json: TypeAlias = "None | bool | int | float | str | list[Json] | dict[str, Json]"


def read_json(text: str | bytes) -> Json:
    """The value, each text of it cleaned: no NUL, no lone surrogates, however they were escaped.

    Raises ValueError for what is no JSON, is nested too deeply, or holds a number that JSON has not.
    """
    try:
        return _cleaned(json.loads(text, parse_constant=_refuse))
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _cleaned(value: Json) -> Json:
    match value:
        case str():
            return clean(value)
        case list():
            return [_cleaned(one) for one in value]
        case dict():
            return {clean(name): _cleaned(one) for name, one in value.items()}
    return value


def _refuse(name: str) -> float:
    raise ValueError(f"{name} is no number of JSON")
