"""Analyzing what models noted: notes are ranked, joined where they agree, and judged: do they answer the question?"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from pydantic import JsonValue

from citations.comparing.profiles import profile_for
from research.extractive.answerability import SUPPORTED, Answerability, judge
from research.extractive.question import Question
from research.extractive.ranking import Ranker
from research.governance.limits import most
from research.lifecycle.recipe import StepResult, StepWork
from research.models import Run, Source, SourceStatus
from research.models.base import new_id
from research.models.schemas import LeftOut, Plan
from research.reading.vectors.embedding import builtin_embedder
from research.recipes.report.analyzing.asked import Asked, asked_in
from research.recipes.report.analyzing.merging import (
    OFF_TOPIC,
    Merged,
    Noted,
    Weighed,
    chosen,
    merge,
    on_topic,
    weigh,
)
from research.recipes.report.analyzing.misnamed import Found, replaced
from research.recipes.report.analyzing.storing import Arrange, Finding, answered, unanswered
from research.recipes.report.config import ReportConfig
from research.recipes.report.engine import Engine
from research.recipes.report.evidence import Evidence
from research.recipes.report.lengths import first_within
from research.recipes.report.reading.admission import Admission, read_admissions
from research.recipes.report.reading.vectors import EMBEDDED, known_first
from research.recipes.report.readings import Reading, read_all_sources
from research.recipes.report.scope import ranker_of
from research.tenancy import tenant_context

NEARLY = 0.75  # of the support that rules ask for is enough where a model says that a claim answers


@dataclass(frozen=True, slots=True)
class Material:
    """What the analysis works on, read from the database."""

    config: ReportConfig
    headings: Mapping[int, str]  # of the plan, by the number of their subtopic
    ranker: Ranker
    admissions: tuple[Admission, ...]
    readings: Mapping[str, Reading]  # of all sources, where a quote is missing from the one named for it
    published: Mapping[UUID, str]  # by source
    asked: tuple[Asked, ...] = ()


def analyze_claims(
    work: StepWork, arrange: Arrange | None = None, own: dict[str, JsonValue] | None = None
) -> StepResult:
    """`arrange` and `own` are of a kind that divides its claims in another way; `own` where they do not answer."""
    with tenant_context(work.tenant_id):
        material = read_material(work.run_id)
    found = replaced(material.admissions, material.readings)
    noted = list(_noted(material, found))
    sentences = {one.claim.sentence.key: one.claim.sentence for one in noted}
    embedder = builtin_embedder()
    embed = known_first((one.claim for one in noted), embedder.embed)
    ranked = material.ranker.rank(sentences.values(), embed, limit=EMBEDDED)
    verdict = judge(material.ranker, ranked)
    weighed = weigh(noted, ranked)
    kept, aside = on_topic(weighed, frozenset(one.number for one in material.asked))
    left_out = [
        *_refused(material.admissions, found),
        *(LeftOut(text=one.noted.claim.text, reason=OFF_TOPIC) for one in aside),
    ]
    if not is_answered(material.ranker.question, verdict, kept):
        return unanswered(work, Engine.MODEL, verdict, [one.noted.claim.text for one in weighed], own)
    merged = merge(kept, profile_for(embedder.model_id))
    findings = [_finding(one, material.headings) for one in chosen(merged, material.config.max_quotes)]
    shown = first_within(most("words"), findings, lambda one: one.text)
    return answered(work, Engine.MODEL, verdict, shown, len(noted), left_out, material.asked, arrange)


def is_answered(question: Question, verdict: Answerability, kept: Sequence[Weighed]) -> bool:
    """By the rules; or nearly, where a model says so and nothing that the question names is missing."""
    if not kept:
        return False
    names = {name.surface for name in question.names}
    is_near = verdict.support >= NEARLY * SUPPORTED and not names & set(verdict.missing)
    return verdict.is_answerable or (is_near and any(one.noted.claim.answers for one in kept))


def read_material(run_id: UUID) -> Material:
    run = Run.objects.get(pk=run_id)
    config = ReportConfig.model_validate(run.config)
    sources = Source.objects.filter(run_id=run_id).exclude(status=SourceStatus.EXCLUDED)
    published = dict(sources.values_list("pk", "published_date"))
    admissions = tuple(one for one in read_admissions(run_id) if one.source in published)
    plan = Plan.model_validate(run.plan)
    is_one_missing = any(one.unplaced for one in admissions)
    return Material(
        config=config,
        headings=headings_of(plan),
        ranker=ranker_of(run),
        admissions=admissions,
        readings=read_all_sources(run_id) if is_one_missing else {},
        published=published,
        asked=asked_in(plan),
    )


def headings_of(plan: Plan) -> Mapping[int, str]:
    """By the number of the subtopic, as readers of sources are told it; those of which the outline has a section."""
    by_subtopic = {one.subtopic: one.heading for one in reversed(plan.outline)}
    numbered = enumerate(plan.subtopics, start=1)
    return {number: by_subtopic[one.name] for number, one in numbered if one.name in by_subtopic}


def _noted(material: Material, found: Found) -> Iterator[Noted]:
    published = material.published
    for one in material.admissions:
        yield from (Noted(one.source, claim, published[one.source]) for claim in one.admitted)
    for moved in found.placed:
        yield Noted(moved.source, moved.claim, published[moved.source], moved.named)


def _refused(admissions: Iterable[Admission], found: Found) -> Iterator[LeftOut]:
    for admission in admissions:
        yield from (LeftOut(text=one.text, reason=one.reason) for one in admission.refused)
    yield from (LeftOut(text=one.text, reason=one.reason) for one in found.refused)


def _finding(merged: Merged, headings: Mapping[int, str]) -> Finding:
    first = merged.first
    return Finding(
        id=new_id(),
        text=merged.text,
        scored=first.scored,
        heading=headings.get(first.noted.claim.subtopic, ""),
        evidence=tuple(_evidence(member.noted) for member in merged.members),
    )


def _evidence(noted: Noted) -> Evidence:
    claim = noted.claim
    return Evidence(noted.source, claim.start, claim.end, noted.named, claim.similarity)
