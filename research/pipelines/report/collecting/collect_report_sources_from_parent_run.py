"""Collect for a follow-up or an extension: the sources that the previous run read are taken over as they are.

Nothing is fetched or read again: the run uses the same frozen text with its copied passages, and looks up those that
fit this question. A follow-up searches further only if these sources do not answer it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from uuid import UUID

from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import StepDraft, StepResult, StepWork
from research.extractive.answerability import judge
from research.extractive.question.parsed_question import analyse
from research.extractive.sentence_ranking import Ranker
from research.library.library_scope import LibraryScope
from research.library.rate_library_source import judge_of
from research.library.retrieval.hybrid_retrieval import QueryVector, cards, rarity, retrieve
from research.library.retrieval.library_query_embedding import embed_page_query
from research.library.sources_from_library import COPIED
from research.models import (
    AgentRole,
    Chunk,
    LibraryChunk,
    PlanTrigger,
    Relation,
    Run,
    Source,
    SourceStatus,
    State,
    Step,
    StepStatus,
)
from research.models.base_models import new_id
from research.models.schemas import Plan
from research.parsing.vectors.embed_texts import builtin_embedder
from research.pipelines.common.choose_rules_or_model import Engine, engine_of
from research.pipelines.report.collecting.collect_saved_report_pages import FITS
from research.pipelines.report.instructions.report_instruction_steps import begin_draft
from research.pipelines.report.passages_found_for_report import FoundPassage, dump_passages, sentences_in
from research.pipelines.report.reading.propose_report_notes import draft_reading_step
from research.pipelines.report.reading.score_report_passages import MAX_HITS, relevance_of, score
from research.pipelines.report.report_config import ReportConfig
from research.pipelines.report.report_queries import Query, queries_of
from research.pipelines.report.report_step_names import ReportStepName
from research.runs.run_plan_versions import keep_version

TAKING = (Relation.FOLLOW_UP, Relation.EXTENSION)
AnyPassage = Chunk | LibraryChunk


def takes_from_parent(run: Run) -> bool:
    """Return True once, at the beginning of the run's search."""
    is_child = run.relation in TAKING and run.parent_id is not None
    return is_child and not Step.objects.filter(run=run, handler=ReportStepName.TAKE_FROM_PARENT).exists()


def parent_draft() -> StepDraft:
    return StepDraft("parent", ReportStepName.TAKE_FROM_PARENT, AgentRole.RESEARCHER, tool_name="retrieve")


def is_answered_by_parent(run_id: UUID) -> bool:
    taken = Step.objects.filter(
        run_id=run_id, handler=ReportStepName.TAKE_FROM_PARENT, status=StepStatus.COMPLETED
    )
    return taken.filter(output__suffices=True).exists()


@dataclass(frozen=True, slots=True)
class InheritedSource:
    """A source of the previous run as one of this run, with its passages that fit best. Nothing is saved yet."""

    source: Source
    chunks: tuple[Chunk, ...]
    hits: tuple[FoundPassage, ...]  # best first


def take_from_parent(work: StepWork) -> StepResult:
    with tenant_context(work.tenant_id):
        run = Run.objects.get(pk=work.run_id)
    meanings = {query: embed_page_query(query.text) for query in queries_of(run)}
    with tenant_context(work.tenant_id):
        given = _passages(run, meanings)
        ranker = _ranker(run)
    taken = [
        inherited for source, passages in given.items() if (inherited := _take_source(run, source, passages))
    ]
    suffices = run.relation == Relation.FOLLOW_UP and _answer(ranker, taken)
    is_by_model = engine_of(run) is Engine.MODEL
    readings = [
        replace(
            draft_reading_step(inherited.source.pk, [hit.start for hit in inherited.hits]),
            stage=State.READING,
        )
        for inherited in taken
        if is_by_model and inherited.hits
    ]
    further = None if suffices else begin_draft("parent/begin")
    hits = [hit for inherited in taken for hit in inherited.hits]
    return StepResult(
        {"taken": len(taken), "suffices": suffices, "hits": dump_passages(hits)},
        save=partial(_save, work, taken, suffices),
        children=readings,
        then=further,
        activity=_("Looking at the sources of the run before"),
    )


# --- reading -----------------------------------------------------------------------------------


def _passages(run: Run, meanings: Mapping[Query, QueryVector]) -> Mapping[Source, Sequence[AnyPassage]]:
    """Return the sources that may be read, each with the passages of the previous run and those that fit now."""
    config = ReportConfig.model_validate(run.config)
    read = Source.objects.filter(run=run.parent_id, status=SourceStatus.PROCESSED, content__isnull=False)
    rows = read.exclude(library_document=None).select_related("content", "library_document")
    sources = [row for row in rows.order_by("created_at", "id") if row.must_read or not _refusal(row, config)]
    fitting = _find_passages(run, meanings) if run.relation == Relation.FOLLOW_UP else {}
    return {source: _of_source(source, fitting) for source in sources}


def _refusal(source: Source, config: ReportConfig) -> str:
    return config.refusal(source.final_url or source.url, source.published_date)


