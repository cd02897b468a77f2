"""Joins blocks into the canonical text: a blank line between blocks, a line feed inside lists and tables."""

from __future__ import annotations

from collections.abc import Sequence

from research.parsing.clean_text import squash, tidy_code
from research.parsing.parsed_document import BlockKind, DocumentTable, TextBlock

CELL_JOIN = " | "
SECTION_JOIN = " > "
# Blocks of these kinds are not separated by a blank line when they follow each other.
_CLOSE = {BlockKind.LIST, BlockKind.TABLE}


class TextBuilder:
    """Collects cleaned pieces in reading order; offsets are final as soon as a piece is added."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._path: list[tuple[int, str]] = []
        self._last: tuple[BlockKind, object] | None = None
        self.blocks: list[TextBlock] = []
        self.tables: list[DocumentTable] = []

    @property
    def length(self) -> int:
        return self._length

    @property
    def text(self) -> str:
        return "".join(self._parts)

    @property
    def section(self) -> str:
        return SECTION_JOIN.join(title for _, title in self._path)

    def add(
        self,
        kind: BlockKind,
        text: str,
        *,
        level: int | None = None,
        page: int | None = None,
        group: object = None,
    ) -> TextBlock | None:
        """Append one block.

        Lists and tables are told apart by `group`: blocks of one group are on adjacent lines.
        """
        piece = tidy_code(text) if kind is BlockKind.CODE else squash(text)
        if not piece.strip():
            return None
        self._separate(kind, group)
        start = self._append(piece)
        block = TextBlock(start, self._length, kind, level, self.section, page)
        self.blocks.append(block)
        return block

    def add_heading(
        self, text: str, level: int, *, page: int | None = None, title: str | None = None
    ) -> TextBlock | None:
        """Open a section. `title` is its name in section paths, if that differs from the text."""
        if not squash(text):
            return None
        self._open_section(level, squash(text if title is None else title))
        return self.add(BlockKind.HEADING, text, level=level, page=page)

    def table(
        self,
        headers: Sequence[str],
        rows: Sequence[Sequence[str]],
        *,
        caption: str = "",
        page: int | None = None,
    ) -> None:
        """Append a table, one block a row. A header row with text is a block too.

        Without a caption of its own it takes the one that was added right before it.
        """
        group, first = object(), len(self.blocks)
        if caption.strip():
            self.add(BlockKind.CAPTION, caption, page=page)
        elif self._is_caption_waiting():
            first -= 1
            caption = "".join(self._parts[-1:])
        for row in ([headers] if any(map(str.strip, headers)) else []) + list(rows):
            self.add(BlockKind.TABLE, _row_text([squash(cell) for cell in row]), page=page, group=group)
        if any(block.kind is BlockKind.TABLE for block in self.blocks[first:]):
            kept = tuple(tuple(map(squash, row)) for row in rows)
            names = tuple(map(squash, headers))
            self.tables.append(
                DocumentTable(squash(caption), names, kept, self.blocks[first].start, self._length)
            )

    def _is_caption_waiting(self) -> bool:
        """Return True if the last block is a caption, and not that of a table above it."""
        if self._last is None or self._last[0] is not BlockKind.CAPTION:
            return False
        is_below = len(self.blocks) > 1 and self.blocks[-2].kind is BlockKind.TABLE
        return not is_below or bool(self.tables[-1].caption)

    def end_sections(self) -> None:
        """Leave all sections: what follows, such as endnotes, belongs to none."""
        self._path.clear()

    def loose(self, text: str) -> None:
        """Append text that belongs to no block, such as lines of a table of contents."""
        piece = squash(text)
        if piece:
            self._last = None
            if self._parts:
                self._append("\n")
            self._append(piece)

    def _open_section(self, level: int, title: str) -> None:
        while self._path and self._path[-1][0] >= level:
            self._path.pop()
        self._path.append((level, title))

    def _separate(self, kind: BlockKind, group: object) -> None:
        close = kind in _CLOSE and self._last == (kind, group)
        self._last = (kind, group)
        if self._parts:
            self._append("\n" if close else "\n\n")

    def _append(self, piece: str) -> int:
        start = self._length
        self._parts.append(piece)
        self._length += len(piece)
        return start


def _row_text(cells: Sequence[str]) -> str:
    """Return a row as one line.

    Empty cells keep their position, except in mostly empty rows, which are layout.
    """
    filled = [cell for cell in cells if cell]
    return CELL_JOIN.join(cells if 2 * len(filled) >= len(cells) else filled).strip() if filled else ""
