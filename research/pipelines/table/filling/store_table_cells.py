"""Filled cells become rows: a claim with its citations for each value, a claim beside it for each other value.

A cell that is filled again gets a new claim; the old one stays, and is no longer placed in the table.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import F, Q
from django.db.models.functions import Now

from citations.models import Citation, Claim, Contradiction, Section
from research.db.bulk_sql import insert_rows, rows_of, update_rows
from research.library.sources_from_library import chunk_rows, most_chunks
from research.models import Chunk, Item, ItemStatus, LibraryChunk, Run, Source
from research.pipelines.table.filling.build_table_cell_rows import CellRows
from research.pipelines.table.gathering.store_table_sources import store_sources
from research.pipelines.table.items.table_items import AskedItem


@dataclass(frozen=True, slots=True)
class ItemRow:
    """A row as it is stored, with its cells and with its sources, stored or not.

    `is_filled`: if not, none of its sources could be read.
    """

    run_id: UUID
    item: AskedItem
    cells: Sequence[CellRows]
    sources: Sequence[Source] = ()
    is_filled: bool = True


BEGUN_IN = """
WHERE one.document_id = ANY(%(documents)s::uuid[]) AND one.chunk_index < %(most)s::int AND EXISTS (
    SELECT FROM unnest(%(documents)s::uuid[], %(starts)s::int[]) AS begun(document, start)
    WHERE one.document_id = begun.document AND one.start_offset <= begun.start AND one.end_offset > begun.start
)
ORDER BY one.chunk_index
"""
UNREAD = frozenset({"search"})


def _chunks(citations: Sequence[Citation]) -> list[Chunk]:
    """The first passage that each quote begins in; of a text without passages there is none."""
    begun = [(row.source, row.start_offset) for row in citations if row.source.library_document_id]
    if not begun:
        return []
    places: dict[str, str | list[str]] = {
        "documents": [str(source.library_document_id) for source, _ in begun],
        "starts": [str(start) for _, start in begun],
        "most": str(most_chunks()),
    }
    passages = rows_of(LibraryChunk, BEGUN_IN, places, UNREAD)
    wanted: dict[UUID, Chunk] = {}
    for source, start in begun:
        found = next((passage for passage in passages if _holds(passage, source, start)), None)
        if found is not None and found.pk not in wanted:
            wanted[found.pk] = chunk_rows(source, [found], found.chunk_index)[0]
    return list(wanted.values())


def _holds(passage: LibraryChunk, source: Source, start: int) -> bool:
    is_there = passage.document_id == source.library_document_id
    return is_there and passage.start_offset <= start < passage.end_offset


def _section(run_id: UUID) -> Section:
    """The one that holds the table's claims: it stays the same for as long as rows are filled."""
    return Section.objects.only("run_id").get(run=run_id, report_version=F("run__report_version"), index=0)


def store_rows(rows: Sequence[ItemRow]) -> list[None]:
    """Store rows of one run, in the transaction that ends their steps. Raises StepError (`store_sources`)."""
    run_id = rows[0].run_id
    read = store_sources([source for row in rows for source in row.sources])
    filled = _drop_overtaken([row for row in rows if row.is_filled])
    if filled:
        _store_claims(run_id, filled)
        cells = [cell for row in filled for cell in row.cells]
        citations = [citation for cell in cells for citation in cell.citations]
        _store_citations(citations, _chunks(citations))
        contradictions = [contradiction for cell in cells for contradiction in cell.contradictions]
        for contradiction in contradictions:
            contradiction.run_id = run_id
        Contradiction.objects.bulk_create(contradictions)
        _store_items(filled)
    update_rows(
        [Item(pk=row.item.pk, sources=_list_sources(row)) for row in rows if not row.is_filled], ["sources"]
    )
    new = sum(not row.item.is_again for row in filled)
    if read or new:
        Run.objects.filter(pk=run_id).update(
            items_completed=F("items_completed") + new, sources_processed=F("sources_processed") + read
        )
    return [None] * len(rows)


