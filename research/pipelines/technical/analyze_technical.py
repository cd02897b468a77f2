"""Analyze a technical question: rank the results, check their links, then choose claims of each kind of advice.

The list of results is built before anything is judged, so that it exists even if the sources do not answer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from uuid import UUID

from django.utils import timezone
from pydantic import JsonValue, TypeAdapter

from citations.credibility.source_hosts import host_of
from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import StepDraft, StepResult, StepWork
from research.extractive.answerability import Answerability, judge
from research.extractive.candidate_sentences import Candidate
from research.extractive.select_answer_statements import SelectedClaim
from research.extractive.sentence_ranking import Embed, ScoredCandidate, in_context
from research.extractive.terms import term_set
from research.models import AgentRole, Queue
from research.pipelines.common.choose_rules_or_model import Engine, engine_of
from research.pipelines.report.analyzing.analyze_report_by_model import RunNotes
from research.pipelines.report.analyzing.analyze_report_by_model import read_material as read_notes
from research.pipelines.report.analyzing.analyze_report_by_rules import build_finding
from research.pipelines.report.analyzing.store_report_analysis import (
    ClaimArrangement,
    ClaimFinding,
    build_answered_result,
    build_unanswered_result,
)
from research.pipelines.report.reading.report_note_vectors import embed_by_builtin
from research.pipelines.report.report_step_names import ReportStepName as ReportWork
from research.pipelines.technical.answer.technical_answer import (
    StoredComparison,
    StoredExample,
    StoredResult,
    StoredTechnical,
)
from research.pipelines.technical.answer.technical_answer_diagrams import diagrams_of
from research.pipelines.technical.answer.technical_answer_material import (
    TechnicalMaterial,
    read_material,
    sentences_of,
)
from research.pipelines.technical.answer.technical_answer_style import prefer_answer_style, prefer_official
from research.pipelines.technical.answer.technical_follow_ups import follow_ups
from research.pipelines.technical.check_technical_links import find_fetched_sources, link_drafts, with_links
from research.pipelines.technical.choose_technical_sentences import (
    explains_and_mends,
    is_how_to,
    names_missing_page,
    on_the_rest,
    on_the_technologies,
    on_the_terms,
    on_the_things,
    select_advice,
    select_answer_sentences,
    select_cautions,
    select_requirements,
    worth_ranking,
)
from research.pipelines.technical.code.find_technical_code_examples import examples_of
from research.pipelines.technical.compare_technical_alternatives import (
    ComparisonGrid,
    aspects_of,
    compare,
    things_in,
    things_spoken_of,
)
from research.pipelines.technical.technical_advice_kinds import (
    COMPARISON,
    HEADINGS,
    Advice,
    classify_advice,
    order_of,
)
from research.pipelines.technical.technical_config import QuestionType
from research.pipelines.technical.technical_informative_sentences import (
    is_statement,
    select_current_sentences,
)
from research.pipelines.technical.technical_official_pages import names_of, official_type
from research.pipelines.technical.technical_queries import query_of
from research.pipelines.technical.technical_results import address_of, rank_results, separate_dead_results

FINDINGS = {"quick": 4, "standard": 7, "comprehensive": 12}
OF_EACH_ADVICE = {"quick": 2, "standard": 3, "comprehensive": 7}
BESIDE_CODE = 3  # sentences shown with code that answers, if no sentence answers
RANKED = 120  # sentences that are compared by their embeddings
EXAMPLES = {"quick": 3, "standard": 5, "comprehensive": 8}
# A sentence on one of several things suffices: “which Python and which compiler does it need”.
SPARED = {QuestionType.DEPENDENCY: 1}
_RESULTS = TypeAdapter(list[StoredResult])


def rank_sources(work: StepWork) -> StepResult:
    """Rank the sources as results, then have their links checked and the sources analyzed."""
    with tenant_context(work.tenant_id):
        material = read_material(work.run_id)
        results = rank_results(material, timezone.now().date())
        links = list(link_drafts(results, work.run_id)) if material.config.uses_web else []
        engine = engine_of(material.run)
    handler = ReportWork.ANALYZE_BY_MODEL if engine is Engine.MODEL else ReportWork.ANALYZE_BY_RULES
    dumped = _RESULTS.dump_python(results, mode="json")
    analyze = StepDraft(
        "analyze", handler, AgentRole.ANALYZER, queue=Queue.READING, input={"results": dumped}
    )
    return StepResult(
        {"results": len(results), "links": len(links)},
        children=links,
        then=analyze,
        activity=f"Ranking {len(results)} sources",
    )


def answer_by_rules(work: StepWork) -> StepResult:
    answer = _AnswerMaterial.read(work)
    ruled = _analyze_by_rules(answer)
    if not ruled.findings:  # a run without claims would find no way on
        by_document = answer.material.by_document
        nearest = [
            (near.candidate.text, by_document[near.candidate.document_id].source.pk) for near in ruled.ranked
        ]
        return build_unanswered_result(
            work, Engine.EXTRACTIVE, ruled.verdict, nearest, answer.own(None, (), ruled.ranked)
        )
    return build_answered_result(
        work,
        Engine.EXTRACTIVE,
        ruled.verdict,
        ruled.findings,
        len(ruled.ranked),
        arrange=partial(answer.arrange_claims, table=ruled.table, ranked=ruled.ranked),
    )


def answer_by_model(work: StepWork) -> StepResult:
    """Answer by rules and a model's notes on the sources; by the notes alone if the rules find no answer."""
    answer = _AnswerMaterial.read(work)
    with tenant_context(work.tenant_id):
        notes = RunNotes.read(read_notes(work.run_id))
    ruled = _analyze_by_rules(answer)
    if not ruled.findings:
        return notes.answer_alone(work, answer.of_notes, answer.own(None, (), ()))
    added = notes.add_to(ruled.findings, ruled.ranked)
    return build_answered_result(
        work,
        Engine.MODEL,
        ruled.verdict,
        added.all_findings,
        len(ruled.ranked),
        [*notes.refused, *added.left_out],
        arrange=partial(answer.arrange_claims, table=ruled.table, ranked=ruled.ranked),
    )


