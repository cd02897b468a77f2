"""The sources of an item as finding reads them: frozen texts with their structure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from research.db.bulk_sql import rows_of
from research.db.tenancy import tenant_context
from research.library.library_frozen_text import blocks_of, tables_of
from research.models import Content, Source, SourceStatus
from research.parsing.parsed_table_rows import TableNames
from research.pipelines.common.pipeline_kept_values import KeptValues
from research.pipelines.table.finding.found_table_values import ReadText

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
class _LoadedText:
    """A text with its structure, and the row that it is from."""

    content: Content
    text: ReadText


MAX_KEPT = 10_000_000  # characters of the texts that are kept
_kept = KeptValues[tuple[UUID, UUID], _LoadedText](MAX_KEPT, lambda loaded: len(loaded.text.text))
NEEDED = frozenset({"text", "blocks", "tables"})


def find_sources(source_ids: Sequence[UUID]) -> list[Source]:
    """Return these sources in their order, without those that are gone. Needs the tenant set."""
    found = {row.pk: row for row in rows_of(Source, NAMED, {"ids": list(source_ids)})} if source_ids else {}
    return [found[pk] for pk in source_ids if pk in found]


def load_texts(tenant_id: UUID, sources: Sequence[Source]) -> ReadSources:
    """Return the texts of sources, stored or not; two with one text are one.

    A text that was prepared for one row is kept for the others that have it, too.
    """
    by_key = {(source.pk, source.content_id): source for source in sources if source.content_id is not None}
    loaded = _kept.get(by_key, lambda keys: _load(tenant_id, {key: by_key[key] for key in keys}))
    read: dict[str, Source] = {}  # by the text's hash
    failed = []
    for source in {source.pk: source for source in sources}.values():
        if source.status == SourceStatus.EXCLUDED:
            continue
        if source.content_id is None:
            failed.append(source)
        elif (source.pk, source.content_id) in loaded:
            source.content = loaded[source.pk, source.content_id].content
            read.setdefault(source.content.sha256, source)
    texts = tuple(loaded[source.pk, source.content_id].text for source in read.values() if source.content_id)
    return ReadSources({str(source.pk): source for source in read.values()}, texts, tuple(failed))


def _load(
    tenant_id: UUID, sources: Mapping[tuple[UUID, UUID], Source]
) -> dict[tuple[UUID, UUID], _LoadedText]:
    missing = [source.content_id for source in sources.values() if not _has_text(source)]
    rows: Sequence[Content] = ()
    if missing:
        with tenant_context(tenant_id):
            rows = rows_of(Content, NAMED, {"ids": [pk for pk in missing if pk]}, UNREAD)
    contents = {row.pk: row for row in rows}
    texts = {}
    for key, source in sources.items():
        content = contents.get(key[1]) or source.content
        if content is not None:
            for name in UNREAD:  # many rows may wait for the model: whoever needs these loads them
                content.__dict__.pop(name, None)
            texts[key] = _LoadedText(content, text_of(source, content))
    return texts


def _has_text(source: Source) -> bool:
    """Return True if the source came with its text, as one does that was just read."""
    content = source.content if Source.content.is_cached(source) else None
    return content is not None and not NEEDED & content.get_deferred_fields()


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
