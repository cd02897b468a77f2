"""Statistics of a run's sources for the sufficiency check, and its result, which is stored on the run."""

import re
from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from django.db import connection

from research.engine.pipeline_registry import Policy
from research.engine.states.state_source_sufficiency import (
    ObservedSource,
    SufficiencyResult,
    SufficiencyTargets,
    check_sources,
)
from research.models import Run, Source, SourceStatus, State
from research.models.schemas import StoredCheck, StoredSufficiency, Subtopic

NOT_COUNTED = (SourceStatus.DUPLICATE, SourceStatus.EXCLUDED, SourceStatus.FAILED)
_COLUMNS = ("pk", "subtopic", "domain", "source_type", "published_date", "quality_score", "title")
_WORD = re.compile(r"\w{3,}")
# The words of a source's passages in PostgreSQL's full-text index: stems, without the commonest words.
_LEXEMES = """
SELECT chunk.source_id, array_agg(DISTINCT lexeme)
FROM research_chunk chunk, unnest(tsvector_to_array(chunk.search)) AS lexeme
WHERE chunk.run_id = %s GROUP BY chunk.source_id
"""


def check_sufficiency(run: Run, subtopics: Sequence[Subtopic], policy: Policy) -> SufficiencyResult:
    """Check the sufficiency of the run's sources, without failed ones. Needs the tenant set."""
    wanted = SufficiencyTargets(
        minimum=policy.minimum_sources,
        targets={subtopic.name: subtopic.target_sources for subtopic in subtopics},
        published_from=policy.published_from,
        published_to=policy.published_to,
        kinds=policy.source_kinds,
        quality=policy.source_quality,
        there_are=policy.sources_there_are,
    )
    return check_sources(load_source_stats(run), wanted)


def load_source_stats(run: Run) -> list[ObservedSource]:
    """Return the sources in the order in which they were found."""
    rows = Source.objects.filter(run=run).exclude(status__in=NOT_COUNTED).order_by("created_at", "id")
    said = _words_of_passages(run.pk) if run.state == State.READING else {}
    return [
        ObservedSource(
            subtopic, domain or str(pk), kind, published, quality, said.get(pk) or _words_in(title)
        )
        for pk, subtopic, domain, kind, published, quality, title in rows.values_list(*_COLUMNS)
    ]


def _words_of_passages(run_id: UUID) -> Mapping[UUID, frozenset[str]]:
    with connection.cursor() as cursor:
        cursor.execute(_LEXEMES, [run_id])
        rows: Iterable[tuple[UUID, list[str]]] = cursor.fetchall()
    return {source: frozenset(words) for source, words in rows}


def _words_in(title: str) -> frozenset[str]:
    return frozenset(_WORD.findall(title.casefold()))


def store_sufficiency(run: Run, found: SufficiencyResult | None) -> None:
    """Store the result on the run, whose row is locked. `None` keeps the former result."""
    if found is None:
        return
    stored = StoredSufficiency(
        checks=[
            StoredCheck(
                name=check.name.value, score=check.score, is_passed=check.is_passed, detail=check.detail
            )
            for check in found.checks
        ],
        score=found.score,
        is_enough=found.is_enough,
        rounds=_rounds(run),
        state="reading" if run.state == State.READING else "collecting",
    )
    run.sufficiency = stored.model_dump(mode="json")
    Run.objects.filter(pk=run.pk).update(sufficiency=run.sufficiency)


def _rounds(run: Run) -> int:
    """Return the number of search rounds: each attempt at collecting is one; reading keeps the stored number."""
    if run.state != State.READING or not run.sufficiency:
        return run.attempt + 1
    return StoredSufficiency.model_validate(run.sufficiency).rounds
