"""Store the outcome of the analysis as rows: claims with their place in the report, or that nothing answers."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast
from uuid import UUID

from django.utils import timezone
from pydantic import JsonValue

from citations.models import Claim, Warning
from citations.verification import classify
from exports.document.document_findings import NEAREST_PASSAGE
from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import JsonObject, StepResult, StepWork
from research.extractive.answerability import Answerability
from research.extractive.question.parsed_question import analyse
from research.extractive.sentence_ranking import ScoredCandidate
from research.models import Kind, Run
from research.models.schemas import LeftOut, RunOutcome, StoredComputation
from research.pipelines.common.choose_rules_or_model import Engine
from research.pipelines.common.verifying.report_shortcomings import build_open_gaps, describe_partial_sources
from research.pipelines.report import report_progress_notes
from research.pipelines.report.analyzing.analyze_report_again import (
    keep_scope_gaps,
    load_claim_ids,
    start_over,
)
from research.pipelines.report.analyzing.assess_report_draft import assess, set_aside
from research.pipelines.report.analyzing.divide_report_into_sections import sections_of
from research.pipelines.report.analyzing.report_follow_up_questions import follow_up_questions
from research.pipelines.report.analyzing.report_requested_subtopics import (
    RequestedSubtopic,
    find_missing_sections,
)
from research.pipelines.report.analyzing.thin_report_claims import NO_CLAIM_HAS_ENOUGH, find_thin_claims
from research.pipelines.report.looking_again.describe_second_look_of_report import (
    describe_tries,
    has_found_more,
)
from research.pipelines.report.looking_again.open_report_parts import list_open_parts, select_wanted
from research.pipelines.report.report_analysis_evidence import Evidence, dump_evidence, read_analysis
from research.pipelines.report.report_config import ReportConfig
from research.pipelines.report.report_outline import SectionPlan, number_sections

NEAREST = 5  # passages shown with an insufficient answer


@dataclass(frozen=True, slots=True)
class ClaimFinding:
    """A claim before it is written: its words, the sentence that it was ranked by, and its places."""

    id: UUID
    text: str
    scored: ScoredCandidate
    heading: str  # the heading that it belongs under; empty for none
    evidence: tuple[Evidence, ...]
    is_noted: bool = False  # by a model; rules did not choose it
    computation: StoredComputation | None = (
        None  # not stated by a source, but computed from what sources state
    )

    def claim(self, run_id: UUID, position: int) -> Claim:
        return Claim(
            id=self.id,
            run_id=run_id,
            position=position,
            text=self.text,
            claim_type=classify(self.text).value,
            relevance=min(1.0, max(0.0, self.scored.score)),
            embedding=None if self.scored.vector is None or self.computation else self.scored.vector.tolist(),
            quantities=[self.computation.model_dump(mode="json")] if self.computation else [],
        )


@dataclass(frozen=True, slots=True)
class ClaimArrangement:
    """The sections with their claims, and the additional output of the run's kind (`RunOutcome.own`)."""

    sections: Sequence[SectionPlan | tuple[str, Sequence[UUID]]]
    own: dict[str, JsonValue] | None = None


Arrange = Callable[[Sequence[ClaimFinding]], ClaimArrangement]


def build_unanswered_result(
    work: StepWork,
    engine: Engine,
    verdict: Answerability,
    nearest: Sequence[tuple[str, UUID | None]],
    own: dict[str, JsonValue] | None = None,
) -> StepResult:
    """Return the result of an analysis without an answer. `nearest`: the closest statements with their sources, best
    first.
    """
    closest = [
        LeftOut(text=text, reason=NEAREST_PASSAGE, source=source)
        for text, source in without_parts(nearest[: 2 * NEAREST])[:NEAREST]
    ]
    with tenant_context(work.tenant_id):
        tried = describe_tries(Run.objects.only("topic").get(pk=work.run_id))
        partial = describe_partial_sources(work.run_id)
    outcome = RunOutcome(
        insufficient=True,
        reasons=[*(verdict.reasons or ["The sources hold no passage on this."]), *partial, *tried],
        looked_for=list(verdict.looked_for),
        left_out=closest,
        engine=engine.value,
        own=own or {},
    )

    def save() -> None:
        Run.objects.filter(pk=work.run_id).update(result=outcome.model_dump(mode="json"))
        report_progress_notes.note_missing_answer(work.run_id, outcome.reasons)

    return StepResult(
        {
            "answerable": False,
            "missing": list(verdict.missing),
            "parts": list_open_parts(verdict),
            "ranked": len(nearest),
        },
        save=save,
        activity="The sources do not answer the question",
    )


def without_parts(nearest: Sequence[tuple[str, UUID | None]]) -> list[tuple[str, UUID | None]]:
    """Return the statements without those whose words stand in a longer one, or in an earlier one."""
    texts = [text for text, _source in nearest]
    return [
        (text, source)
        for place, (text, source) in enumerate(nearest)
        if text not in texts[:place] and not any(text in other and text != other for other in texts)
    ]


