"""Read from the web: bytes become a saved page with its passages, and a source of the run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from django.utils import timezone

from research.agents.tools.evidence.sources_allowed_to_agents import SourceSettings
from research.db.bulk_sql import insert_rows, open_prepared_cursor, update_rows
from research.db.sql_batcher import Batcher
from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import StepResult, StepWork
from research.fetching.fetch_rendered_pages import needs_browser
from research.fetching.get_web_page import AcquiredPage
from research.library.library_manifest import Details
from research.library.pages_saved_in_library import MIN_WORDS, PageToSave, SavedPage, load_raw, save_pages
from research.library.prepare_library_documents import (
    PreparedPassage,
    UnreadableDocument,
    prepare_bytes,
)
from research.library.retrieval.passage_embedding import PassageVectors, complete_vectors, load_known_vectors
from research.library.reuse_library_pages import find_known_reading
from research.library.sources_from_library import refill_source, select_source_type
from research.library.store_library_documents import passage_fields
from research.models import Chunk, LibraryDocument, Run, Source, SourceStatus
from research.parsing.vectors.embed_texts import builtin_embedder
from research.pipelines.common.choose_rules_or_model import Engine, engine_of
from research.pipelines.report.passages_found_for_report import FoundPassage
from research.pipelines.report.reading.fetch_report_pages import PageTarget, build_failed_result
from research.pipelines.report.reading.propose_report_notes import (
    READ_CHARACTERS,
    Reader,
    SourceExcerpt,
    load_reader,
)
from research.pipelines.report.reading.score_report_passages import (
    MAX_HITS,
    relevance_of,
    score,
    worth_vectors,
)
from research.pipelines.report.report_queries import queries_of
from research.storage.object_store import sha256_in

COUNT_READ = "UPDATE research_run SET sources_processed = sources_processed + %s::int WHERE id = %s"
KNOWN_SOURCES = """
SELECT id, NULL AS run_id, NULL AS content_hash FROM research_source
WHERE id = ANY(%(ids)s::uuid[]) AND status = 'excluded'
UNION ALL
(SELECT DISTINCT ON (run_id, content_hash) id, run_id, content_hash FROM research_source
WHERE run_id = ANY(%(runs)s::uuid[]) AND content_hash = ANY(%(texts)s::text[]) AND status = 'processed'
    AND id <> ALL(%(ids)s::uuid[])
ORDER BY run_id, content_hash, created_at, id)
"""


@dataclass(frozen=True, slots=True)
class ExtractedPage:
    """A page that was read, with what a step's end stores of it."""

    source: Source
    sha256: str  # of its text
    chunks: Sequence[Chunk]

    @property
    def text_key(self) -> tuple[UUID, str]:
        return self.source.run_id, self.sha256


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


def extract_page(work: StepWork, target: PageTarget, page: AcquiredPage) -> ExtractedText | StepResult:
    """Return the page's text with its best passages, or the result of the step where it cannot be a source.

    Raises NeedsBrowser if no browser was tried and the bytes hold too little text, and ObjectError.
    """
    known = None
    if target.saved is not None:
        with tenant_context(work.tenant_id):
            known = find_known_reading(target.saved, sha256_in(page.raw_key))
    raw = load_raw(page)
    read = known or prepare_bytes(work.tenant_id, page.name, raw)
    words = 0 if isinstance(read, UnreadableDocument) else read.word_count
    if not page.was_browser_tried and needs_browser(raw.data, words, MIN_WORDS):
        raise NeedsBrowser
    if isinstance(read, UnreadableDocument):
        return build_failed_result(work, "EXTRACTION_FAILED", f"{read.message} {page.note}".strip())
    said = Details(title=target.source.title, published_date=target.source.published_date)
    saved = SavedPage(page.url, said, replace(read, rendering=page.rendering))
    problem = _find_problem(target, page, saved)
    return build_failed_result(work, *problem) if problem else _choose_passages(work, target, saved)


def _find_problem(
    target: PageTarget, page: AcquiredPage, saved: SavedPage
) -> tuple[str, str, SourceStatus] | None:
    """Return the reason why the page can't be a source: code, message and resulting status; None if it can."""
    thin = saved.problem
    if thin is not None:
        code, words = thin
        return code, f"{words} {page.note}".strip(), SourceStatus.FAILED
    if target.source.must_read:  # whatever the filters say
        return None
    said = saved.details
    kind = select_source_type(saved.kind(target.judge.rules), target.source.source_type)
    allowed = SourceSettings.model_validate(target.run.config)
    language = saved.read.document.language or ""
    reason = allowed.refusal(said.url, said.published_date, kind, language)
    return ("EXCLUDED", reason, SourceStatus.EXCLUDED) if reason else None


@dataclass(frozen=True, slots=True)
class ExtractedText:
    """A page with enough text and its best passages, each with its score and its subtopic. Nothing is stored yet."""

    tenant_id: UUID
    target: PageTarget
    saved: SavedPage
    vectors: PassageVectors
    best: Sequence[tuple[tuple[float, str], PreparedPassage]]


def _choose_passages(work: StepWork, target: PageTarget, saved: SavedPage) -> ExtractedText:
    run = target.run
    queries, passages = queries_of(run), saved.read.passages
    texts = [passage.text for passage in passages]
    is_read_by_model = engine_of(run) is Engine.MODEL
    # Where a model reads half of the page or more, words are enough to choose what it reads.
    is_short = is_read_by_model and sum(map(len, texts)) <= 2 * READ_CHARACTERS
    chosen = [] if is_short else worth_vectors(texts, queries, run.sources_found)
    chosen_passages = [passages[index] for index in chosen]
    vectors = _vectors(work, target.saved, saved.read.raw_sha256, chosen_passages)
    # Vectors left by another run are not used either: the same page must give the same hits.
    passage_vectors = [
        vectors.vector(passage.text_hash) if index in chosen else None
        for index, passage in enumerate(passages)
    ]
    scored = list(zip(score(texts, passage_vectors, queries), passages, strict=True))
    best = sorted(scored, key=lambda pair: (-pair[0][0], pair[1].draft.start))[:MAX_HITS]
    return ExtractedText(work.tenant_id, target, saved, vectors, best)


