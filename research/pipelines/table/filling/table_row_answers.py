"""Answers of a model for a row of a table."""

from pydantic import Field

from research.pipelines.common.report_model_answers import ModelAnswer


class CellAnswer(ModelAnswer):
    field: str
    values: list[str] = Field(default_factory=list)
    quote: str = ""
    passage: int = 0
    reason: str = ""


class CellsAnswer(ModelAnswer):
    cells: list[CellAnswer]