def store_first_cells(run_id: UUID, rows: Sequence[ItemRow], chunks: Sequence[Chunk]) -> None:
    """Give items that are not filled yet their first cells, and what they were found in as their sources.

    `chunks`: the passages that the cells' quotes stand in, as the run's own.
    """
    _store_claims(run_id, rows)
    citations = [citation for row in rows for cell in row.cells for citation in cell.citations]
    _store_citations(citations, chunks)
    items = [_build_filled_item(row) for row in rows]
    Item.objects.bulk_update(items, ["result", "wanted", "sources"], batch_size=500)


def _drop_overtaken(rows: Sequence[ItemRow]) -> list[ItemRow]:
    """Without second tries of rows that a person has had filled anew, or changed, since the first."""
    again = [row.item.pk for row in rows if row.item.is_again]
    untouched = Item.objects.filter(pk__in=again, status=ItemStatus.COMPLETED, wanted=[])
    as_they_were = dict(untouched.values_list("pk", "result")) if again else {}
    return [row for row in rows if not row.item.is_again or as_they_were.get(row.item.pk) == row.item.result]


def _store_claims(run_id: UUID, rows: Sequence[ItemRow]) -> None:
    placed = [claim for row in rows for cell in row.cells for claim in cell.claims]
    supersede(run_id, [claim.number for claim in placed if claim.number])
    section = _section(run_id) if placed else None
    for claim in placed:
        claim.run_id = run_id
        claim.section = section if claim.number else None
    insert_rows(placed)


def supersede(run_id: UUID, numbers: Sequence[int]) -> None:
    """Claims of cells that are filled again leave the table, with what stood against them."""
    old = list(Claim.objects.filter(run_id=run_id, number__in=numbers).values_list("pk", flat=True))
    if old:
        Contradiction.objects.filter(Q(claim_a__in=old) | Q(claim_b__in=old)).delete()
        Claim.objects.filter(pk__in=old).update(number=None, section=None, updated_at=Now())


def _store_citations(citations: Sequence[Citation], chunks: Sequence[Chunk]) -> None:
    """Each with the run's passage that it stands in, whichever item's step has made that."""
    insert_rows(chunks, unless_there=True)
    sources = {chunk.source_id for chunk in chunks}
    known = Chunk.objects.filter(source__in=sources).values_list(
        "pk", "source_id", "start_offset", "end_offset"
    )
    places = list(known) if sources else []
    for row in citations:
        inside = (
            pk
            for pk, source, start, end in places
            if source == row.source_id and start <= row.start_offset < end
        )
        row.chunk_id = next(inside, None)
        row.section_id = row.claim.section_id
    insert_rows(citations)


def _store_items(rows: Sequence[ItemRow]) -> None:
    """No other step changes the items while these have them."""
    items = [_build_filled_item(row) for row in rows]
    update_rows(items, ["result", "wanted", "sources"])
    Item.objects.filter(pk__in=[item.pk for item in items]).update(
        status=ItemStatus.COMPLETED,
        version=Run.objects.filter(pk=rows[0].run_id).values(next=F("snapshot_version") + 1),
        completed_at=Now(),
        updated_at=Now(),
    )


def _build_filled_item(row: ItemRow) -> Item:
    done = {cell.name: cell.stored.model_dump(mode="json") for cell in row.cells}
    fields = () if row.item.is_again else row.item.fields  # what was not found again stays as it was
    left = [field.name for field in fields if field.name not in done]
    return Item(pk=row.item.pk, result={**row.item.result, **done}, wanted=left, sources=_list_sources(row))


def _list_sources(row: ItemRow) -> list[str]:
    """Return the ids of the row's sources, those that it had before first."""
    return list(dict.fromkeys(map(str, (*row.item.sources, *(source.pk for source in row.sources)))))
