"""What a run looks for: the queries of its plan, and its question itself."""

from dataclasses import dataclass

from research.models import Run
from research.models.schemas import Plan


@dataclass(frozen=True, slots=True)
class Query:
    """Words that are looked for, and what for."""

    text: str
    subtopic: str


def queries_of(run: Run) -> tuple[Query, ...]:
    """The question counts for the first subtopic."""
    subtopics = Plan.model_validate(run.plan).subtopics
    planned = [Query(text, one.name) for one in subtopics for text in one.queries]
    return tuple(dict.fromkeys([*planned, Query(run.topic, subtopics[0].name)]))