def build_answered_result(
    work: StepWork,
    engine: Engine,
    verdict: Answerability,
    findings: Sequence[ClaimFinding],
    ranked: int,
    left_out: Iterable[LeftOut] = (),
    asked: Sequence[RequestedSubtopic] = (),
    arrange: Arrange | None = None,
) -> StepResult:
    """Return the result of an analysis with an answer.

    `findings` are sorted best first, chosen from `ranked`. `asked`: what the run was asked to cover besides. `arrange`
    divides them differently than a report does.
    """
    with tenant_context(work.tenant_id):
        claim_ids, lost = load_claim_ids(work.run_id), set_aside(work.run_id)
        run = Run.objects.only("kind", "topic", "config", "plan").get(pk=work.run_id)
        config = ReportConfig.model_validate(run.config)
        thin = find_thin_claims(config, findings)
    findings = [replace(finding, id=claim_ids.get(finding.text, finding.id)) for finding in findings]
    findings = [finding for finding in findings if finding.id not in lost]
    if thin and len(thin) == len(findings):
        nearest = [
            (finding.text, finding.evidence[0].source if finding.evidence else None) for finding in findings
        ]
        few = replace(verdict, reasons=(NO_CLAIM_HAS_ENOUGH, *verdict.reasons))
        return build_unanswered_result(work, engine, few, nearest, arrange(()).own if arrange else None)
    left_out = [*left_out, *(thin[finding.text] for finding in findings if finding.text in thin)]
    findings = [finding for finding in findings if finding.text not in thin]
    claims = [kept_finding.claim(work.run_id, position) for position, kept_finding in enumerate(findings)]
    arranged = arrange(findings) if arrange else ClaimArrangement(_sections(findings, asked))
    headings = (
        section.heading if isinstance(section, SectionPlan) else section[0] for section in arranged.sections
    )
    missing = find_missing_sections(asked, headings, [finding.text for finding in findings])
    outcome = RunOutcome(
        looked_for=list(verdict.looked_for),
        left_out=[*left_out, *missing],
        engine=engine.value,
        follow_ups=_find_follow_ups(run, config, verdict, findings, missing),
        own=arranged.own or {},
    )

    evidence: Mapping[UUID, Sequence[Evidence]] = {finding.id: finding.evidence for finding in findings}
    today = timezone.now().date()
    with tenant_context(work.tenant_id):
        assessment = assess(work.run_id, claims, evidence, verdict.reasons, today)
        wanted = select_wanted(assessment.uncovered, config, (subtopic.name for subtopic in asked))
        parts = list_open_parts(verdict, wanted)
        tried = describe_tries(Run.objects.only("topic").get(pk=work.run_id), parts)
    assessment = assessment.with_tries(work.run_id, tried)

    def save() -> None:
        start_over(work.run_id)
        Claim.objects.bulk_create(claim for claim in claims if claim.pk not in set(claim_ids.values()))
        assessment.store(work.run_id)
        keep_scope_gaps(work.run_id)
        Run.objects.filter(pk=work.run_id).update(
            outline=number_sections(arranged.sections),
            total_sections=len(arranged.sections),
            result=outcome.model_dump(mode="json"),
        )

    return StepResult(
        {
            "answerable": True,
            "ranked": ranked,
            "claims": len(claims),
            "conflicts": len(assessment.conflicts),
            "gaps": len(assessment.gaps),
            "open": [*verdict.reasons, *tried],  # what the sources leave open, in words
            "parts": parts,
            "missing": list(verdict.missing),
            "evidence": dump_evidence(evidence),
            "noted": [str(finding.id) for finding in findings if finding.is_noted],
        },
        save=save,
        activity=f"Comparing {ranked} statements",
    )


def repeat_analysis(work: StepWork) -> StepResult | None:
    """Return the result of the previous analysis, if there is one and the search for open parts found nothing new."""
    with tenant_context(work.tenant_id):
        run = Run.objects.get(pk=work.run_id)
        before = read_analysis(run.pk)
        if before is None or has_found_more(run):
            return None
        tried = describe_tries(run)
    reasons = [*RunOutcome.model_validate(run.outcome).reasons, *tried]

    def save() -> None:
        if run.is_insufficient:
            Run.objects.filter(pk=run.pk).update(result={**run.outcome, "reasons": reasons})
            report_progress_notes.note_missing_answer(run.pk, reasons)
        else:
            Warning.objects.bulk_create(build_open_gaps(run, tried))

    known = cast(JsonObject, before)
    output = {name: value for name, value in known.items() if name != "failures"}
    return StepResult(
        {**output, "open": [*before.get("open", ()), *tried], "is_repeated": True},
        save=save,
        activity="Nothing else was found",
    )


def _find_follow_ups(
    run: Run,
    config: ReportConfig,
    verdict: Answerability,
    findings: Sequence[ClaimFinding],
    missing: Sequence[LeftOut],
) -> list[str]:
    """Return the follow-up questions, if the report offers them."""
    if run.kind != Kind.REPORT or not config.follow_ups:
        return []
    open_parts = [*verdict.missing, *(part.text for part in missing)]
    headings = [finding.scored.candidate.heading.strip() for finding in findings]
    return follow_up_questions(analyse(run.topic), verdict.open_parts, open_parts, headings)


def _sections(
    findings: Sequence[ClaimFinding], asked: Sequence[RequestedSubtopic]
) -> list[tuple[str, list[UUID]]]:
    headings = {subtopic.heading for subtopic in asked if subtopic.is_section}
    return sections_of([(finding.id, finding.heading) for finding in findings], headings)
