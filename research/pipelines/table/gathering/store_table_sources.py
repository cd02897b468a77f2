"""The sources of a table's rows: rows that are worked on at once may find the same one, which is stored once.

Its id follows from its address, so that each of these rows can cite it before any of them has stored it.
"""

from collections.abc import Mapping, Sequence
from uuid import UUID, uuid5

from django.db.models import F

from research.db.bulk_sql import insert_rows, rows_of, update_rows
from research.engine.states.step_failures import StepError
from research.models import Run, Source, SourceStatus

STORED = "WHERE run_id = %(run)s::uuid AND canonical_url = ANY(%(addresses)s::text[])"
CHANGED = "Another row has just stored a page that has changed since. It is read again."
# Not when it was found.
CHANGING = [
    field.name for field in Source._meta.concrete_fields if field.name not in ("id", "tenant", "created_at")
]
LEFT_ALONE = frozenset({SourceStatus.PROCESSED, SourceStatus.EXCLUDED})


def identify(source: Source, tenant_id: UUID) -> Source:
    """Give a source that is not stored yet the id that it has in all rows of its table."""
    if source._state.adding:
        source.pk, source.tenant_id = uuid5(source.run_id, source.canonical_url), tenant_id
    return source


def find_stored_sources(run_id: UUID, addresses: Sequence[str]) -> Mapping[str, Source]:
    """Return the sources that the run has stored at these addresses, by address. Needs the tenant set."""
    rows = rows_of(Source, STORED, {"run": str(run_id), "addresses": list(addresses)})
    return {row.canonical_url: row for row in rows}


def store_read_sources(read: Sequence[Source]) -> list[None]:
    """Store what steps of one run have read, or could not. Needs the run's row locked. Raises StepError."""
    if count := store_sources(read):
        Run.objects.filter(pk=read[0].run_id).update(sources_processed=F("sources_processed") + count)
    return [None] * len(read)


def store_sources(found: Sequence[Source]) -> int:
    """Store sources of one run as they were found and read, and return how many of them are read now.

    Those that another row has had read meanwhile stay as they are. Needs the run's row locked. Raises StepError if
    another row has read other words under an address: what was found in ours would not stand there.
    """
    if not found:
        return 0
    read_last = sorted(found, key=lambda source: source.status == SourceStatus.PROCESSED)
    by_address = {source.canonical_url: source for source in read_last}
    known = Source.objects.filter(run=found[0].run_id, canonical_url__in=by_address)
    stored = {row[0]: row[1:] for row in known.values_list("canonical_url", "pk", "status", "content")}
    new = [source for address, source in by_address.items() if address not in stored]
    unread = [
        source
        for address, source in by_address.items()
        if address in stored and stored[address][1] not in LEFT_ALONE
    ]
    is_there = {source.canonical_url: (source.pk, source.content_id) for source in (*new, *unread)}
    is_there |= {
        address: (pk, content) for address, (pk, status, content) in stored.items() if status in LEFT_ALONE
    }
    for source in found:
        if source.content_id and is_there[source.canonical_url] != (source.pk, source.content_id):
            raise StepError("DATABASE_ERROR", CHANGED)
    insert_rows(new)
    update_rows(unread, CHANGING)
    return sum(source.status == SourceStatus.PROCESSED for source in (*new, *unread))
