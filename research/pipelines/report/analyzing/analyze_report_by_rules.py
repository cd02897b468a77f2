"""Analyze by rules: rank the sentences that were read, merge those that say the same, and judge if they answer.

With a model the answer is the same; the model's notes are added to it (`analyze_report_by_model`).
"""

from collections import defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from pydantic import JsonValue

from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import StepResult, StepWork
from research.extractive.answer_named_rows import omit_other_rows
from research.extractive.answer_sections import IN_DETAIL, AnswerSection
from research.extractive.answerability import judge
from research.extractive.candidate_sentences import Candidate
from research.extractive.compose_answer import MORE, compose
from research.extractive.select_answer_statements import SelectedClaim
from research.extractive.sentence_ranking import Ranker, ScoredCandidate
from research.models import Run, Source, SourceStatus
from research.models.base_models import new_id
from research.models.schemas import LeftOut, Plan
from research.pipelines.common.choose_rules_or_model import Engine
from research.pipelines.report.analyzing.report_excluded_subjects import ExcludedSubjects
from research.pipelines.report.analyzing.report_requested_subtopics import (
    RequestedSubtopic,
    find_requested_topics,
    on_the_question,
    select_topic_sentences,
)
from research.pipelines.report.analyzing.store_report_analysis import (
    ClaimArrangement,
    ClaimFinding,
    build_answered_result,
    build_unanswered_result,
    repeat_analysis,
)
from research.pipelines.report.looking_again.describe_second_look_of_report import reword_topic
from research.pipelines.report.passages_found_for_report import (
    FoundPassage,
    forget_sentences,
    keep_best,
    load_found_passages,
    sentences_in,
)
from research.pipelines.report.reading.report_note_vectors import embed_by_builtin
from research.pipelines.report.report_analysis_evidence import Evidence
from research.pipelines.report.report_config import ReportConfig
from research.pipelines.report.report_length import answer_length, first_within, most_words
from research.pipelines.report.report_outline import ANSWER, SectionPlan
from research.pipelines.report.report_scope import ranker_of

# Passages whose sentences are ranked. More would not answer better, but each takes a millisecond.
MAX_RANKED = 500


@dataclass(frozen=True, slots=True)
class RuleAnalysisMaterial:
    """The material of the analysis, read from the database."""

    config: ReportConfig
    ranker: Ranker
    sources: tuple[Source, ...]
    found: Mapping[UUID | None, Sequence[FoundPassage]]  # by library document: the best ones
    asked: tuple[RequestedSubtopic, ...] = ()

    @property
    def sentences(self) -> Iterator[Candidate]:
        for source in self.sources:
            yield from sentences_in(source, self.found[source.library_document_id])

    @property
    def excluded(self) -> ExcludedSubjects:
        return ExcludedSubjects.of(self.config.excluded_subjects)

    def part(self, ranked: Sequence[ScoredCandidate]) -> tuple[list[ScoredCandidate], list[LeftOut]]:
        """Split into what may be said, and what is about an excluded subject."""
        return self.excluded.part(ranked, self.ranker.cards)

    @property
    def source_of(self) -> Mapping[str, UUID]:
        """Return the source ids by library document."""
        return {str(source.library_document_id): source.pk for source in self.sources}


def analyze_sentences(work: StepWork) -> StepResult:
    if (earlier_result := repeat_analysis(work)) is not None:
        return earlier_result
    with tenant_context(work.tenant_id):
        material = read_material(work.run_id)
    ranker = material.ranker
    ranked, excluded = material.part(ranker.rank(material.sentences, embed_by_builtin()))
    verdict = judge(ranker, ranked)
    if not verdict.is_answerable:
        nearest = [
            (scored.candidate.shown, material.source_of.get(scored.candidate.document_id))
            for scored in ranked
            if not scored.candidate.flaw
        ]
        return build_unanswered_result(work, Engine.EXTRACTIVE, verdict, nearest)
    answer = arrange_answer(material, ranked)
    forget_sentences(material.sources)
    return build_answered_result(
        work,
        Engine.EXTRACTIVE,
        verdict,
        answer.findings,
        len(ranked),
        excluded,
        asked=material.asked,
        arrange=answer.arrange_sections,
    )


@dataclass(frozen=True, slots=True)
class ArrangedAnswer:
    """The statements of an answer as findings, and their sections."""

    sections: Sequence[tuple[AnswerSection, Mapping[tuple[str, int, int], ClaimFinding]]]
    words: int  # word limit of the report

    @property
    def is_timeline(self) -> bool:
        return any(row.date for section, _findings in self.sections for row in section.rows)

    @property
    def findings(self) -> list[ClaimFinding]:
        """The findings in reading order, within the word limit of the report."""
        found = (finding for _section, findings in self.sections for finding in findings.values())
        return first_within(self.words, list(found), lambda finding: finding.text)

    def arrange_sections(self, kept: Sequence[ClaimFinding]) -> ClaimArrangement:
        """Return the sections of the findings that are kept, by their current ids."""
        ids = {  # a computed figure was ranked by the sentence of an input, which may be a claim of its own
            finding.scored.candidate.key: finding.id for finding in kept if finding.computation is None
        }
        made = (build_section_plan(section, ids, findings) for section, findings in self.sections)
        plans = [plan for plan in made if plan.claims]
        for finding in kept:
            if finding.is_noted:
                _add(plans, finding)
        return ClaimArrangement(plans)


