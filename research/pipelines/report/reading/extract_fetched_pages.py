"""Read from the web: bytes become a saved page with its passages, and a source of the run."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from django.utils import timezone

from research.agents.tools.evidence.allowed_sources import SourceSettings
from research.db.bulk_sql import insert_rows, open_prepared_cursor, update_rows
from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import StepResult, StepWork
from research.fetching.get_page import AcquiredPage
from research.fetching.rendered_pages import needs_browser
from research.library.library_manifest import Details
from research.library.prepare_documents import (
    PreparedDocument,
    PreparedPassage,
    UnreadableDocument,
    prepare_bytes,
)
from research.library.rate_source import Judge, judge_by
from research.library.retrieval.passage_embedding import PassageVectors, complete_vectors, load_known_vectors
from research.library.reuse_parsed_pages import find_known_reading
from research.library.run_sources import chunk_rows, refill_source, select_source_type
from research.library.saved_pages import FEWEST_WORDS, SavedPage, find_page_row, load_raw
from research.library.store_documents import chunk_row
from research.models import Chunk, LibraryDocument, Run, Source, SourceStatus
from research.parsing.vectors.embedding import builtin_embedder
from research.pipelines.common.engine_choice import Engine, engine_of
from research.pipelines.report.found_passages import FoundPassage
from research.pipelines.report.instructions.exclude_sources import those_set_aside
from research.pipelines.report.reading.fetch_found_pages import PageTarget, build_failed_result
from research.pipelines.report.reading.propose_notes import (
    READ_CHARACTERS,
    Reader,
    SourceExcerpt,
    load_reader,
)
from research.pipelines.report.reading.score_page_passages import (
    MOST_HITS,
    relevance_of,
    score,
    worth_vectors,
)
from research.pipelines.report.run_queries import queries_of
from research.storage.object_store import sha256_in

COUNT_READ = "UPDATE research_run SET sources_processed = sources_processed + %s::int WHERE id = %s"
SAME_TEXTS = """
SELECT DISTINCT ON (content_hash) content_hash, id FROM research_source
WHERE run_id = %(run)s AND content_hash = ANY(%(texts)s::text[]) AND status = 'processed' AND id <> ALL(%(ids)s::uuid[])
ORDER BY content_hash, created_at, id
"""


@dataclass(frozen=True, slots=True)
class ExtractedPage:
    """A page that was read, with what a step's end stores of it."""

    source: Source
    sha256: str  # of its text
    chunks: Sequence[Chunk]


class NeedsBrowser(Exception):
    """The page has no text until its scripts have run."""


@dataclass(frozen=True, slots=True)
class PageReading:
    """A page as a source of the run, which is not stored yet. `reader`: if a model is to read it, too."""

    stored: ExtractedPage
    title: str
    words: int
    hits: Sequence[FoundPassage]  # best first
    run: Run
    reader: Reader | None

    @property
    def source(self) -> Source:
        return self.stored.source

    @property
    def excerpts(self) -> list[SourceExcerpt]:
        by_start = {chunk.start_offset: chunk for chunk in self.stored.chunks}
        return [
            SourceExcerpt(chunk.text, chunk.start_offset, chunk.section_header)
            for chunk in (by_start[hit.start] for hit in self.hits)
        ]


def extract_page(work: StepWork, target: PageTarget, page: AcquiredPage) -> PageReading | StepResult:
    """Return the page's reading, or the result of the step where it cannot be a source.

    Raises NeedsBrowser if no browser was tried and the bytes hold too little text, and ObjectError.
    """
    with tenant_context(work.tenant_id):
        judge = judge_by(target.run.config)
        row = find_page_row(target.source.url)
        known = find_known_reading(row, sha256_in(page.raw_key))
    raw = load_raw(page)
    read = known or prepare_bytes(work.tenant_id, page.name, raw)
    words = 0 if isinstance(read, UnreadableDocument) else read.word_count
    if not page.was_browser_tried and needs_browser(raw.data, words, FEWEST_WORDS):
        raise NeedsBrowser
    if isinstance(read, UnreadableDocument):
        return build_failed_result(work, "EXTRACTION_FAILED", f"{read.message} {page.note}".strip())
    said = Details(title=target.source.title, published_date=target.source.published_date)
    saved = SavedPage(page.url, said, replace(read, rendering=page.rendering))
    return _PageExtraction(work, target, judge, row, page, saved).result()


