"""Analyzing: the sentences of what was read are ranked, joined where they say the same, and judged: do they answer?"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from citations.models import Claim
from citations.verification import classify
from research.agents.extractive.answerability import Answerability, judge
from research.agents.extractive.candidates import Candidate, Passage, candidates
from research.agents.extractive.question import Question, analyse
from research.agents.extractive.ranking import Ranker, Scored
from research.agents.extractive.selection import Selected, select
from research.governance.limits import most
from research.library.frozen import blocks_of
from research.lifecycle.recipe import StepResult, StepWork
from research.models import Run, Source, SourceStatus
from research.models.base import new_id
from research.models.schemas import LeftOut, RunOutcome
from research.reading.sentences import sentences
from research.reading.vectors.embedding import builtin_embedder
from research.recipes.report import diary
from research.recipes.report.analyzing.sections import sections_of
from research.recipes.report.collecting.library import hits_of, scope_of
from research.recipes.report.config import ReportConfig
from research.recipes.report.evidence import Evidence, stored_evidence
from research.recipes.report.lengths import first_within
from research.recipes.report.outline import number_sections
from research.retrieval import Hit, cards, rarity
from research.tenancy import tenant_context

NEAREST = 5  # passages shown with an insufficient answer


@dataclass(frozen=True, slots=True)
class Material:
    """What the analysis works on, read from the database."""

    question: Question
    config: ReportConfig
    ranker: Ranker
    candidates: tuple[Candidate, ...]
    source_of: dict[str, UUID]  # library document → the run's source


@dataclass(frozen=True, slots=True)
class Finding:
    """A claim to be, with the sentences that state it."""

    id: UUID
    selected: Selected

    @property
    def text(self) -> str:
        return " ".join(self.selected.best.candidate.text.split())


def analyze(work: StepWork) -> StepResult:
    with tenant_context(work.tenant_id):
        material = read_material(work.run_id)
    ranked = material.ranker.rank(material.candidates, builtin_embedder().embed)
    verdict = judge(material.ranker, ranked)
    if not verdict.is_answerable:
        return _insufficient(work, verdict, ranked)
    quotes = material.config.max_quotes
    chosen = select(ranked, material.question, material.ranker.cards, limit=quotes)
    findings = first_within(most("words"), [Finding(new_id(), one) for one in chosen], lambda one: one.text)
    return _found(work, material, verdict, findings, len(ranked))


def read_material(run_id: UUID) -> Material:
    run = Run.objects.get(pk=run_id)
    config = ReportConfig.model_validate(run.config)
    question, scope = analyse(run.topic), scope_of(config, run.pk)
    sources = Source.objects.filter(run_id=run_id, status=SourceStatus.PROCESSED).select_related("content")
    found = hits_of(run_id)
    return Material(
        question=question,
        config=config,
        ranker=Ranker.of(question, cards(scope), rarity(question, scope)),
        candidates=tuple(one for source in sources for one in _candidates(source, found)),
        source_of={str(source.library_document_id): source.pk for source in sources},
    )


def _candidates(source: Source, hits: Iterable[Hit]) -> list[Candidate]:
    passages = [
        Passage(hit.start, hit.end, hit.score) for hit in hits if hit.document == source.library_document_id
    ]
    if source.content is None or not passages:
        return []
    spans = sentences(source.content.text, blocks_of(source.content))
    return candidates(str(source.library_document_id), source.content.text, spans, passages)


def _insufficient(work: StepWork, verdict: Answerability, ranked: Sequence[Scored]) -> StepResult:
    nearest = [
        LeftOut(text=one.candidate.text, reason="Nearest passage; it does not answer.") for one in ranked
    ]
    outcome = RunOutcome(
        insufficient=True,
        reasons=list(verdict.reasons),
        looked_for=list(verdict.looked_for),
        left_out=nearest[:NEAREST],
    )

    def save() -> None:
        Run.objects.filter(pk=work.run_id).update(result=outcome.model_dump(mode="json"))
        diary.unanswered(work.run_id, outcome.reasons)

    return StepResult(
        {"answerable": False, "missing": list(verdict.missing), "ranked": len(ranked)},
        save=save,
        activity="The sources do not answer the question",
    )


def _found(
    work: StepWork, material: Material, verdict: Answerability, findings: Sequence[Finding], ranked: int
) -> StepResult:
    claims = [_claim(work.run_id, place, finding) for place, finding in enumerate(findings)]
    sections = sections_of([(one.id, one.selected) for one in findings])
    outcome = RunOutcome(looked_for=list(verdict.looked_for))

    def save() -> None:
        Claim.objects.bulk_create(claims)
        Run.objects.filter(pk=work.run_id).update(
            outline=number_sections(sections),
            total_sections=len(sections),
            result=outcome.model_dump(mode="json"),
        )

    evidence = {finding.id: _evidence(finding, material) for finding in findings}
    return StepResult(
        {
            "answerable": True,
            "ranked": ranked,
            "claims": len(claims),
            "open": list(verdict.reasons),  # parts of the question that the sources leave open
            "evidence": stored_evidence(evidence),
        },
        save=save,
        activity=f"Comparing {ranked} sentences",
    )


def _claim(run_id: UUID, place: int, finding: Finding) -> Claim:
    best = finding.selected.best
    return Claim(
        id=finding.id,
        run_id=run_id,
        position=place,
        text=finding.text,
        claim_type=classify(finding.text).value,
        relevance=min(1.0, max(0.0, best.score)),
        embedding=None if best.vector is None else best.vector.tolist(),
    )


def _evidence(finding: Finding, material: Material) -> list[Evidence]:
    return [
        Evidence(material.source_of[one.candidate.document_id], one.candidate.start, one.candidate.end)
        for one in finding.selected.sentences
    ]