@dataclass(frozen=True, slots=True)
class _RuleFindings:
    """The results of the analysis by rules."""

    verdict: Answerability
    ranked: Sequence[ScoredCandidate]
    table: ComparisonGrid | None
    findings: Sequence[ClaimFinding]
    has_code: bool = False  # code that shows what was asked for
    has_requirement: bool = False  # a project's own page says what it requires or supports
    has_advice: bool = False  # pages about the technologies say what is good practice

    @property
    def is_compared(self) -> bool:
        """Return True for a table of the things, unless the sources lack words of their names.

        Other words, such as those of the purpose (“for a small app”), may be missing.
        """
        if self.table is None or not self.table.is_compared:
            return False
        return not term_set(self.verdict.missing) & term_set(self.table.things)

    @property
    def is_answerable(self) -> bool:
        """Return True if the findings answer; requested code does so if a sentence of its source can be cited."""
        by_code = self.has_code and bool(self.ranked)
        return any(
            (self.verdict.is_answerable, self.is_compared, by_code, self.has_requirement, self.has_advice)
        )


def _analyze_by_rules(answer: "_AnswerMaterial") -> _RuleFindings:
    material, embed = answer.material, answer.embed
    config, ranker = material.config, material.ranker
    sentences = select_current_sentences(
        sentences_of(material), ranker.question, config.type, ranker.cards, addresses_in(material)
    )
    sentences = list(on_the_terms(sentences, ranker))
    ranked = ranker.rank(worth_ranking(sentences, ranker), embed, limit=RANKED)
    verdict = judge(ranker, ranked)
    if config.type is QuestionType.ERROR_RESOLUTION and verdict.is_answerable:
        near = on_the_things(ranked, ranker, config.technologies)
        if explains_and_mends([scored for scored in near if is_statement(scored.candidate)]):
            verdict = replace(verdict, reasons=(), missing=(), open_parts=())
    table = answer.table(sentences)
    shown = answer.examples[0] if config.type is QuestionType.CODE_EXAMPLES else _list_official_code(answer)
    requirements = select_requirements(ranked, ranker) if config.type is QuestionType.DEPENDENCY else []
    advice = (
        select_advice(ranked, ranker, config.technologies, official_documents(material))
        if config.type is QuestionType.BEST_PRACTICES and not verdict.is_answerable
        else []
    )
    ruled = _RuleFindings(
        verdict,
        ranked,
        table,
        (),
        has_code=bool(shown),
        has_requirement=bool(requirements) and not names_missing_page(verdict.missing, requirements, ranker),
        has_advice=bool(advice),
    )
    if not ruled.is_answerable:
        return ruled
    is_shown = bool(shown) and config.type is not QuestionType.CODE_EXAMPLES
    if (
        ruled.is_compared or ruled.has_requirement or ruled.has_advice or is_shown
    ):  # this answers the whole question
        verdict = replace(verdict, reasons=(), missing=(), open_parts=())
        ruled = replace(ruled, verdict=verdict)
    if not verdict.is_answerable and ruled.has_requirement:
        ranked = requirements
    elif not verdict.is_answerable and ruled.has_advice:
        ranked = advice
    elif not verdict.is_answerable and not ruled.is_compared and not is_shown:
        beside = {str(example.source) for example in shown}
        with_code = {
            doc for doc, read_source in material.by_document.items() if str(read_source.source.pk) in beside
        }
        ranked = [scored for scored in ranked if scored.candidate.document_id in with_code]
        return replace(ruled, findings=_findings(material, ranked, None, embed)[:BESIDE_CODE])
    preferred = prefer_official(prefer_answer_style(ranked, config.type), official_documents(material))
    return replace(ruled, findings=_findings(material, preferred, table, embed))


