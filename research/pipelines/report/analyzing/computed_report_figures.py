"""Turn the figures that agents computed into claims of the answer: each is based on the passages of its inputs."""

from collections.abc import Iterator, Mapping, Sequence
from uuid import UUID

from research.extractive.candidate_sentences import Candidate
from research.extractive.select_answer_statements import FLOOR
from research.extractive.sentence_ranking import Embed, Ranker, ScoredCandidate
from research.models import Source, Step
from research.models.base_models import new_id
from research.models.schemas import LeftOut, StoredComputation
from research.pipelines.report.analyzing.merge_report_claims import OFF_TOPIC
from research.pipelines.report.analyzing.store_report_analysis import ClaimFinding
from research.pipelines.report.report_analysis_evidence import Evidence
from research.pipelines.report.report_step_names import ReportStepName

HEADING = "Computed figures"
SOURCE_LEFT = "A source that it was computed from is not used."


def load_computations(run_id: UUID) -> list[StoredComputation]:
    """Return the computations whose inputs were found in their sources and whose result is right.

    Needs the tenant set.
    """
    gathered = Step.objects.filter(run_id=run_id, handler=ReportStepName.GATHER, output__has_key="computed")
    rows = gathered.order_by("step_index").values_list("output__computed", flat=True)
    computations = (StoredComputation.model_validate(item) for computed in rows for item in computed)
    return list({computation.text: computation for computation in computations}.values())


def find_computed_figures(
    computations: Sequence[StoredComputation],
    sources: Mapping[UUID, Source],
    ranker: Ranker,
    ranked: Sequence[ScoredCandidate],
    embed: Embed,
) -> tuple[list[ClaimFinding], list[LeftOut]]:
    """Split the computations into those near enough to the question, by their inputs' passages, and others."""
    findings, left_out = [], []
    best = max((ranked_candidate.score for ranked_candidate in ranked), default=0.0)
    for computation in computations:
        if any(place.source not in sources for place in computation.inputs):
            left_out.append(LeftOut(text=computation.text, reason=SOURCE_LEFT))
            continue
        passages = {candidate.key: candidate for candidate in _candidates(computation, sources)}
        already_ranked = [
            ranked_candidate for ranked_candidate in ranked if ranked_candidate.candidate.key in passages
        ]
        scored = already_ranked or ranker.rank(passages.values(), embed)
        if not scored or scored[0].score < FLOOR * best:
            left_out.append(LeftOut(text=computation.text, reason=OFF_TOPIC))
            continue
        findings.append(
            ClaimFinding(
                id=new_id(),
                text=computation.text,
                scored=scored[0],
                heading=HEADING,
                evidence=tuple(
                    dict.fromkeys(
                        Evidence(place.source, place.start, place.end) for place in computation.inputs
                    )
                ),
                is_noted=True,
                computation=computation,
            )
        )
    return findings, left_out


def _candidates(computation: StoredComputation, sources: Mapping[UUID, Source]) -> Iterator[Candidate]:
    for place in computation.inputs:
        source = sources[place.source]
        text = source.text[place.start : place.end]
        yield Candidate(str(source.library_document_id), place.start, place.end, text, chunk_score=1.0)
