"""Restores the structure of a frozen text from its row."""

from collections.abc import Mapping, Sequence

from research.library.library_manifest import Details
from research.models import Content
from research.parsing.hidden_text import DroppedText, HiddenReason
from research.parsing.parsed_document import BlockKind, DocumentTable, Page, ReadDocument, TextBlock


def blocks_of(content: Content) -> list[TextBlock]:
    return [TextBlock(**{**block, "kind": BlockKind(block["kind"])}) for block in content.blocks]


def pages_of(content: Content) -> list[Page]:
    return [Page(**{**page, "runs": tuple(map(tuple, page["runs"]))}) for page in content.pages]


def tables_of(content: Content) -> list[DocumentTable]:
    return [_table(table) for table in content.tables]


def document_of(content: Content, said: Details) -> ReadDocument:
    """Return the document as it was read. `said` are its details, which are stored with its place and not with its
    text.
    """
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
    return value if isinstance(value, list) else ()