def _list_official_code(answer: "_AnswerMaterial") -> list[StoredExample]:
    """Return the code of the project's own pages, which answers how something is done with it."""
    material = answer.material
    if not is_how_to(material.ranker.question.text, material.config.type):
        return []
    official = official_documents(material)
    own = {read.source.pk for document, read in material.by_document.items() if document in official}
    return [example for example in answer.examples[0] if example.source in own]


@dataclass(frozen=True)
class _AnswerMaterial:
    """The material for an answer, before anything is judged."""

    material: TechnicalMaterial
    results: tuple[StoredResult, ...]
    embed: Embed

    @classmethod
    def read(cls, work: StepWork) -> "_AnswerMaterial":
        results = _RESULTS.validate_python(work.input["results"])
        looks = work.children()
        with tenant_context(work.tenant_id):
            marked = with_links(results, looks, find_fetched_sources(work.run_id))
            return cls(read_material(work.run_id), tuple(marked), embed_by_builtin())

    def table(self, sentences: Sequence[Candidate]) -> ComparisonGrid | None:
        """Return the comparison table, or None if nothing is compared."""
        config, ranker = self.material.config, self.material.ranker
        if config.type is not QuestionType.COMPARISON or not config.synthesize:
            return None
        things = things_in(ranker.question, config.technologies, ranker.cards)
        if len(things) < 2:
            return None
        aspects = aspects_of(ranker.question, things, config.keywords)
        is_narrow = any(
            aspect.is_asked for aspect in aspects
        )  # an aspect seldom repeats the rest of the question
        near = sentences if is_narrow else on_the_rest(sentences, ranker, things)
        if things_spoken_of(things, near, ranker.cards) < things_spoken_of(things, sentences, ranker.cards):
            near = sentences  # the rest of the question would silence one of the things
        found = compare(things, aspects, near, ranker.cards, self.embed)
        return found if found.cells else None

    @cached_property
    def examples(self) -> tuple[list[StoredExample], list[StoredExample]]:
        config = self.material.config
        return (
            examples_of(self.material, EXAMPLES[config.depth], self.embed, official_documents(self.material))
            if config.include_code
            else ([], [])
        )

    def of_notes(self, findings: Sequence[ClaimFinding]) -> ClaimArrangement:
        ranked = [finding.scored for finding in findings]
        return self.arrange_claims(
            findings, self.table([candidate.candidate for candidate in ranked]), ranked
        )

    def arrange_claims(
        self,
        findings: Sequence[ClaimFinding],
        table: ComparisonGrid | None,
        ranked: Sequence[ScoredCandidate],
    ) -> ClaimArrangement:
        """Arrange the claims, each once: in its cell of the table, else under the heading of its kind of advice."""
        in_cells = _in_cells(findings, table)
        free = [finding for finding in findings if finding.id not in set(in_cells.values())]
        kind = self.material.config.type
        advice = classify_advice([_words(claim.scored.candidate) for claim in free], kind)
        by_advice = {
            label: [claim.id for claim, assigned in zip(free, advice, strict=True) if assigned is label]
            for label in Advice
        }
        order = order_of(kind)
        sections = [(HEADINGS[topic], by_advice[topic]) for topic in order if by_advice[topic]]
        takeaways = [ids[0] for _heading, ids in sections] if self.material.config.synthesize else []
        if in_cells:
            placed = [in_cells[place] for place in sorted(in_cells, key=lambda place: place[::-1])]
            side_by_side = list(dict.fromkeys(placed))
            takeaways = side_by_side[: len(table.things) if table else 0] + takeaways
            sections.insert(0, (COMPARISON, side_by_side))
        own = self.build_stored(table, findings, ranked)
        own.takeaways = takeaways
        own.headings = {topic.value: HEADINGS[topic] for topic in order}
        own.comparison = _to_stored_comparison(table, in_cells) if table else None
        return ClaimArrangement(sections, own.model_dump(mode="json"))

    def own(
        self,
        table: ComparisonGrid | None,
        findings: Sequence[ClaimFinding],
        ranked: Sequence[ScoredCandidate],
    ) -> dict[str, JsonValue]:
        dumped: dict[str, JsonValue] = self.build_stored(table, findings, ranked).model_dump(mode="json")
        return dumped

    def build_stored(
        self,
        table: ComparisonGrid | None,
        findings: Sequence[ClaimFinding],
        ranked: Sequence[ScoredCandidate],
    ) -> StoredTechnical:
        material, config, run = self.material, self.material.config, self.material.run
        listed, gone = separate_dead_results(self.results, config.max_results)
        question = material.ranker.question
        examples, broken = self.examples
        headings = [finding.heading for finding in findings if finding.heading]
        return StoredTechnical(
            query=query_of(run.topic, config, timezone.now().year),
            type=config.type.value,
            format=config.format,
            request_id=config.request_id,
            searched=list_searched_places(material),
            results=listed,
            gone=gone,
            examples=examples,
            broken=broken,
            diagrams=diagrams_of(
                material, findings, classify_advice([finding.text for finding in findings], config.type)
            )
            if config.include_diagrams
            else [],
            follow_ups=follow_ups(
                question,
                config.type,
                config.technologies,
                table,
                list(dict.fromkeys(headings)),
                has_code=bool(examples),
            ),
        )


