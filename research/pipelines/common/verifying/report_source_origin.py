"""The origin of a source, by which independent sources are counted. Imports little, since pages use it too."""

from citations.bibliography.author_names import author_names
from citations.claim_strength import Origin, work_key
from research.models import Source


def origin_of(source: Source, text_group: str) -> Origin:
    return Origin(
        source=str(source.pk),
        text_group=text_group,
        domain=source.domain,
        publisher=source.publisher,
        authors=author_names(source.author),
        work=work_key(source.title),
        repeats=source.syndicated_from,
    )
