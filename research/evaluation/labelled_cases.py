"""Labelled cases as JSON lines: one object a line in, one prediction a line out, in the same order."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError


class BadLine(ValueError):
    """A line of the input is no case; the message names the line and what is wrong with it."""


class Case(BaseModel):
    """The fields of every case. Other keys of a line (a source, a licence, notes) are not read."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    label: str = ""  # the right answer, where the line tells it; never shown to what is measured


class Prediction(BaseModel):
    """The fields of every prediction. `score` (0–1) orders cases by how sure the answer named in `label` is."""

    model_config = ConfigDict(frozen=True)

    id: str
    label: str
    score: float


AnyCase = TypeVar("AnyCase", bound=Case)


def read_cases(lines: Iterable[str], form: type[AnyCase]) -> Iterator[AnyCase]:
    """The cases of JSON lines; blank lines are passed over. Raises BadLine for the first that is none."""
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
