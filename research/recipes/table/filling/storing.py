"""Filled cells become rows: a claim with its citations for each value, a claim beside it for each other value.

A cell that is filled again gets a new claim; the old one stays, and is no longer placed in the table.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from uuid import UUID

from django.db.models import F, Q
from django.db.models.functions import Now

from citations.models import Citation, Claim, Contradiction, Section
from research.library.sources import chunk_rows, most_chunks
from research.lifecycle.recipe import JsonObject, StepResult, StepWork, Usage
from research.models import Chunk, Item, ItemStatus, LibraryChunk, Run
from research.recipes.table.filling.cells import CellRows, write_cells
from research.recipes.table.filling.texts import ReadSources
from research.recipes.table.finding.found import FoundCell
from research.recipes.table.items.items import AskedItem
from research.tenancy import tenant_context


@dataclass(frozen=True, slots=True)
class Filled:
    """What an item's sources say, field by field. `lessened`: a model failed, and rules took its place."""

    item: AskedItem
    cells: tuple[FoundCell, ...]
    read: ReadSources
    note: JsonObject = field(default_factory=dict)  # for the step's output
    usage: Usage = Usage()
    lessened: bool = False


def filled_result(work: StepWork, filled: Filled) -> StepResult:
    """The result of the step that filled the item's cells."""
    item = filled.item
    with tenant_context(work.tenant_id):
        cells = write_cells(item, filled.cells, filled.read, lessened=filled.lessened)
        chunks = _chunks([row for cell in cells for row in cell.citations])
        section = _section(work.run_id)
    states = Counter[str](cell.stored.state for cell in cells)
    return StepResult(
        {"item": item.input, "cells": dict(states), **filled.note},
        save=partial(store_cells, section, item, cells, chunks),
        usage=filled.usage,
        activity=f"Row {item.number}: “{item.input}”"[:300],
    )


def _chunks(citations: Iterable[Citation]) -> list[Chunk]:
    """The passages that the quotes stand in, as the run's own; of a text without passages there are none."""
    wanted: dict[UUID, Chunk] = {}
    most = most_chunks()
    for row in citations:
        passages = LibraryChunk.objects.filter(
            document=row.source.library_document_id, start_offset__lte=row.start_offset, chunk_index__lt=most
        )
        found = passages.filter(end_offset__gt=row.start_offset).order_by("chunk_index").first()
        if found is not None and found.pk not in wanted:
            wanted[found.pk] = chunk_rows(row.source, [found], found.chunk_index)[0]
    return list(wanted.values())


def _section(run_id: UUID) -> Section:
    """The one that holds the table's claims: it stays the same for as long as rows are filled."""
    return Section.objects.only("run_id").get(run=run_id, report_version=F("run__report_version"), index=0)


def store_cells(
    section: Section, item: AskedItem, cells: Sequence[CellRows], chunks: Sequence[Chunk]
) -> None:
    """All of it, in the transaction that ends the step."""
    run_id = section.run_id
    claims = [claim for cell in cells for claim in cell.claims]
    supersede(run_id, [claim.number for claim in claims if claim.number])
    for claim in claims:
        claim.run_id = run_id
        claim.section = section if claim.number else None
    Claim.objects.bulk_create(claims)
    _store_citations([row for cell in cells for row in cell.citations], chunks)
    contradictions = [row for cell in cells for row in cell.contradictions]
    for row in contradictions:
        row.run_id = run_id
    Contradiction.objects.bulk_create(contradictions)
    _store_row(run_id, item, cells)


def supersede(run_id: UUID, numbers: Sequence[int]) -> None:
    """Claims of cells that are filled again leave the table, with what stood against them."""
    old = list(Claim.objects.filter(run_id=run_id, number__in=numbers).values_list("pk", flat=True))
    if old:
        Contradiction.objects.filter(Q(claim_a__in=old) | Q(claim_b__in=old)).delete()
        Claim.objects.filter(pk__in=old).update(number=None, section=None, updated_at=Now())


def _store_citations(citations: Sequence[Citation], chunks: Sequence[Chunk]) -> None:
    """Each with the run's passage that it stands in, whichever item's step has made that."""
    Chunk.objects.bulk_create(chunks, ignore_conflicts=True)
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
    Citation.objects.bulk_create(citations)


def _store_row(run_id: UUID, item: AskedItem, cells: Sequence[CellRows]) -> None:
    """No other step changes the row while this one has it."""
    done = {cell.name: cell.stored.model_dump(mode="json") for cell in cells}
    Item.objects.filter(pk=item.pk).update(
        result={**item.result, **done},
        wanted=[field.name for field in item.fields if field.name not in done],
        status=ItemStatus.COMPLETED,
        version=Run.objects.filter(pk=run_id).values(next=F("snapshot_version") + 1),
        completed_at=Now(),
        updated_at=Now(),
    )
    Run.objects.filter(pk=run_id).update(items_completed=F("items_completed") + 1)
