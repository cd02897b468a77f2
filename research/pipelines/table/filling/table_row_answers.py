"""Answers of a model for a row of a table."""

from typing import Annotated

from pydantic import Field

from research.llm.model_answer_bounds import Name, Passage, Sentence, at_most
from research.pipelines.common.report_model_answers import ModelAnswer


class CellAnswer(ModelAnswer):
    field: Name
    values: Annotated[list[Sentence], at_most(20)] = Field(default_factory=list)
    quote: Passage = ""
    passage: int = 0
    reason: Sentence = ""


class CellsAnswer(ModelAnswer):
    cells: list[CellAnswer]