@dataclass(frozen=True, slots=True)
class _PageExtraction:
    """A page with enough text or not, on its way to a source of the run."""

    work: StepWork
    target: PageTarget
    judge: Judge
    row: LibraryDocument | None  # of an earlier reading of the page
    page: AcquiredPage
    saved: SavedPage

    @property
    def source(self) -> Source:
        return self.target.source

    @property
    def run(self) -> Run:
        return self.target.run

    @property
    def read(self) -> PreparedDocument:
        return self.saved.read

    @property
    def problem(self) -> tuple[str, str, SourceStatus] | None:
        """The reason why the page can't be a source: code, message and resulting status; None if it can."""
        thin = self.saved.problem
        if thin is not None:
            code, words = thin
            return code, f"{words} {self.page.note}".strip(), SourceStatus.FAILED
        if self.source.must_read:  # whatever the filters say
            return None
        said = self.saved.details
        kind = select_source_type(self.saved.kind(self.judge.rules), self.source.source_type)
        allowed = SourceSettings.model_validate(self.run.config)
        language = self.read.document.language or ""
        reason = allowed.refusal(said.url, said.published_date, kind, language)
        return ("EXCLUDED", reason, SourceStatus.EXCLUDED) if reason else None

    def result(self) -> PageReading | StepResult:
        problem = self.problem
        if problem is not None:
            return build_failed_result(self.work, *problem)
        run = self.run
        queries, passages = queries_of(run), self.read.passages
        texts = [passage.text for passage in passages]
        is_read_by_model = engine_of(run) is Engine.MODEL
        # Where a model reads half of the page or more, words are enough to choose what it reads.
        is_short = is_read_by_model and sum(map(len, texts)) <= 2 * READ_CHARACTERS
        chosen = [] if is_short else worth_vectors(texts, queries, run.sources_found)
        chosen_passages = [passages[index] for index in chosen]
        vectors = _vectors(self.work, self.row, self.read.raw_sha256, chosen_passages)
        # Vectors left by another run are not used either: the same page must give the same hits.
        passage_vectors = [
            vectors.vector(passage.text_hash) if index in chosen else None
            for index, passage in enumerate(passages)
        ]
        scored = list(zip(score(texts, passage_vectors, queries), passages, strict=True))
        best = sorted(scored, key=lambda pair: (-pair[0][0], pair[1].draft.start))[:MOST_HITS]
        row, source, reader = self._keep(vectors, [value for (value, _subtopic), _passage in best])
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
        stored = ExtractedPage(source, self.read.sha256, list(chunks.values()))
        title = self.saved.details.title or self.source.url
        return PageReading(stored, title, self.read.word_count, hits, run, reader)

    def _keep(
        self, vectors: PassageVectors, scores: Sequence[float]
    ) -> tuple[LibraryDocument, Source, Reader | None]:
        """Save the page in the library, whatever becomes of this step, and return the unsaved source: the run, whose
        row a step's end locks, need not wait while the whole text is searched.
        """
        with tenant_context(self.work.tenant_id, is_durable=False):  # the end of the step makes it durable
            row = self.saved.save(self.source.url, self.source.title, vectors)
            source = refill_source(self.source, row, self.judge.rules, status=SourceStatus.PROCESSED)
            is_read_by_model = engine_of(self.run) is Engine.MODEL and not self._is_known_text(source)
            reader = load_reader(self.run.pk) if is_read_by_model else None
            source.relevance_score = relevance_of(scores)
            return row, self.judge.weigh(source), reader

    def _is_known_text(self, source: Source) -> bool:
        """Return True if the run has read this text elsewhere, or the source has been excluded in the meantime."""
        page = ExtractedPage(source, self.read.sha256, ())
        return bool(_same_texts([page]) or those_set_aside([source.pk]))


def store_read(read: Sequence[ExtractedPage]) -> list[None]:
    """Store pages of one run.

    A page with a text that the run has already is a duplicate; one that was excluded in the meantime is left out.
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
    work: StepWork, row: LibraryDocument | None, raw_sha256: str, wanted: Sequence[PreparedPassage]
) -> PassageVectors:
    """Return the vectors of the passages; those of an earlier reading, of any passages, are not computed again."""
    embedder = builtin_embedder()  # the one that the queries are compared with (scoring)
    if not wanted:
        return PassageVectors(embedder.model_id, {}, {})
    with tenant_context(work.tenant_id):
        known = load_known_vectors(row.pk if row else None, raw_sha256, embedder.model_id)
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