async def save_page(text: ExtractedText) -> PageReading:
    """Save the page in the library, whatever becomes of this step, and return it as an unsaved source: the run, whose
    row a step's end locks, need not wait while the whole text is searched.
    """
    return await _saving.do(text)


def save_texts(texts: Sequence[ExtractedText]) -> list[PageReading]:
    """Save pages of one tenant, which is set, as `save_page` does."""
    rows = save_pages(
        [
            PageToSave(
                text.saved,
                text.target.source.url,
                text.target.source.title,
                text.vectors,
                is_new=text.target.saved is None,
            )
            for text in texts
        ]
    )
    pages = [_build_source(text, row) for text, row in zip(texts, rows, strict=True)]
    known = _find_known_sources(pages)
    runs = {text.target.run.pk: text.target.run for text in texts}
    readers = {run_id: load_reader(run_id) for run_id, run in runs.items() if engine_of(run) is Engine.MODEL}
    return [
        _build_reading(text, row, page, None if known.has(page) else readers.get(page.source.run_id))
        for text, row, page in zip(texts, rows, pages, strict=True)
    ]


# The end of the step makes it durable.
_saving: Batcher[ExtractedText, PageReading] = Batcher(
    lambda text: text.tenant_id, save_texts, is_durable=False
)


def _build_source(text: ExtractedText, row: LibraryDocument) -> ExtractedPage:
    target = text.target
    source = refill_source(target.source, row, target.judge.rules, status=SourceStatus.PROCESSED)
    source.relevance_score = relevance_of([value for (value, _subtopic), _passage in text.best])
    source = target.judge.weigh(source)
    chunks = _chunks(source, [passage for _score, passage in text.best], text.vectors)
    return ExtractedPage(source, text.saved.read.sha256, chunks)


def _build_reading(
    text: ExtractedText, row: LibraryDocument, page: ExtractedPage, reader: Reader | None
) -> PageReading:
    by_start = {chunk.start_offset: chunk for chunk in page.chunks}
    hits = [
        FoundPassage(
            by_start[passage.draft.start].pk,
            row.pk,
            passage.draft.start,
            passage.draft.end,
            value,
            subtopic,
        )
        for (value, subtopic), passage in text.best
    ]
    title = text.saved.details.title or page.source.url
    return PageReading(page, title, text.saved.read.word_count, hits, text.target.run, reader)


def store_read(read: Sequence[ExtractedPage]) -> list[None]:
    """Store pages of one run.

    A page with a text that the run has already is a duplicate; one that was excluded in the meantime is left out.
    """
    known = _find_known_sources(read)
    kept = [page for page in read if page.source.pk not in known.excluded]
    new = _mark_duplicates(kept, known)
    insert_rows([chunk for page in new for chunk in page.chunks], unless_there=True)
    if new:
        with open_prepared_cursor() as cursor:
            cursor.execute(COUNT_READ, [len(new), new[0].source.run_id])
    update_rows([wanted_page.source for wanted_page in kept])
    return [None] * len(read)


def _mark_duplicates(read: Sequence[ExtractedPage], known: KnownSources) -> list[ExtractedPage]:
    """Note on each whether its text is the first of its kind; return those that are."""
    first, new = dict(known.by_text), []
    for page in read:
        original = first.setdefault(page.text_key, page.source.pk)
        is_first = original == page.source.pk
        page.source.status = SourceStatus.PROCESSED if is_first else SourceStatus.DUPLICATE
        page.source.duplicate_of_id = None if is_first else original
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


def _chunks(source: Source, passages: Sequence[PreparedPassage], vectors: PassageVectors) -> list[Chunk]:
    """Return the chunks in reading order."""
    inside = sorted(passages, key=lambda passage: passage.draft.start)
    return [
        Chunk(run_id=source.run_id, source=source, chunk_index=index, **passage_fields(passage, vectors))
        for index, passage in enumerate(inside)
    ]


@dataclass(frozen=True, slots=True)
class KnownSources:
    """Sources of the runs of pages, as other steps have stored them meanwhile.

    `excluded`: those of the pages that their run was told to leave out. `by_text`: others with exactly the same texts,
    by run and the text's hash.
    """

    excluded: frozenset[UUID]
    by_text: Mapping[tuple[UUID, str], UUID]

    def has(self, page: ExtractedPage) -> bool:
        """Return True if the page needs no reading: its text was read elsewhere, or it is left out."""
        return page.source.pk in self.excluded or page.text_key in self.by_text


def _find_known_sources(read: Sequence[ExtractedPage]) -> KnownSources:
    sources = [page.source for page in read]
    parameters: dict[str, list[UUID] | list[str]] = {
        "ids": [source.pk for source in sources],
        "runs": sorted({source.run_id for source in sources}),
        "texts": [page.sha256 for page in read],
    }
    with open_prepared_cursor() as cursor:
        cursor.execute(KNOWN_SOURCES, parameters)
        found = cursor.fetchall()
    return KnownSources(
        frozenset(source for source, run, _text in found if run is None),
        {(run, text): source for source, run, text in found if run is not None},
    )
