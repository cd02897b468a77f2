"""The other sources of a run that are not independent of a source, and so do not confirm it."""

from collections.abc import Sequence

from citations.claim_strength import origins
from research.library.duplicate_library_documents import text_groups
from research.models import Source, SourceStatus
from research.pipelines.common.verifying.report_source_origin import origin_of

MAX_SHOWN = 12
# The few columns that are needed to identify an origin and name a source.
_TOLD = (
    *("domain", "publisher", "author", "title", "syndicated_from", "canonical_url"),
    *("content__minhash", "content__word_count"),
)
_READ = (SourceStatus.PROCESSED, SourceStatus.EXTRACTED, SourceStatus.DUPLICATE)


def find_sources_of_same_origin(source: Source) -> Sequence[Source]:
    """Return the sources of the same origin: the same text, publisher, author or work."""
    if source.content is None:
        return ()
    rows = (
        Source.objects.filter(run_id=source.run_id, status__in=_READ).select_related("content").only(*_TOLD)
    )
    known = {str(row.pk): row for row in rows.order_by("created_at", "id")}
    groups = text_groups(row.content for row in known.values() if row.content)
    found = origins(origin_of(row, groups[row.content.pk] if row.content else "") for row in known.values())
    own = next((group for group in found if str(source.pk) in group), frozenset())
    others = [row for pk, row in known.items() if pk in own and row.pk != source.pk]
    return others[:MAX_SHOWN]
