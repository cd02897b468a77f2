"""Restores the structure of a frozen text from its row."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from research.library.library_manifest import Details
from research.models import Content
from research.parsing.hidden_text import DroppedText, HiddenReason
from research.parsing.parsed_document import BlockKind, DocumentTable, ParsedPage, ReadDocument, TextBlock
from research.parsing.parsed_table_rows import TableNames


def blocks_of(content: Content) -> list[TextBlock]:
    return _build_blocks(content.blocks)


def _build_blocks(stored: Iterable[dict[str, Any]]) -> list[TextBlock]:
    return [TextBlock(**{**block, "kind": BlockKind(block["kind"])}) for block in stored]


def blocks_around(content: Content, places: Sequence[tuple[int, int]]) -> list[TextBlock]:
    """Return the blocks of the sections that overlap one of the places, and of their neighbouring sections, in order.

    Sentences and their context at the places come out the same as from all blocks, because sentences are joined only
    within a section. A table may continue in the next section, so the sections with its beginning are included.
    """
    text = content.text
    blocks = [block for block in content.blocks if text[block["start"] : block["end"]].strip()]
    sections = [list(together) for _name, together in groupby(blocks, lambda block: block.get("section", ""))]
    kept: set[int] = set()
    for index, section in enumerate(sections):
        if any(section[0]["start"] < end and start < section[-1]["end"] for start, end in places):
            first = max(0, index - 1)
            while first and sections[first][0]["kind"] == BlockKind.TABLE:
                first -= 1
            kept.update(range(first, min(index + 2, len(sections))))
    return _build_blocks(block for index in sorted(kept) for block in sections[index])


def pages_of(content: Content) -> list[ParsedPage]:
    return [ParsedPage(**{**page, "runs": tuple(map(tuple, page["runs"]))}) for page in content.pages]


def tables_of(content: Content) -> list[DocumentTable]:
    return [_table(table) for table in content.tables]


def table_names_of(content: Content | None) -> TableNames:
    if content is None or not content.tables:
        return TableNames("", (), ())
    return TableNames(content.text, blocks_of(content), tables_of(content))


def document_of(content: Content, said: Details) -> ReadDocument:
    """Return the document as it was read. `said` are its details, which are stored in its row and not with its text."""
    return ReadDocument(
        text=content.text,
        media_type=content.media_type,
        title=said.title,
        author=said.author,
        published=said.published_date or None,
        modified=said.modified_date or None,
        site_name=said.publisher,
        syndicated_from=said.syndicated_from,
        language=content.language or None,
        blocks=tuple(blocks_of(content)),
        pages=tuple(pages_of(content)),
        tables=tuple(tables_of(content)),
        has_paywall=content.has_paywall,
        notes=tuple(content.notes),
        dropped=tuple(_parse_dropped(stretch) for stretch in content.dropped),
    )


def _parse_dropped(stored: Mapping[str, object]) -> DroppedText:
    excerpts = tuple(map(str, _as_sequence(stored["excerpts"])))
    passages, characters = int(str(stored["passages"])), int(str(stored["characters"]))
    return DroppedText(HiddenReason(str(stored["why"])), passages, characters, excerpts)


def _table(stored: Mapping[str, object]) -> DocumentTable:
    return DocumentTable(
        caption=str(stored.get("caption", "")),
        headers=tuple(map(str, _as_sequence(stored["headers"]))),
        rows=tuple(tuple(map(str, _as_sequence(row))) for row in _as_sequence(stored["rows"])),
        start=int(str(stored["start"])),
        end=int(str(stored["end"])),
    )


def _as_sequence(value: object) -> Sequence[object]:
    return value if isinstance(value, (list, tuple)) else ()  # tuples: of a text that was just read
