"""The latest steps of a run, each with what it is about: eight times “takes passages from a source” says nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models.fields.json import KeyTextTransform

from research.models import Run, Source, Step

FEED_LENGTH = 8


@dataclass(frozen=True, slots=True)
class LatestStep:
    step: Step
    about: (
        str  # a source's title, what is searched for, an address; empty where the step is about the whole run
    )


def latest_steps(run: Run) -> tuple[LatestStep, ...]:
    """Two statements, however much a step was given: inputs and outputs stay where they are."""
    named = {name: KeyTextTransform(name, "input") for name in ("source", "query", "url")}
    begun = (
        Step.objects.filter(run=run, started_at__isnull=False)
        .defer("input", "output")
        .order_by("-step_index")
    )
    found = begun.annotate(**{f"of_{name}": value for name, value in named.items()})[:FEED_LENGTH]
    rows = [(step, *(str(getattr(step, f"of_{name}") or "") for name in named)) for step in found]
    titles = _titles([source for _step, source, *_rest in rows])
    return tuple(LatestStep(step, titles.get(source) or query or url) for step, source, query, url in rows)


def _titles(ids: Sequence[str]) -> dict[str, str]:
    known = {one for one in ids if _is_id(one)}
    sources = Source.objects.filter(pk__in=known).only("title", "canonical_url") if known else ()
    return {str(source.pk): str(source) for source in sources}


def _is_id(text: str) -> bool:
    try:
        return bool(UUID(text))
    except ValueError:
        return False