def _find_passages(run: Run, meanings: Mapping[Query, QueryVector]) -> Mapping[UUID, Sequence[LibraryChunk]]:
    """Return passages of the parent's documents for the queries of the plan, by document."""
    scope = LibraryScope(run=run.parent_id)
    known = cards(scope)
    found: dict[UUID, dict[UUID, LibraryChunk]] = {}
    for query, meaning in meanings.items():
        question = analyse(query.text)
        hits = retrieve(question, meaning, scope, known=known, rare=rarity(question, scope))
        rows = LibraryChunk.objects.select_related("document").in_bulk([hit.chunk for hit in hits])
        for hit in hits:
            found.setdefault(hit.document, {})[hit.chunk] = rows[hit.chunk]
    return {document: list(chunks.values()) for document, chunks in found.items()}


def _of_source(source: Source, fitting: Mapping[UUID, Sequence[LibraryChunk]]) -> Sequence[AnyPassage]:
    """Return the passages of a source, one per place.

    If the document has been read again since, its passages belong to another text.
    """
    places: dict[tuple[int, int], AnyPassage] = {}
    document = source.library_document
    if document is not None and document.content_id == source.content_id:
        places |= {
            (passage.start_offset, passage.end_offset): passage for passage in fitting.get(document.pk, ())
        }
    places |= {(chunk.start_offset, chunk.end_offset): chunk for chunk in Chunk.objects.filter(source=source)}
    return [places[place] for place in sorted(places)]


# --- selection ---------------------------------------------------------------------------------


def _take_source(run: Run, source: Source, passages: Sequence[AnyPassage]) -> InheritedSource | None:
    """Return the inherited source; None if a follow-up has no use for it. An extension keeps all."""
    queries, model = queries_of(run), builtin_embedder().model_id
    vectors = [passage.embedding if passage.embedding_model == model else None for passage in passages]
    scored = zip(score([passage.text for passage in passages], vectors, queries), passages, strict=True)
    best = sorted(scored, key=lambda pair: (-pair[0][0], pair[1].start_offset))[:MAX_HITS]
    is_kept = run.relation == Relation.EXTENSION or source.must_read
    if not is_kept and (not best or best[0][0][0] < FITS):
        return None
    copy = _copy_source(source, run, best[0][0][1] if best else "")
    in_order = sorted(
        (best_passage for _score, best_passage in best), key=lambda best_passage: best_passage.start_offset
    )
    chunks = {
        best_passage.start_offset: _chunk(copy, best_passage, index)
        for index, best_passage in enumerate(in_order)
    }
    document = source.library_document_id
    hits = [
        FoundPassage(
            chunks[best_passage.start_offset].pk,
            document,
            best_passage.start_offset,
            best_passage.end_offset,
            value,
            subtopic,
        )
        for (value, subtopic), best_passage in best
        if document is not None
    ]
    copy.relevance_score = relevance_of([hit.score for hit in hits])
    return InheritedSource(copy, tuple(chunks.values()), tuple(hits))


NOT_COPIED = frozenset({"id", "run", "subtopic", "duplicate_of", "processed_at", "created_at", "updated_at"})


def _copy_source(source: Source, run: Run, subtopic: str) -> Source:
    """Return the same text under another row, with everything that readers see of it unchanged."""
    names = [field.attname for field in Source._meta.concrete_fields if field.name not in NOT_COPIED]
    values = {name: getattr(source, name) for name in names}
    copy = Source(pk=new_id(), **values, subtopic=subtopic, processed_at=timezone.now())
    copy.run = run
    copy.content = source.content
    return copy


def _chunk(source: Source, passage: AnyPassage, index: int) -> Chunk:
    values = {name: getattr(passage, name) for name in COPIED}
    return Chunk(pk=new_id(), run_id=source.run_id, source=source, chunk_index=index, **values)


def _ranker(run: Run) -> Ranker:
    question, scope = analyse(run.topic), LibraryScope(run=run.parent_id)
    return Ranker.of(question, cards(scope), rarity(question, scope))


def _answer(ranker: Ranker, taken: Sequence[InheritedSource]) -> bool:
    """Return True if the sources answer the question, as the analysis will judge it."""
    sentences = (sentence for source in taken for sentence in sentences_in(source.source, source.hits))
    ranked = ranker.rank(sentences, builtin_embedder().embed)
    return judge(ranker, ranked).is_answerable


# --- storing -----------------------------------------------------------------------------------


def _save(work: StepWork, taken: Sequence[InheritedSource], suffices: bool) -> None:
    run, judging = Run.objects.get(pk=work.run_id), judge_of(work.run_id)
    Source.objects.bulk_create(judging.weigh(source.source) for source in taken)
    Chunk.objects.bulk_create(chunk for source in taken for chunk in source.chunks)
    Run.objects.filter(pk=run.pk).update(
        sources_found=F("sources_found") + len(taken), sources_processed=F("sources_processed") + len(taken)
    )
    if suffices:
        plan = _content(Plan.model_validate(run.plan), [source.source.subtopic for source in taken])
        reason = _("The sources of the run before answer the question: no others are searched for.")
        keep_version(run, plan, PlanTrigger.PLANNER, reason)


def _content(plan: Plan, subtopics: Sequence[str]) -> Plan:
    """Return the plan with its wanted sources limited to those there are."""
    return plan.model_copy(
        update={
            "subtopics": [
                subtopic.model_copy(
                    update={
                        "target_sources": max(1, min(subtopic.target_sources, subtopics.count(subtopic.name)))
                    }
                )
                for subtopic in plan.subtopics
            ],
            "estimated_sources": len(subtopics),
        }
    )
