"""Insights worded by a model, from statistics over all rows and a sample of them. Its figures have to be theirs."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field as Limited

from research.agents.agent_prompt_data_blocks import SourceText
from research.db.tenancy import in_thread, tenant_context
from research.engine.pipeline_registry import StepResult, StepWork
from research.llm.model_answer_bounds import Passage, at_most
from research.models import AgentRole, Run
from research.models.schemas import RunOutcome, StoredInsight, StoredOverview
from research.pipelines.common.ask_model_in_pipeline_step import ModelQuestion, ask
from research.pipelines.common.report_model_answers import ModelAnswer
from research.pipelines.table.synthesizing.table_insights import MOST
from research.pipelines.table.synthesizing.table_statistic_rows import StatisticRow, read_rows

SAMPLE = 50  # rows that the model sees
MAX_ROW_LENGTH, MAX_INSIGHT_LENGTH = 400, 400  # characters
MAX_TOKENS = 900
FEWEST = 3
_FIGURE = re.compile(r"\d+(?:[.,'’]\d+)*")


class InsightAnswer(ModelAnswer):
    text: Passage
    rows: Annotated[list[int], at_most(10)] = Limited(default_factory=list)


class InsightsAnswer(ModelAnswer):
    insights: Annotated[list[InsightAnswer], at_most(5)]


@dataclass(frozen=True, slots=True)
class OverviewPromptInput:
    """The input of the prompt for the table's overview."""

    topic: str
    count: int
    overview: StoredOverview
    rows: tuple[StatisticRow, ...]

    @property
    def statistics(self) -> list[str]:
        return [
            f"{statistic.column or 'table'}, {statistic.name}: {statistic.text}"
            for statistic in self.overview.statistics
        ]

    @property
    def lines(self) -> list[str]:
        return [_line(row)[:MAX_ROW_LENGTH] for row in self.rows]

    def question(self) -> ModelQuestion[InsightsAnswer]:
        lines = zip(self.rows, self.lines, strict=True)
        values = {
            "topic": self.topic,
            "count": self.count,
            "statistics": self.statistics,
            "rows": [{"number": row.number, "text": SourceText(line)} for row, line in lines],
        }
        return ModelQuestion(AgentRole.ANALYZER, "analyzer/insights", values, InsightsAnswer, MAX_TOKENS)


def _line(row: StatisticRow) -> str:
    cells = (f"{name}: {cell.text}" for name, cell in row.cells.items() if cell.state == "found")
    return f"{row.number}. {row.input} — {'; '.join(cells)}"


async def tell_insights(work: StepWork) -> StepResult:
    """Let a model write the insights; those by rules stay if it gives up. Raises ModelError if a retry may help."""
    told = await in_thread(lambda: _load_prompt_context(work))
    asked = await ask(work, told.question())
    found = [] if asked.answer is None else sound(asked.answer.insights, told)

    def save() -> None:
        run = Run.objects.get(pk=work.run_id)
        outcome = RunOutcome.model_validate(run.result)
        if outcome.table is None or len(found) < FEWEST:
            return
        outcome.table.insights = found
        Run.objects.filter(pk=run.pk).update(result=outcome.model_dump(mode="json"))

    return StepResult({"insights": len(found), **asked.note}, save=save, usage=asked.usage)


def _load_prompt_context(work: StepWork) -> OverviewPromptInput:
    with tenant_context(work.tenant_id):
        run = Run.objects.get(pk=work.run_id)
        rows = read_rows(work.run_id)
    overview = RunOutcome.model_validate(run.result).table or StoredOverview()
    return OverviewPromptInput(run.topic, len(rows), overview, tuple(sample(rows)))


def sample(rows: Sequence[StatisticRow], most: int = SAMPLE) -> list[StatisticRow]:
    """Return at most `most` rows that have a value, evenly spread over the table."""
    filled = [row for row in rows if any(cell.state == "found" for cell in row.cells.values())]
    if len(filled) <= most:
        return filled
    return [filled[place * len(filled) // most] for place in range(most)]


def sound(answers: Iterable[InsightAnswer], told: OverviewPromptInput) -> list[StoredInsight]:
    """Return the insights whose figures occur in the prompt and whose rows exist."""
    known = figures_of([*told.statistics, *told.lines, str(told.count)])
    numbers = {row.number for row in told.rows}
    found = []
    for answer in answers:
        text, rows = (
            " ".join(answer.text.split())[:MAX_INSIGHT_LENGTH],
            [row for row in answer.rows if row in numbers],
        )
        if text and rows and figures_of([text]) <= known:
            found.append(StoredInsight(text=text, rows=rows[:10], by_model=True))
    return found[:MOST]


def figures_of(texts: Iterable[str]) -> set[str]:
    """Return the figures of the texts without separators between digits, so that 41,285 is 41285.

    >>> sorted(figures_of(["41,285 km² in 1999"]))
    ['1999', '41285']
    """
    return {re.sub(r"[,'’]", "", figure) for text in texts for figure in _FIGURE.findall(text)}
