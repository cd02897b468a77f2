"""Analyze with a model: the rules give the answer; the model's notes are merged into it, or added after it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from pydantic import JsonValue

from citations.contradiction.contradiction_profiles import profile_for
from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import StepResult, StepWork
from research.extractive.answer_sections import format_heading
from research.extractive.answerability import SUPPORTED, Answerability, judge
from research.extractive.question.parsed_question import ParsedQuestion
from research.extractive.sentence_ranking import Embed, Ranker, ScoredCandidate
from research.models import Run, Source, SourceStatus, Step
from research.models.base_models import new_id
from research.models.schemas import LeftOut, Plan, StoredComputation
from research.parsing.vectors.embed_texts import builtin_embedder
from research.pipelines.common.choose_rules_or_model import Engine
from research.pipelines.common.report_source_readings import SourceReading, read_all_sources
from research.pipelines.report.analyzing import analyze_report_by_rules
from research.pipelines.report.analyzing.add_model_notes_to_report import (
    MAX_ADDED,
    SupplementedFindings,
    add_notes,
    evidence_of,
    tells_apart,
)
from research.pipelines.report.analyzing.computed_report_figures import (
    find_computed_figures,
    load_computations,
)
from research.pipelines.report.analyzing.merge_report_claims import (
    OFF_TOPIC,
    MergedClaim,
    NotedClaim,
    ScoredClaim,
    merge,
    on_topic,
    select_claims,
    weigh,
)
from research.pipelines.report.analyzing.misattributed_report_notes import (
    MisattributionResult,
    relocate_quotes,
)
from research.pipelines.report.analyzing.report_excluded_subjects import REASON, ExcludedSubjects
from research.pipelines.report.analyzing.report_requested_subtopics import (
    RequestedSubtopic,
    find_requested_topics,
)
from research.pipelines.report.analyzing.store_report_analysis import (
    Arrange,
    ClaimFinding,
    build_answered_result,
    build_unanswered_result,
    repeat_analysis,
)
from research.pipelines.report.looking_again.describe_second_look_of_report import reword_topic
from research.pipelines.report.passages_found_for_report import forget_sentences
from research.pipelines.report.reading.report_note_vectors import (
    EMBEDDED,
    build_cached_embed,
    embed_by_builtin,
)
from research.pipelines.report.reading.store_report_notes import Admission, read_admissions
from research.pipelines.report.report_config import ReportConfig
from research.pipelines.report.report_length import answer_length, first_within, most_words
from research.pipelines.report.report_scope import ranker_of
from research.pipelines.report.report_step_names import ReportStepName

BESIDE = 60  # ranked sentences, for comparison
NOT_ANSWERED = "It was computed, and the passages that it rests on do not answer the question."
NEARLY = 0.75  # share of the support that rules require, if a model says that a claim answers


@dataclass(frozen=True, slots=True)
class ModelAnalysisMaterial:
    """The material of the analysis, read from the database."""

    config: ReportConfig
    headings: Mapping[int, str]  # of the plan, by the number of their subtopic
    ranker: Ranker
    admissions: tuple[Admission, ...]
    readings: Mapping[
        str, SourceReading
    ]  # of all sources, for quotes that are missing from the source named for them
    published: Mapping[UUID, str]  # by source
    asked: tuple[RequestedSubtopic, ...] = ()
    dropped: tuple[LeftOut, ...] = ()  # of what agents found
    computations: tuple[StoredComputation, ...] = ()


def analyze_claims(work: StepWork) -> StepResult:
    """Return the rules' answer with the model's notes added; if rules find no answer, one from the notes alone."""
    if (earlier_result := repeat_analysis(work)) is not None:
        return earlier_result
    with tenant_context(work.tenant_id):
        material, sources = read_material(work.run_id), analyze_report_by_rules.read_material(work.run_id)
    notes = RunNotes.read(material)
    ranked, excluded = sources.part(material.ranker.rank(sources.sentences, notes.embed, limit=EMBEDDED))
    verdict = judge(material.ranker, ranked)
    if not verdict.is_answerable:
        return notes.answer_alone(work)
    answer = analyze_report_by_rules.arrange_answer(sources, ranked)
    forget_sentences(sources.sources)
    supplemented = notes.add_to(answer.findings, ranked, is_closed=answer.is_timeline)
    by_id = {source.pk: source for source in sources.sources}
    computed, unused = find_computed_figures(
        material.computations, by_id, material.ranker, ranked, notes.embed
    )
    return build_answered_result(
        work,
        Engine.MODEL,
        verdict,
        first_within(
            most_words(material.config), [*supplemented.all_findings, *computed], lambda finding: finding.text
        ),
        len(ranked),
        [*notes.refused, *excluded, *supplemented.left_out, *unused],
        material.asked,
        answer.arrange_sections,
    )


@dataclass(frozen=True)
class RunNotes:
    """The claims that models noted from the run's sources, located in them."""

    material: ModelAnalysisMaterial
    noted: tuple[NotedClaim, ...]
    refused: tuple[LeftOut, ...]
    embed: Embed

    @classmethod
    def read(cls, material: ModelAnalysisMaterial) -> "RunNotes":
        found = relocate_quotes(material.admissions, material.readings)
        excluded = ExcludedSubjects.of(material.config.excluded_subjects)
        subjects = [
            (note, _find_excluded_subject(note, excluded, material))
            for note in _collect_notes(material, found)
        ]
        noted = tuple(note for note, subject in subjects if not subject)
        refused = [
            *_collect_refusals(material.admissions, found),
            *material.dropped,
            *(LeftOut(text=note.claim.text, reason=REASON.format(it)) for note, it in subjects if it),
        ]
        embed = build_cached_embed((claim.claim for claim in noted), embed_by_builtin())
        return cls(material, noted, tuple(refused), embed)

    def weigh_notes(self, ranked: Sequence[ScoredCandidate]) -> list[ScoredClaim]:
        """Return the notes by the scores of their places.

        Places that were not ranked yet are ranked beside the best ones.
        """
        ranked_keys = {candidate.candidate.key for candidate in ranked}
        sentences = {claim.claim.sentence.key: claim.claim.sentence for claim in self.noted}
        new = [sentence for key, sentence in sentences.items() if key not in ranked_keys]
        beside = [candidate.candidate for candidate in ranked[:BESIDE]]
        keys = {sentence.key for sentence in new}
        more = self.material.ranker.rank([*new, *beside], self.embed, limit=EMBEDDED) if new else []
        places = [*ranked, *(scored for scored in more if scored.candidate.key in keys)]
        return weigh(self.noted, sorted(places, key=lambda place: -place.score))

    def add_to(
        self, findings: Sequence[ClaimFinding], ranked: Sequence[ScoredCandidate], *, is_closed: bool = False
    ) -> SupplementedFindings:
        """Return the rules' findings with the notes. `is_closed`: none is added, as their order has no place for it."""
        material = self.material
        room = max(0, material.config.most_quotes - sum(len(finding.evidence) for finding in findings))
        return add_notes(
            findings,
            self.weigh_notes(ranked),
            profile_for(builtin_embedder().model_id),
            heading_of=self._find_heading,
            asked=frozenset(subtopic.number for subtopic in material.asked),
            most=0 if is_closed else min(room, MAX_ADDED + answer_length(material.config).more),
        )

    def answer_alone(
        self, work: StepWork, arrange: Arrange | None = None, own: dict[str, JsonValue] | None = None
    ) -> StepResult:
        """Answer from the model's notes alone, if rules find no answer.

        `arrange` and `own` come from a kind of run that divides its claims differently; `own` is used if the notes do
        not answer either.
        """
        material = self.material
        sentences = {claim.claim.sentence.key: claim.claim.sentence for claim in self.noted}
        ranked = material.ranker.rank(sentences.values(), self.embed, limit=EMBEDDED)
        verdict = judge(material.ranker, ranked)
        weighed = weigh(self.noted, ranked)
        kept, aside = on_topic(weighed, frozenset(subtopic.number for subtopic in material.asked))
        if not is_answered(material.ranker.question, verdict, kept, is_heard=tells_apart(self.noted)):
            nearest = [(near.noted.claim.text, near.noted.source) for near in weighed]
            return build_unanswered_result(work, Engine.MODEL, verdict, nearest, own)
        if not verdict.is_answerable:
            aside += [scored_claim for scored_claim in kept if not scored_claim.noted.claim.answers]
            kept = [scored_claim for scored_claim in kept if scored_claim.noted.claim.answers]
        left_out = [
            *self.refused,
            *(LeftOut(text=scored_claim.noted.claim.text, reason=OFF_TOPIC) for scored_claim in aside),
            *(LeftOut(text=computation.text, reason=NOT_ANSWERED) for computation in material.computations),
        ]
        merged = merge(kept, profile_for(builtin_embedder().model_id))
        findings = [
            _build_finding(claim, material.headings)
            for claim in select_claims(merged, material.config.most_quotes)
        ]
        shown = first_within(most_words(material.config), findings, lambda finding: finding.text)
        return build_answered_result(
            work, Engine.MODEL, verdict, shown, len(self.noted), left_out, material.asked, arrange
        )

    def _find_heading(self, note: ScoredClaim) -> str:
        """Return the heading of a note's requested subtopic, else of the part of the question that it answers best."""
        asked = next(
            (subtopic for subtopic in self.material.asked if subtopic.number == note.noted.claim.subtopic),
            None,
        )
        if asked is not None:
            return asked.heading
        parts = self.material.ranker.question.parts
        if len(parts) < 2:
            return ""
        return format_heading(parts[max(range(len(parts)), key=note.scored.score_of)])


