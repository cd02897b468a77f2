"""The sources of an item as finding reads them: frozen texts with their structure."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID

from research.db.bulk_sql import rows_of
from research.library.frozen_text import blocks_of, tables_of
from research.models import Content, Source, SourceStatus
from research.parsing.table_rows import TableNames
from research.pipelines.table.filling.select_item_passages import ItemPassage
from research.pipelines.table.finding.found_values import ReadText
from research.pipelines.table.items.table_items import AskedItem

NAMED = "WHERE id = ANY(%(ids)s)"
UNREAD = frozenset({"minhash", "pages", "dropped", "notes", "rendering"})  # of a text, by whoever fills cells


@dataclass(frozen=True, slots=True)
class ReadSources:
    """The texts read for an item, best first, and the sources that could not be read."""

    sources: dict[str, Source]  # by their ids, as the texts name them
    texts: tuple[ReadText, ...]
    failed: tuple[Source, ...] = ()
    # What a model is shown of the texts, by the words that are looked for.
    chosen: dict[str, tuple[ItemPassage, ...]] = field(default_factory=dict, compare=False)

    # By source.
    _table_names: dict[str, TableNames] = field(default_factory=dict, compare=False)

    def table_names(self, key: str) -> TableNames:
        if key not in self._table_names:
            text = next(text for text in self.texts if text.key == key)
            self._table_names[key] = TableNames(text.text, text.blocks, text.tables)
        return self._table_names[key]

    @property
    def could_not_be_read(self) -> bool:
        """Sources were found, and none of them can be read: another try may help."""
        return bool(self.failed) and not self.texts


MOST_KEPT, LONGEST_KEPT = 128, 200_000  # items; characters of one's texts
_kept: dict[tuple[object, ...], ReadSources] = {}


def read_sources(item: AskedItem) -> ReadSources:
    """Two sources with one text are one. Needs the tenant set.

    What one step of an item has read is kept for the next, unless a row of it has changed.
    """
    key = (item.sources, item.sources_as_of)
    known = _kept.pop(key, None)
    read = known or load_sources(item.sources)
    if known is None and sum(len(text.text) for text in read.texts) <= LONGEST_KEPT:
        _kept[key] = read
        for oldest in list(_kept)[:-MOST_KEPT]:
            _kept.pop(oldest, None)
    return read


def load_sources(source_ids: Sequence[UUID]) -> ReadSources:
    """Return the texts of these sources. Needs the tenant set."""
    found = {row.pk: row for row in rows_of(Source, NAMED, {"ids": list(source_ids)})}
    wanted = [row.content_id for row in found.values() if row.content_id is not None]
    contents = {row.pk: row for row in rows_of(Content, NAMED, {"ids": wanted}, UNREAD)}
    for row in found.values():
        row.content = contents[row.content_id] if row.content_id else None
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
        url=source.url,
        blocks=tuple(blocks_of(content)),
        tables=tuple(tables_of(content)),
        language=content.language or None,
    )
