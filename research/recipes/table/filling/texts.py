"""The sources of an item as finding reads them: frozen texts with their structure."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from research.library.frozen import blocks_of
from research.models import Content, Source, SourceStatus
from research.reading.document import Table
from research.recipes.table.finding.found import ReadText

NOT_NEEDED = ("content__pages", "content__minhash", "content__dropped", "content__notes")


@dataclass(frozen=True, slots=True)
class ReadSources:
    """What was read for an item, best first, and what could not be."""

    sources: dict[str, Source]  # by their ids, as the texts name them
    texts: tuple[ReadText, ...]
    failed: tuple[Source, ...] = ()

    @property
    def could_not_be_read(self) -> bool:
        """Sources were found, and none of them can be read: another try may help."""
        return bool(self.failed) and not self.texts


def read_sources(source_ids: Sequence[UUID]) -> ReadSources:
    """Two sources with one text are one. Needs the tenant set."""
    rows = Source.objects.filter(pk__in=source_ids).select_related("content").defer(*NOT_NEEDED)
    found = {row.pk: row for row in rows}
    read, failed, seen = [], [], set()
    for pk in source_ids:
        source = found.get(pk)
        if source is None or source.status == SourceStatus.EXCLUDED:
            continue
        if source.content is None:
            failed.append(source)
        elif source.content.sha256 not in seen:
            seen.add(source.content.sha256)
            read.append(source)
    return ReadSources(
        {str(source.pk): source for source in read},
        tuple(text_of(source, source.content) for source in read if source.content),
        tuple(failed),
    )


def text_of(source: Source, content: Content) -> ReadText:
    return ReadText(
        key=str(source.pk),
        text=content.text,
        title=source.title,
        blocks=tuple(blocks_of(content)),
        tables=tuple(_table(one) for one in content.tables),
        language=content.language or None,
    )


def _table(stored: dict[str, object]) -> Table:
    rows = stored["rows"]
    return Table(
        caption=str(stored.get("caption", "")),
        headers=tuple(map(str, _listed(stored["headers"]))),
        rows=tuple(tuple(map(str, _listed(row))) for row in _listed(rows)),
        start=int(str(stored["start"])),
        end=int(str(stored["end"])),
    )


def _listed(value: object) -> Sequence[object]:
    return value if isinstance(value, list) else ()
