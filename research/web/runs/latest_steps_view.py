"""The latest steps of a run, each with its subject: a list of identical descriptions would be useless."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models.fields.json import KeyTextTransform

from research.models import Run, Source, Step

FEED_LENGTH = 8


@dataclass(frozen=True, slots=True)
class LatestStep:
    step: Step
    about: str  # a source's title, a query, an address, a row; empty if the step is about the whole run


def latest_steps(run: Run) -> tuple[LatestStep, ...]:
    """Return the latest steps without their inputs and outputs. Makes two queries."""
    begun = Step.objects.filter(run=run, started_at__isnull=False).defer("input", "output")
    found = begun.annotate(
        of_source=KeyTextTransform("source", "input"),
        of_query=KeyTextTransform("query", "input"),
        of_url=KeyTextTransform("url", "input"),
        of_name=KeyTextTransform("name", "input"),
    )
    steps = list(found.order_by("-step_index")[:FEED_LENGTH])
    titles = _titles([step.of_source for step in steps if step.of_source])
    return tuple(
        LatestStep(
            step, titles.get(step.of_source or "") or step.of_query or step.of_url or step.of_name or ""
        )
        for step in steps
    )


def _titles(ids: Sequence[str]) -> dict[str, str]:
    known = {id for id in ids if _is_id(id)}
    sources = Source.objects.filter(pk__in=known).only("title", "canonical_url") if known else ()
    return {str(source.pk): str(source) for source in sources}


def _is_id(text: str) -> bool:
    try:
        return bool(UUID(text))
    except ValueError:
        return False
