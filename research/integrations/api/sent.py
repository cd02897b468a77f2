"""JSON bodies, validated strictly as published: a number is no text, "yes" is not true, "a, b" is not a list."""

import json
from typing import Self

from pydantic import BaseModel, ConfigDict, ModelWrapValidatorHandler, ValidationInfo, model_validator


class Sent(BaseModel):
    """A body. Ninja hands over what it has parsed, which pydantic would read as kindly as a form."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="wrap")
    @classmethod
    def _strictly(cls, value: object, handler: ModelWrapValidatorHandler[Self], info: ValidationInfo) -> Self:
        if info.mode != "python" or not isinstance(value, dict):
            return handler(value)
        try:
            return cls.model_validate_json(json.dumps(_with_integers(value)), strict=True)
        except RecursionError as error:
            raise ValueError("It is nested too deeply.") from error


def _with_integers(value: object) -> object:
    """2099.0 is an integer for JSON Schema, which is how bodies are published."""
    return json.loads(json.dumps(value), parse_float=_number)


def _number(text: str) -> int | float:
    number = float(text)
    return int(number) if number.is_integer() else number
