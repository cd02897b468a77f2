"""The run's registry of sources and chunks, filled from documents and pages, never with a model's text.

All functions need the tenant set.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from uuid import UUID

from django.db.models.functions import Now

from citations.models import DomainRule
from research.db.bulk_sql import insert_rows
from research.fetching.canonical_urls import canonical_url
from research.library.rate_library_source import judge_of
from research.library.sources_from_library import (
    FoundPage,
    chunk_rows,
    most_chunks,
    page_row,
    refill_source,
    source_address,
    source_row,
)
from research.llm.budgets.budget_limits import most
from research.models import Chunk, LibraryChunk, LibraryDocument, Run, Source, SourceStatus


class RegistryFull(Exception):
    """The run has its maximum number of sources."""


def register_source(run_id: UUID, document: LibraryDocument) -> Source:
    """Return the document as the run's source, created, or filled if it has no text yet. Raises RegistryFull."""
    known = _find_registered_source(run_id, source_address(document))
    if known is not None and known.content_id is not None:
        return known
    judge = judge_of(run_id)
    if known is None:
        source = judge.weigh(source_row(run_id, document, judge.rules))
        _add(source)
        return source
    source = judge.weigh(refill_source(known, document, judge.rules))
    source.save(force_update=True)
    return source


def register_unread(
    run_id: UUID, page: FoundPage, code: str, message: str, status: SourceStatus = SourceStatus.FAILED
) -> None:
    """Register a page as a failed source with the reason; a source with text stays. Raises RegistryFull."""
    known = _find_registered_source(run_id, canonical_url(page.url))
    if known is None:
        known = page_row(run_id, page, DomainRule.objects.as_rules())
        _add(known)
    Source.objects.filter(pk=known.pk, content=None).update(
        status=status, error_code=code, error_message=message, updated_at=Now()
    )


def is_full(run_id: UUID) -> bool:
    """Return True if the run has its maximum number of sources."""
    return Source.objects.filter(run_id=run_id).count() >= most("sources")


def _find_registered_source(run_id: UUID, address: str) -> Source | None:
    Run.objects.select_for_update().get(pk=run_id)  # one at a time, because sources are counted
    return Source.objects.filter(run_id=run_id, canonical_url=address).first()


def _add(source: Source) -> None:
    if is_full(source.run_id):
        raise RegistryFull
    source.save()
    count = Source.objects.filter(run_id=source.run_id).count()
    Run.objects.filter(pk=source.run_id).update(sources_found=count)


def register_chunks(source: Source, passages: Iterable[LibraryChunk]) -> tuple[list[Chunk], int]:
    """Register passages as chunks of the source; return the chunks and the number of new ones."""
    return register_chunks_of([(source, passages)])[0]


def register_chunks_of(
    read: Sequence[tuple[Source, Iterable[LibraryChunk]]],
) -> list[tuple[list[Chunk], int]]:
    """Register passages of several sources of one run, each once, with as many queries as for one source."""
    if not read:
        return []
    Run.objects.select_for_update().only("pk").get(pk=read[0][0].run_id)  # serialised, as chunks are numbered
    held: defaultdict[UUID, dict[tuple[int, int], Chunk]] = defaultdict(dict)
    for chunk in Chunk.objects.filter(source__in=[source.pk for source, _passages in read]).defer(
        "embedding"
    ):
        held[chunk.source_id][_place(chunk)] = chunk
    results, made = [], []
    for source, passages in read:
        known = held[source.pk]
        following = max((chunk.chunk_index + 1 for chunk in known.values()), default=0)
        wanted = {_place(passage): passage for passage in passages}
        room = max(0, most_chunks() - following)
        new = chunk_rows(source, [wanted[place] for place in wanted if place not in known][:room], following)
        chunks = known | {_place(chunk): chunk for chunk in new}
        results.append(([chunks[place] for place in wanted if place in chunks], len(new)))
        made += new
    insert_rows(made)
    return results


def _place(passage: Chunk | LibraryChunk) -> tuple[int, int]:
    return passage.start_offset, passage.end_offset
