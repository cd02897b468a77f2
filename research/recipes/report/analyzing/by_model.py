"""Analyzing what models noted: notes are ranked, joined where they agree, and judged: do they answer the question?"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from citations.comparing.profiles import profile_for
from citations.models import Claim
from citations.verification import classify
from research.agents.extractive.answerability import SUPPORTED, Answerability, judge
from research.agents.extractive.question import Question
from research.agents.extractive.ranking import Ranker
from research.governance.limits import most
from research.lifecycle.recipe import StepResult, StepWork
from research.models import Run, Source
from research.models.base import new_id
from research.models.schemas import LeftOut, Plan, RunOutcome
from research.reading.vectors.embedding import builtin_embedder
from research.recipes.report import diary
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
from research.recipes.report.analyzing.sections import by_subtopic
from research.recipes.report.config import ReportConfig
from research.recipes.report.engine import Engine
from research.recipes.report.evidence import Evidence, stored_evidence
from research.recipes.report.lengths import first_within
from research.recipes.report.outline import number_sections
from research.recipes.report.reading.admission import Admission, read_admissions
from research.recipes.report.reading.vectors import EMBEDDED, known_first
from research.recipes.report.scope import ranker_of
from research.tenancy import tenant_context

NEAREST = 5  # passages shown with an insufficient answer
NEARLY = 0.75  # of the support that rules ask for is enough where a model says that a claim answers


@dataclass(frozen=True, slots=True)
class Material:
    """What the analysis works on, read from the database."""

    config: ReportConfig
    plan: Plan
    ranker: Ranker
    noted: tuple[Noted, ...]
    left_out: tuple[LeftOut, ...]


def analyze_claims(work: StepWork) -> StepResult:
    with tenant_context(work.tenant_id):
        material = read_material(work.run_id)
    sentences = {one.claim.sentence.key: one.claim.sentence for one in material.noted}
    embedder = builtin_embedder()
    embed = known_first((one.claim for one in material.noted), embedder.embed)
    ranked = material.ranker.rank(sentences.values(), embed, limit=EMBEDDED)
    verdict = judge(material.ranker, ranked)
    weighed = weigh(material.noted, ranked)
    kept, aside = on_topic(weighed)
    left_out = [*material.left_out, *(LeftOut(text=one.noted.claim.text, reason=OFF_TOPIC) for one in aside)]
    if not is_answered(material.ranker.question, verdict, kept):
        return _insufficient(work, verdict, weighed)
    merged = merge(kept, profile_for(embedder.model_id))
    picked = chosen(merged, material.config.max_quotes)
    claims = first_within(most("words"), [one for one, _ in picked], lambda one: one.text)
    return _found(work, material, verdict, claims, left_out)


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
    admissions = read_admissions(run_id)
    found = replaced(run_id, admissions)
    published = dict(Source.objects.filter(run_id=run_id).values_list("pk", "published_date"))
    noted = [Noted(one.source, claim, published[one.source]) for one in admissions for claim in one.admitted]
    noted += [Noted(one.named, one.claim, published[one.named], one.quote) for one in found.placed]
    return Material(
        config=config,
        plan=Plan.model_validate(run.plan),
        ranker=ranker_of(run),
        noted=tuple(noted),
        left_out=tuple(_refused(admissions, found)),
    )


def _refused(admissions: Iterable[Admission], found: Found) -> Iterator[LeftOut]:
    for admission in admissions:
        yield from (LeftOut(text=one.text, reason=one.reason) for one in admission.refused)
    yield from (LeftOut(text=one.text, reason=one.reason) for one in found.refused)


def _insufficient(work: StepWork, verdict: Answerability, weighed: Sequence[Weighed]) -> StepResult:
    nearest = [
        LeftOut(text=one.noted.claim.text, reason="Nearest passage; it does not answer.") for one in weighed
    ]
    reasons = list(verdict.reasons) or ["The sources hold no passage on this."]
    outcome = RunOutcome(
        insufficient=True,
        reasons=reasons,
        looked_for=list(verdict.looked_for),
        left_out=nearest[:NEAREST],
        engine=Engine.MODEL.value,
    )

    def save() -> None:
        Run.objects.filter(pk=work.run_id).update(result=outcome.model_dump(mode="json"))
        diary.unanswered(work.run_id, outcome.reasons)

    return StepResult(
        {"answerable": False, "missing": list(verdict.missing), "ranked": len(weighed)},
        save=save,
        activity="The sources do not answer the question",
    )


def _found(
    work: StepWork,
    material: Material,
    verdict: Answerability,
    picked: Sequence[Merged],
    left_out: Sequence[LeftOut],
) -> StepResult:
    ids = [new_id() for _ in picked]
    claims = [
        _claim(work.run_id, pk, place, one) for place, (pk, one) in enumerate(zip(ids, picked, strict=True))
    ]
    subtopics = {pk: one.first.noted.claim.subtopic for pk, one in zip(ids, picked, strict=True)}
    sections = by_subtopic(ids, subtopics, [section.heading for section in material.plan.outline])
    outcome = RunOutcome(
        looked_for=list(verdict.looked_for), left_out=list(left_out), engine=Engine.MODEL.value
    )

    def save() -> None:
        Claim.objects.bulk_create(claims)
        Run.objects.filter(pk=work.run_id).update(
            outline=number_sections(sections),
            total_sections=len(sections),
            result=outcome.model_dump(mode="json"),
        )

    evidence: Mapping[UUID, list[Evidence]] = {
        pk: [_evidence(member.noted) for member in one.members] for pk, one in zip(ids, picked, strict=True)
    }
    return StepResult(
        {
            "answerable": True,
            "ranked": len(material.noted),
            "claims": len(claims),
            "open": list(verdict.reasons),
            "evidence": stored_evidence(evidence),
        },
        save=save,
        activity=f"Comparing {len(material.noted)} claims",
    )


def _claim(run_id: UUID, pk: UUID, place: int, merged: Merged) -> Claim:
    scored = merged.first.scored
    return Claim(
        id=pk,
        run_id=run_id,
        position=place,
        text=merged.text,
        claim_type=classify(merged.text).value,
        relevance=min(1.0, max(0.0, scored.score)),
        embedding=None if scored.vector is None else scored.vector.tolist(),
    )


def _evidence(noted: Noted) -> Evidence:
    """A quote that was named for a source that lacks it is left to the citing, which says so."""
    claim = noted.claim
    return Evidence(noted.source, claim.start, claim.end, noted.misnamed)
