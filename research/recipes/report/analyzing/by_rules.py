"""Analyzing: the sentences of what was read are ranked, joined where they say the same, and judged: do they answer?"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from research.extractive.answerability import judge
from research.extractive.candidates import Candidate
from research.extractive.ranking import Ranker, Scored
from research.extractive.selection import Selected, select
from research.governance.limits import most
from research.lifecycle.recipe import StepResult, StepWork
from research.models import Run, Source, SourceStatus
from research.models.base import new_id
from research.models.schemas import Plan
from research.reading.vectors.embedding import builtin_embedder
from research.recipes.report.analyzing.asked import Asked, asked_in, chosen_for, on_the_question
from research.recipes.report.analyzing.storing import Finding, answered, unanswered
from research.recipes.report.config import ReportConfig
from research.recipes.report.engine import Engine
from research.recipes.report.evidence import Evidence
from research.recipes.report.found import FoundPassage, found_passages, sentences_in
from research.recipes.report.lengths import first_within
from research.recipes.report.scope import ranker_of
from research.tenancy import tenant_context


@dataclass(frozen=True, slots=True)
class Material:
    """What the analysis works on, read from the database."""

    config: ReportConfig
    ranker: Ranker
    sources: tuple[Source, ...]
    found: Mapping[UUID | None, Sequence[FoundPassage]]  # by library document
    asked: tuple[Asked, ...] = ()

    @property
    def sentences(self) -> Iterator[Candidate]:
        for source in self.sources:
            yield from sentences_in(source, self.found[source.library_document_id])

    @property
    def source_of(self) -> Mapping[str, UUID]:
        """By library document."""
        return {str(source.library_document_id): source.pk for source in self.sources}


def analyze_sentences(work: StepWork) -> StepResult:
    with tenant_context(work.tenant_id):
        material = read_material(work.run_id)
    ranker = material.ranker
    ranked = ranker.rank(material.sentences, builtin_embedder().embed)
    verdict = judge(ranker, ranked)
    if not verdict.is_answerable:
        return unanswered(work, Engine.EXTRACTIVE, verdict, [one.candidate.text for one in ranked])
    findings = _findings(material, ranked)
    kept = first_within(most("words"), findings, lambda one: one.text)
    return answered(work, Engine.EXTRACTIVE, verdict, kept, len(ranked), asked=material.asked)


def _findings(material: Material, ranked: Sequence[Scored]) -> list[Finding]:
    """What answers, best first; then what was asked for besides. What speaks of that stands under its heading."""
    ranker, most_quotes = material.ranker, material.config.max_quotes
    besides = _besides(material, ranked)
    room = max(most_quotes // 2, most_quotes - sum(len(one.sentences) for _heading, one in besides.values()))
    chosen = select(ranked, ranker.question, ranker.cards, limit=room)
    known = {one.best.candidate.key for one in chosen}
    more = [one for key, (_heading, one) in besides.items() if key not in known]
    found = [*chosen, *more[: most_quotes - room]]
    under = {key: heading for key, (heading, _one) in besides.items()}
    source_of = material.source_of
    return [finding_of(one, source_of, under.get(one.best.candidate.key, "")) for one in found]


def _besides(
    material: Material, ranked: Sequence[Scored]
) -> Mapping[tuple[str, int, int], tuple[str, Selected]]:
    """By the place of its best sentence. What fits two headings stands under the one asked for first."""
    if not material.asked:
        return {}
    near, cards, embed = on_the_question(ranked), material.ranker.cards, builtin_embedder().embed
    sentences = [one for one in material.sentences if one.document_id in near]
    return {
        one.best.candidate.key: (asked.heading, one)
        for asked in reversed(material.asked)
        for one in chosen_for(asked, sentences, cards, embed)
    }


def read_material(run_id: UUID) -> Material:
    run = Run.objects.get(pk=run_id)
    sources = Source.objects.filter(run_id=run_id, status=SourceStatus.PROCESSED).select_related("content")
    found = defaultdict[UUID | None, list[FoundPassage]](list)
    for one in found_passages(run_id):
        found[one.document].append(one)
    return Material(
        config=ReportConfig.model_validate(run.config),
        ranker=ranker_of(run),
        sources=tuple(sources),
        found=found,
        asked=asked_in(Plan.model_validate(run.plan)),
    )


def finding_of(selected: Selected, source_of: Mapping[str, UUID], heading: str) -> Finding:
    """It stands under the nearest heading of its best sentence, where none is given."""
    best = selected.best
    places = [one.candidate for one in selected.sentences]
    return Finding(
        id=new_id(),
        text=" ".join(best.candidate.text.split()),
        scored=best,
        heading=heading or best.candidate.heading.strip(),
        evidence=tuple(Evidence(source_of[one.document_id], one.start, one.end) for one in places),
    )
