"""The places that list a row as its first cell: a claim with a citation for each of them."""

from bisect import bisect_right
from collections.abc import Sequence
from uuid import UUID

from citations.claim_confidence import MatchKind
from citations.models import Citation
from research.library.sources_from_library import chunk_rows, most_chunks
from research.models import Chunk, Item, LibraryChunk
from research.pipelines.table.filling.build_table_cell_rows import build_rows_of_items
from research.pipelines.table.filling.load_table_item_texts import ReadSources
from research.pipelines.table.filling.store_table_cells import ItemRow, store_first_cells
from research.pipelines.table.finding.found_table_values import FoundCell, ValueEvidence
from research.pipelines.table.items.table_items import AskedItem
from research.pipelines.table.listing.merge_lists_into_table import ListedRow
from research.pipelines.table.listing.read_lists_for_table import ListEntry
from research.pipelines.table.table_columns import LISTED
from research.pipelines.table.table_config import TableConfig


def cite_rows(run_id: UUID, config: TableConfig, listed: Sequence[ListedRow], read: ReadSources) -> None:
    """Store where each row of the table is listed. Needs the tenant set, and the run's row locked."""
    field = config.field(LISTED)
    rows = {row.name: row for row in listed}
    items = [item for item in Item.objects.filter(run=run_id).order_by("index") if item.input in rows]
    if field is None or not items:
        return
    asked = []
    for item in items:
        places = rows[item.input].places
        cell = FoundCell(field, rows[item.input].name, tuple(map(_evidence, places)))
        asked.append((_build_asked_item(item, config, places), (cell,)))
    cells = build_rows_of_items(asked, read)
    chunks = _chunks([citation for row in cells for cell in row for citation in cell.citations])
    stored = [ItemRow(run_id, item, row) for (item, _), row in zip(asked, cells, strict=True)]
    store_first_cells(run_id, stored, chunks)


def _build_asked_item(item: Item, config: TableConfig, places: Sequence[ListEntry]) -> AskedItem:
    """With all columns wanted that are still to be found, and the lists as the sources that are read for it."""
    return AskedItem(
        pk=item.pk,
        index=item.index,
        input=item.input,
        config=config,
        fields=tuple(field for field in config.fields if field.name != LISTED),
        sources=tuple(UUID(place.source) for place in places[:1]),
        result={},
        is_by_model=False,
    )


def _evidence(place: ListEntry) -> ValueEvidence:
    return ValueEvidence(
        place.source, place.row.start, place.row.end, place.place.start, place.place.end, MatchKind.NORMALIZED
    )


def _chunks(citations: Sequence[Citation]) -> list[Chunk]:
    """The passages that the quotes begin in, as the run's own."""
    sources = {
        row.source.library_document_id: row.source for row in citations if row.source.library_document_id
    }
    passages = LibraryChunk.objects.filter(document__in=sources, chunk_index__lt=most_chunks())
    by_document: dict[UUID, list[LibraryChunk]] = {}
    for passage in passages.defer("search").order_by("start_offset"):
        by_document.setdefault(passage.document_id, []).append(passage)
    wanted: dict[UUID, LibraryChunk] = {}
    for row in citations:
        there = by_document.get(row.source.library_document_id or row.source_id, [])
        place = bisect_right(there, row.start_offset, key=lambda passage: passage.start_offset) - 1
        if place >= 0 and row.start_offset < there[place].end_offset:
            wanted[there[place].pk] = there[place]
    return [
        chunk_rows(sources[passage.document_id], [passage], passage.chunk_index)[0]
        for passage in wanted.values()
    ]
