"""Builds the raw data of a document, if requested: the configuration, the steps, the texts of the cited sources."""

import json
from collections.abc import Iterable

from exports.document.document_tree import RawEntry, SourceEntry, StepEntry, select_cited_sources
from research.models import Content, Run, Step


def raw_of(run: Run, sources: Iterable[SourceEntry]) -> RawEntry:
    """Return the raw data; `sources` are the run's. Its steps contain no prompts or answers of models."""
    cited = [source.id for source in select_cited_sources(sources)]
    texts = dict(Content.objects.filter(sources__in=cited).values_list("sources", "text"))
    return RawEntry(
        configuration=json.dumps(run.config, ensure_ascii=False, sort_keys=True),
        steps=tuple(map(_step, Step.objects.filter(run=run).order_by("step_index"))),
        texts=tuple((source_id, texts[source_id]) for source_id in cited if source_id in texts),
    )


def _step(row: Step) -> StepEntry:
    return StepEntry(
        index=row.step_index,
        key=row.key,
        handler=row.handler,
        role=row.agent_role,
        tool=row.tool_name,
        status=row.status,
        attempt=row.attempt,
        started=row.started_at,
        completed=row.completed_at,
        duration_ms=row.duration_ms,
        tokens_input=row.tokens_input,
        tokens_output=row.tokens_output,
        cost_usd=None if row.cost_usd is None else float(row.cost_usd),
        error=row.error_message,
    )
