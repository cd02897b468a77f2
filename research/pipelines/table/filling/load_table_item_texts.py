"""The sources of an item as finding reads them: frozen texts with their structure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from research.db.bulk_sql import rows_of
from research.library.library_frozen_text import blocks_of, tables_of
from research.models import Content, Source, SourceStatus
from research.parsing.parsed_table_rows import TableNames
from research.pipelines.common.pipeline_kept_values import KeptValues
from research.pipelines.table.finding.found_table_values import ReadText
from research.pipelines.table.items.table_items import AskedItem

NAMED = "WHERE id = ANY(%(ids)s)"
UNREAD = frozenset({"minhash", "pages", "dropped", "notes", "rendering"})  # of a text, by whoever fills cells


@dataclass(frozen=True, slots=True)
class ReadSources:
    """The texts read for an item, best first, and the sources that could not be read."""

    sources: dict[str, Source]  # by their ids, as the texts name them
    texts: tuple[ReadText, ...]
    failed: tuple[Source, ...] = ()

    def table_names(self, key: str) -> TableNames:
        return next(text for text in self.texts if text.key == key).table_names

    @property
    def could_not_be_read(self) -> bool:
        """Sources were found, and none of them can be read: another try may help."""
        return bool(self.failed) and not self.texts


@dataclass(frozen=True, slots=True)
class _LoadedSource:
    """A source with its text; None for one that could not be read."""

    source: Source
    text: ReadText | None


MAX_KEPT = 10_000_000  # characters of the texts that are kept
# By the source's id and the version of its row.
_kept = KeptValues[str, _LoadedSource](MAX_KEPT, lambda loaded: len(loaded.text.text) if loaded.text else 0)


def read_sources(items: Sequence[AskedItem]) -> list[ReadSources]:
    """Return the sources of each item; two with one text are one. Needs the tenant set.

    A source that was read for one step of an item is kept for the next, and for other items that have it, too, unless
    its row has changed.
    """
    ids = {version: UUID(version.split()[0]) for item in items for version in item.sources_as_of}

    def load(versions: Sequence[str]) -> dict[str, _LoadedSource]:
        loaded = _load([ids[version] for version in versions])
        return {version: loaded[ids[version]] for version in versions if ids[version] in loaded}

    kept = {ids[version]: loaded for version, loaded in _kept.get(ids, load).items()}
    return [_build_sources(item.sources, kept) for item in items]


def load_sources(source_ids: Sequence[UUID]) -> ReadSources:
    """Return the texts of these sources. Needs the tenant set."""
    return _build_sources(source_ids, _load(source_ids))


def _load(source_ids: Sequence[UUID]) -> dict[UUID, _LoadedSource]:
    found = {row.pk: row for row in rows_of(Source, NAMED, {"ids": list(source_ids)})}
    content_ids = [row.content_id for row in found.values() if row.content_id is not None]
    contents = {row.pk: row for row in rows_of(Content, NAMED, {"ids": content_ids}, UNREAD)}
    for row in found.values():
        row.content = contents[row.content_id] if row.content_id else None
    return {
        pk: _LoadedSource(source, text_of(source, source.content) if source.content else None)
        for pk, source in found.items()
    }


def _build_sources(source_ids: Sequence[UUID], loaded: Mapping[UUID, _LoadedSource]) -> ReadSources:
    read: dict[str, _LoadedSource] = {}  # by the text's hash
    failed: list[Source] = []
    for pk in source_ids:
        one = loaded.get(pk)
        if one is None or one.source.status == SourceStatus.EXCLUDED:
            continue
        if one.source.content is None:
            failed.append(one.source)
        else:
            read.setdefault(one.source.content.sha256, one)
    return ReadSources(
        {str(one.source.pk): one.source for one in read.values()},
        tuple(one.text for one in read.values() if one.text),
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
