"""JSON bodies, validated strictly as published: "1" is not a number, "yes" not true, "a, b" not a list."""

import json
from typing import Self

from pydantic import BaseModel, ConfigDict, ModelWrapValidatorHandler, ValidationInfo, model_validator


class Sent(BaseModel):
    """A request body in strict mode, which Ninja would otherwise coerce like a form."""

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
    """Convert numbers such as 2099.0 to integers, which JSON Schema accepts as such."""
    return json.loads(json.dumps(value), parse_float=_number)


def _number(text: str) -> int | float:
    number = float(text)
    return int(number) if number.is_integer() else number
