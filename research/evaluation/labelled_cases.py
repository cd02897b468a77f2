"""Labelled cases and predictions as JSON lines: one object per line, predictions in the order of the cases."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError


class BadLine(ValueError):
    """A line of the input is invalid; the message names the line and the error."""


class Case(BaseModel):
    """The fields of every case. Other keys of a line (a source, a licence, notes) are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    label: str = ""  # the correct answer, if given; never shown to what is measured


class Prediction(BaseModel):
    """The fields of every prediction. `score` (0–1) is the certainty of `label`."""

    model_config = ConfigDict(frozen=True)

    id: str
    label: str
    score: float


AnyCase = TypeVar("AnyCase", bound=Case)


def read_cases(lines: Iterable[str], form: type[AnyCase]) -> Iterator[AnyCase]:
    """Yield the cases of JSON lines, skipping blank lines. Raises BadLine for the first invalid line."""
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield _case(line, number, form)


def _case(line: str, number: int, form: type[AnyCase]) -> AnyCase:
    try:
        return form.model_validate_json(line)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise BadLine(f"line {number}: {where + ': ' if where else ''}{first['msg']}") from error