def _add(plans: list[SectionPlan], finding: ClaimFinding) -> None:
    """Add a model's claim as the last of the section of its part of the question, or in a section of its own."""
    heading = finding.heading or IN_DETAIL
    is_worded = finding.computation is not None
    open_plans = (plan for plan in plans if plan.is_worded == is_worded and not plan.role)
    place = next((plan for plan in open_plans if plan.heading == heading and plan.has_list), None)
    if place is None:
        plans.append(SectionPlan(heading=heading, claims=[finding.id], is_worded=is_worded))
    else:
        place.claims.append(finding.id)


def build_section_plan(
    section: AnswerSection, ids: Mapping[tuple[str, int, int], UUID], own: Container[tuple[str, int, int]]
) -> SectionPlan:
    """Return a section of the answer as it is stored.

    A statement without an id has left the report. One that is not its `own` is a claim of an earlier section that its
    table repeats.
    """
    stated = [statement.best.candidate.key for statement in section.all_statements]
    claims = [ids[key] for key in stated if key in ids and key in own]
    return SectionPlan(
        heading=section.heading,
        claims=claims,
        level=1 + section.level,
        kind=section.kind,
        role=ANSWER if section.is_short else "",
        layout=_layout(section, ids) if section.rows else None,
    )


def _layout(section: AnswerSection, ids: Mapping[tuple[str, int, int], UUID]) -> dict[str, JsonValue]:
    def cell(statements: Sequence[SelectedClaim]) -> JsonValue:
        found = [
            str(ids[statement.best.candidate.key])
            for statement in statements
            if statement.best.candidate.key in ids
        ]
        return found[0] if len(found) == 1 else [*found] if found else None

    rows: list[JsonValue] = [
        {"input": row.label, "date": row.date, "cells": [cell(statements) for statements in row.cells]}
        for row in section.rows
    ]
    return {"head": section.head, "columns": [*section.columns], "rows": rows}


def arrange_answer(material: RuleAnalysisMaterial, ranked: Sequence[ScoredCandidate]) -> ArrangedAnswer:
    """Return the answer in the form that the question asks for, with requested topics under their headings."""
    ranker, config = material.ranker, material.config
    ranked = omit_other_rows(ranker.question, ranked)
    besides = _besides(material, ranked)
    sections = list(compose(ranker.question, ranked, ranker.cards, config.most_quotes, answer_length(config)))
    stated_keys = {
        statement.best.candidate.key
        for section in sections
        if section.heading not in (IN_DETAIL, MORE)  # from there it moves under its own heading
        for statement in section.all_statements
    }
    more: dict[str, list[SelectedClaim]] = defaultdict(list)
    for key, (heading, claim) in besides.items():
        if key not in stated_keys:
            more[heading].append(claim)
    own_sections = [AnswerSection(heading, tuple(claims)) for heading, claims in more.items()]
    last = next((at for at, part in enumerate(sections) if part.heading == MORE), len(sections))
    place = min((at for at, part in enumerate(sections) if part.heading == IN_DETAIL), default=last)
    sections[place:place] = own_sections
    source_of = material.source_of
    seen: set[tuple[str, int, int]] = set()
    arranged = []
    for section in sections:
        own = {
            statement.best.candidate.key: statement
            for statement in section.all_statements
            if statement.best.candidate.key not in seen
        }
        seen |= own.keys()
        arranged.append(
            (section, {key: build_finding(claim, source_of, section.heading) for key, claim in own.items()})
        )
    return ArrangedAnswer(arranged, most_words(config))


def _besides(
    material: RuleAnalysisMaterial, ranked: Sequence[ScoredCandidate]
) -> Mapping[tuple[str, int, int], tuple[str, SelectedClaim]]:
    """Return the claims of requested topics by the place of their best sentence.

    A statement that fits two headings is placed under the one requested first.
    """
    if not material.asked:
        return {}
    near, cards, embed = on_the_question(ranked), material.ranker.cards, embed_by_builtin()
    excluded = material.excluded
    sentences = [
        sentence
        for sentence in material.sentences
        if sentence.document_id in near and not excluded.of_sentence(sentence, cards)
    ]
    return {
        sentence.best.candidate.key: (asked.heading, sentence)
        for asked in reversed(material.asked)
        for sentence in select_topic_sentences(asked, sentences, cards, embed)
    }


def read_material(run_id: UUID) -> RuleAnalysisMaterial:
    run = Run.objects.get(pk=run_id)
    rows = Source.objects.filter(run_id=run_id, status=SourceStatus.PROCESSED).select_related("content")
    sources = rows.defer("content__pages", "content__minhash")
    found = defaultdict[UUID | None, list[FoundPassage]](list)
    for passage in load_found_passages(run_id):
        found[passage.document].append(passage)
    return RuleAnalysisMaterial(
        config=ReportConfig.model_validate(run.config),
        ranker=ranker_of(run, reword_topic(run)),
        sources=tuple(sources),
        found=keep_best(found, MAX_RANKED),
        asked=find_requested_topics(Plan.model_validate(run.plan)),
    )


def build_finding(selected: SelectedClaim, source_of: Mapping[str, UUID], heading: str) -> ClaimFinding:
    """Return the finding of a selected claim; without a heading it gets the nearest one of its best sentence."""
    best = selected.best
    return ClaimFinding(
        id=new_id(),
        text=best.candidate.shown,
        scored=best,
        heading=heading or best.candidate.heading.strip(),
        evidence=tuple(
            place for sentence in selected.sentences for place in _evidence_of(sentence.candidate, source_of)
        ),
    )


def _evidence_of(candidate: Candidate, source_of: Mapping[str, UUID]) -> Iterator[Evidence]:
    """Yield the place of the candidate's words and, for an item of a list, that of the line that introduces it."""
    for start, end in candidate.places:
        yield Evidence(source_of[candidate.document_id], start, end)
