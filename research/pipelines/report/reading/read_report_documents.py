"""Read a document of the library: its text is frozen already; the passages that were found become citable chunks."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.utils import timezone

from research.agents.tools.evidence.register_agent_sources import register_chunks_of
from research.db.bulk_sql import update_rows
from research.db.tenancy import tenant_context
from research.engine.batch_save import BatchSave
from research.engine.pipeline_registry import StepDraft, StepResult, StepWork
from research.engine.worker_computing_threads import in_computing_thread
from research.library.rate_library_source import SCORES, judge_by
from research.library.sources_from_library import most_chunks
from research.models import AgentRole, Chunk, LibraryChunk, Run, Source, SourceStatus
from research.parsing.vectors.embed_texts import builtin_embedder
from research.pipelines.common.choose_rules_or_model import Engine, engine_of
from research.pipelines.common.pipeline_input_values import require_list
from research.pipelines.report.instructions.exclude_report_sources import those_set_aside
from research.pipelines.report.passages_found_for_report import load_found_passages
from research.pipelines.report.reading.propose_report_notes import (
    Reader,
    SourceNotes,
    excerpts_of,
    load_reader,
    take_notes,
)
from research.pipelines.report.reading.score_report_passages import BEST, relevance_of, score
from research.pipelines.report.report_queries import queries_of
from research.pipelines.report.report_step_names import ReportStepName

STORED = ("status", "processed_at", "region", "updated_at", *SCORES)
NOT_NEEDED = ("content__blocks", "content__pages", "content__tables", "content__minhash")  # megabytes


def document_drafts(run: Run) -> Iterator[StepDraft]:
    """Yield a step for each document that is still to be read, with the chunks found in it, best first."""
    pending = Source.objects.filter(run=run, status=SourceStatus.PENDING).exclude(library_document=None)
    chunks, most = _best_chunks(run), most_chunks()
    rows = pending.order_by("created_at", "id").values_list("pk", "library_document")
    for source_id, document in rows:
        yield draft_document_reading(source_id, chunks[document][:most])


def further_passage_drafts(run: Run) -> Iterator[StepDraft]:
    """Yield a step for each document that was read before, and in which a later search found other passages."""
    rows = Source.objects.filter(run=run, status=SourceStatus.PROCESSED).exclude(library_document=None)
    sources = dict(rows.order_by("created_at", "id").values_list("pk", "library_document"))
    found, most = _best_chunks(run), most_chunks()
    wanted = LibraryChunk.objects.filter(
        pk__in={chunk for document in sources.values() for chunk in found[document]}
    )
    places = {str(pk): place for pk, *place in wanted.values_list("pk", "start_offset", "end_offset")}
    chunks = Chunk.objects.filter(source__in=sources)
    known = set(chunks.values_list("source", "start_offset", "end_offset"))
    for source_id, document in sources.items():
        new = [
            chunk for chunk in found[document] if chunk in places and (source_id, *places[chunk]) not in known
        ]
        if new:
            yield draft_document_reading(source_id, new[:most])


def draft_document_reading(source_id: UUID, best_first: Sequence[str]) -> StepDraft:
    """Return the step that takes these passages of the document, by their ids, as chunks of the source."""
    return StepDraft(
        f"read.{source_id}",
        ReportStepName.READ_DOCUMENT,
        AgentRole.EXTRACTOR,
        input={"source": str(source_id), "chunks": list(best_first)},
        tool_name="extract",
    )


def _best_chunks(run: Run) -> defaultdict[UUID | None, list[str]]:
    """Return the chunks found in each document, each once, the best first."""
    best: defaultdict[UUID | None, dict[str, None]] = defaultdict(dict)
    for passage in sorted(load_found_passages(run.pk), key=lambda passage: -passage.score):
        best[passage.document][str(passage.chunk)] = None
    return defaultdict(list, {document: list(chunks) for document, chunks in best.items()})


@dataclass(frozen=True, slots=True)
class DocumentReading:
    """A document that was read: its source as it is now, and the passages that become its chunks."""

    source: Source
    best_first: Sequence[LibraryChunk]
    reader: Reader | None = None  # if a model reads it, too

    @property
    def passages(self) -> list[LibraryChunk]:
        return sorted(self.best_first, key=lambda passage: passage.chunk_index)


async def read_document(work: StepWork) -> StepResult:
    """Take the passages that were found as chunks of the source; with a model, note its claims from them."""
    reading = await in_computing_thread(lambda: _load_reading(work))
    if reading is None:
        return StepResult({"chunks": 0, "code": "EXCLUDED"})
    notes = SourceNotes()
    if reading.reader is not None:
        notes = await take_notes(work, reading.reader, reading.source, excerpts_of(reading.best_first))
    return StepResult(
        {"chunks": len(reading.passages), **notes.output},
        save=BatchSave(store_documents, reading),
        activity=f"Reading “{reading.source}”"[:300],
        usage=notes.usage,
    )


def _load_reading(work: StepWork) -> DocumentReading | None:
    """Return what is read of the document; None if its source is excluded."""
    best = [UUID(str(chunk)) for chunk in require_list(work.input["chunks"])]
    with tenant_context(work.tenant_id):
        source = Source.objects.select_related("content").defer(*NOT_NEEDED).get(pk=str(work.input["source"]))
        if source.status == SourceStatus.EXCLUDED:
            return None
        run = Run.objects.get(pk=work.run_id)
        judge = judge_by(run.config)
        reader = load_reader(run.pk) if engine_of(run) is Engine.MODEL else None
        known = LibraryChunk.objects.in_bulk(best)
    best_first = [known[pk] for pk in best if pk in known]
    source.relevance_score = _relevance(best_first, run)
    source.status, source.processed_at = SourceStatus.PROCESSED, timezone.now()
    judge.weigh(source)
    return DocumentReading(source, best_first, reader)


def store_documents(read: Sequence[DocumentReading]) -> list[None]:
    """Store the chunks and scores of documents of one run. Sources excluded in the meantime are left out."""
    out = those_set_aside([reading.source.pk for reading in read])
    kept = [reading for reading in read if reading.source.pk not in out]
    register_chunks_of(
        [(reading.source, reading.passages) for reading in kept]
    )  # an agent may have kept some of them
    update_rows([reading.source for reading in kept], STORED)
    if kept:
        run_id = kept[0].source.run_id
        processed = Source.objects.filter(run_id=run_id, status=SourceStatus.PROCESSED).count()
        Run.objects.filter(pk=run_id).update(sources_processed=processed)
    return [None] * len(read)


def _relevance(passages: Sequence[LibraryChunk], run: Run) -> float | None:
    """Return the relevance by the best passages, as it is scored for a page."""
    best, model = passages[:BEST], builtin_embedder().model_id
    vectors = [passage.embedding if passage.embedding_model == model else None for passage in best]
    return relevance_of(
        [value for value, _ in score([passage.text for passage in best], vectors, queries_of(run))]
    )
