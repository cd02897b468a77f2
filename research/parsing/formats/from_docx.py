"""Word documents: paragraphs and tables in document order, deleted and hidden text left out."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from datetime import datetime

import docx
from docx.document import Document
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.exceptions import OpcError
from docx.opc.part import XmlPart
from lxml import etree
from lxml.etree import _Element

from research.parsing.clean_text import clean, squash
from research.parsing.formats.docx_hidden import Hiding
from research.parsing.formats.hidden_characters import note_carriers
from research.parsing.hidden_text import DroppedLog
from research.parsing.media_types import DOCX
from research.parsing.parsed_document import BlockKind, ReadDocument
from research.parsing.text_builder import TextBuilder
from research.sandbox.read_error import ReadError

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_NO_WORDS = frozenset({f"{_W}instrText", f"{_W}delText", f"{_W}pPr", f"{_W}rPr"})
_HEADING = re.compile(r"heading (\d)$|title$", re.I)
_MAX_DEPTH = 100
_LEVELS = frozenset("0123456789")  # of lists, from the outermost


def read_docx(data: bytes, name: str) -> ReadDocument:
    document = _open(data, name)
    walk = _Walk(document)
    walk.read(document.element.body)
    about, builder = document.core_properties, walk.builder
    return ReadDocument(
        text=builder.text, media_type=DOCX, title=squash(clean(about.title or "")) or _first_heading(builder),
        author=squash(clean(about.author or "")).removeprefix("python-docx"), published=None,
        modified=_date(about.modified), blocks=tuple(builder.blocks), tables=tuple(builder.tables),
        dropped=walk.log.entries,
    )  # fmt: skip


def _open(data: bytes, name: str) -> Document:
    try:
        return docx.Document(io.BytesIO(data))
    except (OpcError, KeyError, ValueError, zipfile.BadZipFile, etree.XMLSyntaxError, OSError) as error:
        raise ReadError(
            "unreadable", f"“{name}” is damaged and cannot be opened as a Word document."
        ) from error


def _first_heading(builder: TextBuilder) -> str:
    block = next((block for block in builder.blocks[:5] if block.kind is BlockKind.HEADING), None)
    return builder.text[block.start : block.end] if block else ""


def _date(moment: datetime | None) -> str | None:
    return moment.date().isoformat() if moment else None


def _style_sheet(document: Document) -> _Element:
    """Empty where the document has none: python-docx would open a file of its own for it."""
    try:
        part = document.part.part_related_by(RELATIONSHIP_TYPE.STYLES)
    except KeyError:
        part = None
    return part.element if isinstance(part, XmlPart) else etree.Element(f"{_W}styles")


def _style_names(styles: _Element) -> Iterator[tuple[str, str]]:
    """Names by their ids, in lower case."""
    for style in styles.iter(f"{_W}style"):
        name = style.find(f"{_W}name")
        yield (
            str(style.get(f"{_W}styleId", "")),
            "" if name is None else str(name.get(f"{_W}val", "")).lower(),
        )


class _Walk:
    def __init__(self, document: Document) -> None:
        self.builder, self.log = TextBuilder(), DroppedLog()
        styles = _style_sheet(document)
        self._styles = dict(_style_names(styles))
        self._hiding = Hiding(styles)
        self._list = object()

    def read(self, parent: _Element, depth: int = 0) -> None:
        for element in parent:
            if element.tag == f"{_W}p":
                self._paragraph(element)
            elif element.tag == f"{_W}tbl":
                self._table(element)
            elif (
                element.tag in (f"{_W}sdt", f"{_W}sdtContent", f"{_W}ins", f"{_W}smartTag")
                and depth < _MAX_DEPTH
            ):
                self.read(element, depth + 1)

    def _paragraph(self, paragraph: _Element) -> None:
        text = self._words(paragraph)
        style = self._style(paragraph)
        heading = _HEADING.match(style)
        if heading:
            self.builder.heading(text, int(heading[1] or 1))
        elif "list" in style or paragraph.find(f"{_W}pPr/{_W}numPr") is not None:
            self.builder.add(BlockKind.LIST, text, level=self._list_level(paragraph), group=self._list)
        else:
            self._list = object()
            self.builder.add(_kind_of(style), text)

    def _style(self, paragraph: _Element) -> str:
        style = paragraph.find(f"{_W}pPr/{_W}pStyle")
        identifier = "" if style is None else str(style.get(f"{_W}val", ""))
        return self._styles.get(identifier, identifier.lower())

    def _list_level(self, paragraph: _Element) -> int:
        level = paragraph.find(f"{_W}pPr/{_W}numPr/{_W}ilvl")
        value = "0" if level is None else str(level.get(f"{_W}val", "0"))
        return (int(value) if value in _LEVELS else 0) + 1

    def _table(self, table: _Element) -> None:
        shown = [row for row in table.findall(f"{_W}tr") if not self._is_hidden(row)]
        rows = [[self._words(cell) for cell in row.findall(f"{_W}tc")] for row in shown]
        first = next(iter(shown), None)
        names_columns = first is not None and _is_header(first, table)
        headers = rows[0] if rows and names_columns else []
        self.builder.table(headers, rows[bool(headers) :])

    def _words(self, element: _Element) -> str:
        said = "".join(self._pieces(element))
        note_carriers(said, self.log)
        return squash(clean(said))

    def _pieces(self, element: _Element) -> Iterator[str]:
        waiting = [element]
        while waiting:
            node = waiting.pop()
            if node.tag == f"{_W}t":
                yield node.text or ""
            elif node.tag in (f"{_W}tab", f"{_W}br", f"{_W}cr", f"{_W}p"):
                yield " "
            elif node.tag == f"{_W}noBreakHyphen":
                yield "-"
            if node.tag not in _NO_WORDS and not self._is_hidden(node):
                waiting.extend(reversed(node))

    def _is_hidden(self, node: _Element) -> bool:
        """Return True if the node is hidden, and log its text."""
        why = self._hiding.why_unseen(node)
        if why is not None:
            self.log.note(why, "".join(part.text or "" for part in node.iter(f"{_W}t", f"{_W}delText")))
        return why is not None


def _kind_of(style: str) -> BlockKind:
    if "quote" in style:
        return BlockKind.QUOTE
    if "caption" in style:
        return BlockKind.CAPTION
    if "code" in style or "preformatted" in style or "macro" in style:
        return BlockKind.CODE
    return BlockKind.PARAGRAPH


def _is_header(row: _Element, table: _Element) -> bool:
    """Marked as a repeated header, or the first row of a table whose look has one (Word's default)."""
    if row.find(f"{_W}trPr/{_W}tblHeader") is not None:
        return True
    look = table.find(f"{_W}tblPr/{_W}tblLook")
    return look is not None and look.get(f"{_W}firstRow") == "1" and len(table.findall(f"{_W}tr")) > 1