def is_answered(
    question: ParsedQuestion, verdict: Answerability, kept: Sequence[ScoredClaim], *, is_heard: bool = True
) -> bool:
    """Return True if the rules find that the notes answer; or nearly do, if a model says so and nothing that the
    question names is missing.

    Without `is_heard` they do not answer: rules found no answer in all that was read, and the model's mark means
    nothing.
    """
    if not kept or not is_heard:
        return False
    names = {name.surface for name in question.names}
    is_near = verdict.support >= NEARLY * SUPPORTED and not names & set(verdict.missing)
    return verdict.is_answerable or (is_near and any(claim.noted.claim.answers for claim in kept))


def read_material(run_id: UUID) -> ModelAnalysisMaterial:
    run = Run.objects.get(pk=run_id)
    config = ReportConfig.model_validate(run.config)
    # What was noted of a copy was noted of its original, too.
    sources = Source.objects.filter(run_id=run_id).exclude(
        status__in=(SourceStatus.EXCLUDED, SourceStatus.DUPLICATE)
    )
    published = dict(sources.values_list("pk", "published_date"))
    admissions = tuple(admission for admission in read_admissions(run_id) if admission.source in published)
    plan = Plan.model_validate(run.plan)
    is_one_missing = any(admission.unplaced for admission in admissions)
    return ModelAnalysisMaterial(
        config=config,
        headings=headings_of(plan),
        ranker=ranker_of(run, reword_topic(run)),
        admissions=admissions,
        readings=read_all_sources(run_id) if is_one_missing else {},
        published=published,
        asked=find_requested_topics(plan),
        dropped=read_dropped_findings(run_id),
        computations=tuple(load_computations(run_id)),
    )