def addresses_in(material: TechnicalMaterial) -> dict[str, str]:
    return {document: address_of(read.source) for document, read in material.by_document.items()}


def official_documents(material: TechnicalMaterial) -> frozenset[str]:
    names = names_of(material.ranker.question, material.config.technologies)
    return frozenset(
        document for document, url in addresses_in(material).items() if official_type(url, names) is not None
    )


def list_searched_places(material: TechnicalMaterial) -> list[str]:
    config = material.config
    library = ["library"] if config.uses_library else []
    return library + (list(config.providers) or ["web"] if config.uses_web else [])


def _in_cells(findings: Sequence[ClaimFinding], table: ComparisonGrid | None) -> dict[tuple[int, int], UUID]:
    """Return the ids of the findings in the table by row (thing) and column (aspect), in reading order."""
    if table is None:
        return {}
    by_place = {finding.scored.candidate.key: finding.id for finding in findings}
    placed = (((cell.thing, cell.aspect), cell.sentence.key) for cell in table.cells)
    return {place: by_place[key] for place, key in placed if key in by_place}


def _to_stored_comparison(table: ComparisonGrid, cells: Mapping[tuple[int, int], UUID]) -> StoredComparison:
    return StoredComparison(
        things=list(table.things),
        aspects=[aspect.title for aspect in table.aspects],
        cells=[[cells.get((t, a)) for a in range(len(table.aspects))] for t in range(len(table.things))],
    )


def _findings(
    material: TechnicalMaterial, ranked: Sequence[ScoredCandidate], table: ComparisonGrid | None, embed: Embed
) -> list[ClaimFinding]:
    config = material.config
    cells = [_score_sentence(cell.sentence, material, embed) for cell in table.cells] if table else []
    if config.type is QuestionType.COMPARISON:
        things = table.things if table else ()
        kept = {
            sentence.key
            for sentence in on_the_rest(
                [candidate.candidate for candidate in ranked], material.ranker, things
            )
        }
        near = [candidate for candidate in ranked if candidate.candidate.key in kept]
    else:
        spared = SPARED.get(config.type, 0)
        hosts = {document: host_of(url) for document, url in addresses_in(material).items()}
        named = on_the_technologies(ranked, material.ranker, config.technologies, material.run.topic)
        near = on_the_things(named, material.ranker, config.technologies, spared=spared, hosts=hosts)
    stated = select_answer_sentences(
        near,
        material.ranker,
        findings=FINDINGS[config.depth],
        of_each=OF_EACH_ADVICE[config.depth],
        kind=config.type,
        taken=frozenset(_words(cell.candidate) for cell in cells),
    )
    source_of = {document: read_source.source.pk for document, read_source in material.by_document.items()}
    known = {claim.best.candidate.key for claim in stated}
    others = [sentence for sentence in (table.others if table else ()) if sentence.key not in known]
    stated += [SelectedClaim(_score_sentence(sentence, material, embed)) for sentence in others]
    known |= {sentence.key for sentence in others}
    cautions = select_cautions(
        ranked, material.ranker, config.technologies, most=OF_EACH_ADVICE[config.depth], known=known
    )
    in_cells = {cell.candidate.key: cell for cell in cells}  # one sentence may fill several
    chosen = (*stated, *cautions, *map(SelectedClaim, in_cells.values()))
    return [build_finding(claim, source_of, "") for claim in chosen]


def _score_sentence(sentence: Candidate, material: TechnicalMaterial, embed: Embed) -> ScoredCandidate:
    """Score a sentence and add its embedding, by which contradictions are found."""
    scored = material.ranker.score(sentence)
    return replace(scored, vector=embed([in_context(sentence)])[0])


def _words(sentence: Candidate) -> str:
    return " ".join(sentence.text.split())
