"""The run's sources, prepared for looking up quotes: texts, passages, pages."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from django.db.models import QuerySet

from citations.anchoring import QuotableText
from research.db.bulk_sql import rows_of
from research.library.library_frozen_text import blocks_of, pages_of, table_names_of
from research.models import Chunk, Content, Source, SourceStatus
from research.parsing.parsed_document import Box, ParsedPage
from research.parsing.parsed_media_types import PDF
from research.parsing.parsed_quotable_text import quotable
from research.parsing.parsed_table_rows import TableNames
from research.parsing.render_pdf_pages import Busy, quote_boxes
from research.runtime.logs import logger
from research.runtime.sandbox.sandbox_read_error import ReadError
from research.runtime.sandbox.sandbox_worker import ReaderStartError
from research.storage.object_store import ObjectError, get_object

NAMED = "WHERE id = %(id)s"

log = logger(__name__)


@dataclass(frozen=True)
class SourceReading:
    """A source prepared once for looking up many quotes."""

    source: Source
    chunks: Sequence[tuple[UUID, int, int]]  # id, start, end
    pages: Sequence[ParsedPage]

    @cached_property
    def text(self) -> QuotableText:
        content = self.source.content
        return quotable(content.text, blocks_of(content)) if content else QuotableText("")

    @cached_property
    def pdf(self) -> bytes | None:
        """The PDF as it was read; None if its object was lost. The quotes stay valid, without boxes."""
        key = self.source.content.raw_key if self.source.content else ""
        try:
            return get_object(key) if key else None
        except ObjectError as error:
            log.warning("object_lost", source=str(self.source.pk), error=str(error))
            return None

    @cached_property
    def unfit(self) -> list[int]:
        """Pages that could not be analyzed."""
        return []

    def chunk_at(self, start: int) -> UUID | None:
        return next((pk for pk, first, last in self.chunks if first <= start < last), None)

    def boxes(self, start: int, end: int) -> list[dict[str, float]]:
        """Return the rectangles of text[start:end] on the PDF's pages if found in time; none for other formats."""
        touched = [page for page in self.pages if page.start < end and start < page.end]
        if not touched or self.pdf is None or self.unfit:
            return []
        return [
            {"page": page.number, "x": box.x, "y": box.y, "width": box.width, "height": box.height}
            for page in touched
            for box in self._find_boxes(self.pdf, page, max(start, page.start), min(end, page.end))
        ]

    def _find_boxes(self, pdf: bytes, page: ParsedPage, start: int, end: int) -> list[Box]:
        """Return the boxes of text[start:end] on a page; none if reading it fails.

        A missing box can be found by looking at the page. A file that failed once is not tried again.
        """
        try:
            return quote_boxes(pdf, page, [(start, end)])[0]
        except (ReadError, ReaderStartError, Busy) as error:
            log.warning("no_boxes", source=str(self.source.pk), page=page.number, error=type(error).__name__)
            self.unfit.append(page.number)
            return []

    def page_at(self, start: int) -> int | None:
        return next((page.number for page in self.pages if page.start <= start < page.end), None)

    def page_label_at(self, start: int) -> str:
        """Return the printed page number if it differs from the page's position in the file."""
        return next((page.label for page in self.pages if page.start <= start < page.end), "")[:40]

    @cached_property
    def _table_names(self) -> TableNames:
        return table_names_of(self.source.content)

    def cell_names_at(self, start: int, end: int) -> dict[str, object] | None:
        """Return what a table calls the row and columns of text[start:end], as it is stored with a citation."""
        return describe_cell_names(self._table_names, start, end)


def describe_cell_names(tables: TableNames, start: int, end: int) -> dict[str, object] | None:
    found = tables.at(start, end)
    return {"row": found.row, "columns": list(found.columns)} if found else None


def read_source(source_id: UUID) -> SourceReading:
    """Return the reading of one source, without its passages.

    Needs the tenant set. Raises IndexError if the source is gone.
    """
    return prepare_reading(rows_of(Source, NAMED, {"id": source_id})[0])


def is_text_loaded(source: Source) -> bool:
    """Return True if the source's text need not be read from the database, or if it has none."""
    if not source.content_id:
        return True
    is_fetched = Source.content.is_cached(source)
    return is_fetched and source.content is not None and not source.content.get_deferred_fields()


def prepare_reading(source: Source) -> SourceReading:
    """Return the reading of a source, whether its row is stored yet or not, without its passages.

    Needs the tenant set unless the text is loaded.
    """
    if source.content_id and not is_text_loaded(source):
        source.content = rows_of(Content, NAMED, {"id": source.content_id})[0]
    return SourceReading(source, (), _pages(source))


def read_sources(source_ids: Iterable[UUID]) -> dict[str, SourceReading]:
    """Return the readings by the source's id as text. Needs the tenant set."""
    return _readings(Source.objects.filter(pk__in=set(source_ids)))


def read_all_sources(run_id: UUID) -> dict[str, SourceReading]:
    """Return the readings of all sources that the run has read, in the order in which it found them.

    Needs the tenant set.
    """
    rows = Source.objects.filter(run_id=run_id, status=SourceStatus.PROCESSED)
    return _readings(rows.order_by("created_at", "id"))


def _readings(sources: QuerySet[Source]) -> dict[str, SourceReading]:
    rows = list(sources.select_related("content").defer("content__minhash"))
    chunks = _chunks(rows)
    return {str(source.pk): SourceReading(source, chunks[source.pk], _pages(source)) for source in rows}


def _chunks(sources: Sequence[Source]) -> Mapping[UUID, Sequence[tuple[UUID, int, int]]]:
    """Load the chunks of all sources at once: a run may have hundreds of sources."""
    by_source: dict[UUID, list[tuple[UUID, int, int]]] = {source.pk: [] for source in sources}
    rows = Chunk.objects.filter(source__in=list(by_source)).order_by("chunk_index")
    for source, pk, start, end in rows.values_list("source_id", "pk", "start_offset", "end_offset"):
        by_source[source].append((pk, start, end))
    return by_source


def _pages(source: Source) -> list[ParsedPage]:
    content = source.content
    if content is None or content.media_type != PDF or not content.raw_key:
        return []
    return pages_of(content)