def read_dropped_findings(run_id: UUID) -> tuple[LeftOut, ...]:
    """Return findings of agents that no source says. Needs the tenant set."""
    gathered = Step.objects.filter(run_id=run_id, handler=ReportStepName.GATHER, output__has_key="dropped")
    rows = gathered.order_by("step_index").values_list("output__dropped", flat=True)
    found = (LeftOut.model_validate(left) for dropped in rows for left in dropped)
    return tuple({left.text: left for left in found}.values())


def headings_of(plan: Plan) -> Mapping[int, str]:
    """Return headings by the number of the subtopic as prompts show it, for subtopics with a section in the outline."""
    by_subtopic = {section.subtopic: section.heading for section in reversed(plan.outline)}
    numbered = enumerate(plan.subtopics, start=1)
    return {
        number: by_subtopic[subtopic.name] for number, subtopic in numbered if subtopic.name in by_subtopic
    }


def _find_excluded_subject(
    note: NotedClaim, excluded: ExcludedSubjects, material: ModelAnalysisMaterial
) -> str:
    """Return the excluded subject that a note, or the sentence that it is based on, is about; "" for none."""
    own = excluded.find_mentioned_subject(note.claim.text)
    return own or excluded.of_sentence(note.claim.sentence, material.ranker.cards)


def _collect_notes(material: ModelAnalysisMaterial, found: MisattributionResult) -> Iterator[NotedClaim]:
    published = material.published
    for admission in material.admissions:
        yield from (
            NotedClaim(admission.source, claim, published[admission.source]) for claim in admission.admitted
        )
    for moved in found.placed:
        yield NotedClaim(moved.source, moved.claim, published[moved.source], moved.named)


def _collect_refusals(admissions: Iterable[Admission], found: MisattributionResult) -> Iterator[LeftOut]:
    for admission in admissions:
        yield from (LeftOut(text=out.text, reason=out.reason) for out in admission.refused)
    yield from (LeftOut(text=out.text, reason=out.reason) for out in found.refused)


def _build_finding(merged: MergedClaim, headings: Mapping[int, str]) -> ClaimFinding:
    first = merged.first
    return ClaimFinding(
        id=new_id(),
        text=merged.text,
        scored=first.scored,
        heading=headings.get(first.noted.claim.subtopic, ""),
        evidence=tuple(evidence_of(member.noted) for member in merged.members),
        is_noted=True,
    )
