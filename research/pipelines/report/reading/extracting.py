"""Read from the web, second half: bytes become a saved page with its passages, and a source of the run."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from django.utils import timezone

from citations.credibility.authority import SourceClass
from research.agents.tools.evidence.allowed_sources import SourceSettings
from research.db.bulk_sql import insert_rows, open_prepared_cursor, rows_of, update_rows
from research.db.tenancy import tenant_context
from research.engine.batch_save import BatchSave
from research.engine.pipeline_registry import StepResult, StepWork
from research.library.known_readings import find_known_reading
from research.library.library_manifest import Details
from research.library.prepare_documents import (
    PreparedDocument,
    PreparedPassage,
    UnreadableDocument,
    load_object,
    prepare_bytes,
)
from research.library.rate_source import Judge, judge_by
from research.library.retrieval.embedding import PassageVectors, complete_vectors, load_known_vectors
from research.library.run_sources import chunk_rows, refill_source, select_source_type
from research.library.saved_pages import SavedPage, row_id_of_page
from research.library.store_documents import chunk_row
from research.models import Chunk, LibraryDocument, Run, Source, SourceStatus
from research.parsing.vectors.embedding import builtin_embedder
from research.pipelines.common.engine_choice import Engine, engine_of
from research.pipelines.report.found import FoundPassage, dump_passages
from research.pipelines.report.instructions.set_aside import those_set_aside
from research.pipelines.report.queries import queries_of
from research.pipelines.report.reading.fetching import (
    build_excluded_result,
    build_failed_result,
    retry_or_skip_source,
    source_of,
)
from research.pipelines.report.reading.following import following_of
from research.pipelines.report.reading.proposing import READ_CHARACTERS, reading_of
from research.pipelines.report.reading.rendering import rendering_of, rendering_wanted, with_note
from research.pipelines.report.reading.scoring import MOST_HITS, relevance_of, score, worth_vectors
from research.storage.object_store import ObjectError, sha256_in

COUNT_READ = "UPDATE research_run SET sources_processed = sources_processed + %s::int WHERE id = %s"
SAME_TEXTS = """
SELECT DISTINCT ON (content_hash) content_hash, id FROM research_source
WHERE run_id = %(run)s AND content_hash = ANY(%(texts)s::text[]) AND status = 'processed' AND id <> ALL(%(ids)s::uuid[])
ORDER BY content_hash, created_at, id
"""


@dataclass(frozen=True, slots=True)
class _ExtractionInput:
    """The input of extraction, known before the page is read."""

    run: Run
    source: Source
    document_id: UUID
    judge: Judge
    known: PreparedDocument | None  # these very bytes were read before


def extract_page(work: StepWork) -> StepResult:
    with tenant_context(work.tenant_id):
        source = source_of(work)
        if source.status == SourceStatus.EXCLUDED:
            return build_excluded_result(work)
        wanted = _load_page_context(work, source)
    try:
        raw = load_object(str(work.input["object"]))
    except ObjectError as error:
        return retry_or_skip_source(work, str(error))
    read = wanted.known or prepare_bytes(work.tenant_id, str(work.input["name"]), raw)
    words = 0 if isinstance(read, UnreadableDocument) else read.word_count
    rendering = rendering_wanted(work, raw.data, words)
    if rendering is not None:
        return StepResult({"words": words, "needs": "a browser"}, children=[rendering])
    if isinstance(read, UnreadableDocument):
        return build_failed_result(work, "EXTRACTION_FAILED", with_note(work, read.message))
    read = replace(read, rendering=rendering_of(work))
    said = Details(title=wanted.source.title, published_date=wanted.source.published_date)
    saved = SavedPage(str(work.input["url"]), said, read)
    page = _Page(work, wanted, saved, saved.kind(wanted.judge.rules))
    problem = page.problem
    return page.result(wanted.run) if problem is None else build_failed_result(work, *problem)


def _load_page_context(work: StepWork, source: Source) -> _ExtractionInput:
    [run] = rows_of(Run, "WHERE id = %(id)s", {"id": source.run_id})
    document_id, judge = row_id_of_page(source.url, source.title), judge_by(run.config)
    known = find_known_reading(source.url, sha256_in(str(work.input["object"])))
    return _ExtractionInput(run, source, document_id, judge, known)


@dataclass(frozen=True, slots=True)
class _Page:
    """A page that was read, as a source of the run."""

    work: StepWork
    wanted: _ExtractionInput
    saved: SavedPage
    kind: SourceClass

    @property
    def source(self) -> Source:
        return self.wanted.source

    @property
    def read(self) -> PreparedDocument:
        return self.saved.read

    @property
    def problem(self) -> tuple[str, str, SourceStatus] | None:
        """The reason why the page can't be a source: code, message and resulting status; None if it can."""
        thin = self.saved.problem
        if thin is not None:
            code, words = thin
            return code, with_note(self.work, words), SourceStatus.FAILED
        if self.source.must_read:  # whatever the filters say
            return None
        said, kind = self.saved.details, select_source_type(self.kind, self.source.source_type)
        allowed = SourceSettings.model_validate(self.wanted.run.config)
        language = self.read.document.language or ""
        reason = allowed.refusal(said.url, said.published_date, kind, language)
        return ("EXCLUDED", reason, SourceStatus.EXCLUDED) if reason else None

    def result(self, run: Run) -> StepResult:
        queries, passages = queries_of(run), self.read.passages
        texts = [passage.text for passage in passages]
        is_read_by_model = engine_of(run) is Engine.MODEL
        # Where a model reads half of the page or more, words are enough to choose what it reads.
        is_short = is_read_by_model and sum(map(len, texts)) <= 2 * READ_CHARACTERS
        chosen = [] if is_short else worth_vectors(texts, queries, run.sources_found)
        chosen_passages = [passages[index] for index in chosen]
        vectors = _vectors(self.work, self.wanted.document_id, self.read.raw_sha256, chosen_passages)
        # Vectors left by another run are not used either: the same page must give the same hits.
        passage_vectors = [
            vectors.vector(passage.text_hash) if index in chosen else None
            for index, passage in enumerate(passages)
        ]
        scored = list(zip(score(texts, passage_vectors, queries), passages, strict=True))
        best = sorted(scored, key=lambda pair: (-pair[0][0], pair[1].draft.start))[:MOST_HITS]
        row, source = self._keep(vectors, [value for (value, _subtopic), _passage in best])
        chunks = _chunks(self.source, row, [best_passage for _, best_passage in best], vectors)
        hits = [
            FoundPassage(
                chunks[best_passage.draft.start].pk,
                row.pk,
                best_passage.draft.start,
                best_passage.draft.end,
                value,
                subtopic,
            )
            for (value, subtopic), best_passage in best
        ]
        relevance = source.relevance_score
        claims = [reading_of(self.source.pk, [hit.start for hit in hits])] if is_read_by_model else []
        return StepResult(
            {"chunks": len(chunks), "words": self.read.word_count, "hits": dump_passages(hits)},
            save=BatchSave(store_read, ExtractedPage(source, self.read.sha256, list(chunks.values()))),
            children=[*claims, *following_of(self.work, run, relevance)],
            activity=f"Reading “{self.saved.details.title or self.source.url}”"[:300],
        )

    def _keep(self, vectors: PassageVectors, scores: Sequence[float]) -> tuple[LibraryDocument, Source]:
        """Save the page in the library, whatever becomes of this step, and return the unsaved source: the run, whose
        row a step's end locks, need not wait while the whole text is searched.
        """
        judge = self.wanted.judge
        with tenant_context(self.work.tenant_id, is_durable=False):  # the end of the step makes it durable
            row = self.saved.save(self.wanted.document_id, vectors)
            source = refill_source(self.source, row, judge.rules, status=SourceStatus.PROCESSED)
            source.relevance_score = relevance_of(scores)
            return row, judge.weigh(source)


@dataclass(frozen=True, slots=True)
class ExtractedPage:
    """A page that was read, with what a step's end stores of it."""

    source: Source
    sha256: str  # of its text
    chunks: Sequence[Chunk]


def store_read(read: Sequence[ExtractedPage]) -> list[None]:
    """Store pages of one run.

    A page with a text that the run has already is a duplicate; one that was excluded meanwhile stays out.
    """
    out = those_set_aside([page.source.pk for page in read])
    kept = [page for page in read if page.source.pk not in out]
    new = _mark_duplicates(kept)
    insert_rows([chunk for page in new for chunk in page.chunks], unless_there=True)
    if new:
        with open_prepared_cursor() as cursor:
            cursor.execute(COUNT_READ, [len(new), new[0].source.run_id])
    update_rows([wanted_page.source for wanted_page in kept])
    return [None] * len(read)


def _mark_duplicates(read: Sequence[ExtractedPage]) -> list[ExtractedPage]:
    """Note on each whether its text is the first of its kind; return those that are."""
    first, new = _same_texts(read), []
    for page in read:
        known = first.setdefault(page.sha256, page.source.pk)
        is_first = known == page.source.pk
        page.source.status = SourceStatus.PROCESSED if is_first else SourceStatus.DUPLICATE
        page.source.duplicate_of_id = None if is_first else known
        page.source.processed_at = timezone.now()
        new += [page] if is_first else []
    return new


def _vectors(
    work: StepWork, document_id: UUID, raw_sha256: str, wanted: Sequence[PreparedPassage]
) -> PassageVectors:
    """Return the vectors of the passages; those of an earlier reading, of any passages, are not computed again."""
    embedder = builtin_embedder()  # the one that the queries are compared with (scoring)
    if not wanted:
        return PassageVectors(embedder.model_id, {}, {})
    with tenant_context(work.tenant_id):
        known = load_known_vectors(document_id, raw_sha256, embedder.model_id)
    return complete_vectors(embedder, wanted, known)


def _chunks(
    source: Source, row: LibraryDocument, passages: Sequence[PreparedPassage], vectors: PassageVectors
) -> dict[int, Chunk]:
    """Return the chunks by their start, in reading order."""
    inside = sorted(passages, key=lambda passage: passage.draft.start)
    made = chunk_rows(source, [chunk_row(row, prepared_passage, vectors) for prepared_passage in inside])
    return {chunk.start_offset: chunk for chunk in made}


def _same_texts(read: Sequence[ExtractedPage]) -> dict[str, UUID]:
    """Return other sources of the run with exactly these texts, by the text's hash."""
    if not read:
        return {}
    texts, ids = [page.sha256 for page in read], [page.source.pk for page in read]
    with open_prepared_cursor() as cursor:
        cursor.execute(SAME_TEXTS, {"run": read[0].source.run_id, "texts": texts, "ids": ids})
        return dict(cursor.fetchall())
