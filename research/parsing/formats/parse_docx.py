"""Reads Word documents: paragraphs, text boxes and tables in document order, then the notes.

Hidden text is left out.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator, Mapping
from datetime import datetime

import docx
from docx.document import Document
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.exceptions import OpcError
from docx.opc.part import XmlPart
from docx.oxml import parse_xml
from lxml import etree
from lxml.etree import _Element

from research.parsing.clean_text import clean, squash
from research.parsing.formats.parse_docx_runs import (
    LineReader,
    M,
    W,
    find_hand_set_marks,
    join_words,
    select_shown_children,
)
from research.parsing.formats.parse_docx_tables import grid_rows
from research.parsing.formats.parse_hidden_docx_runs import Hiding
from research.parsing.frozen_text_builder import TextBuilder
from research.parsing.hidden_text import DroppedLog, HiddenReason
from research.parsing.parsed_document import BlockKind, ReadDocument
from research.parsing.parsed_media_types import DOCX
from research.parsing.parsed_table_grid import build_grid
from research.runtime.sandbox.sandbox_read_error import ReadError

_PARTS = frozenset({"footnotes", "endnotes", "comments", "header", "footer"})
_NOT_READ = {
    "comments": HiddenReason.ANNOTATION,
    "header": HiddenReason.RUNNING_HEAD,
    "footer": HiddenReason.RUNNING_HEAD,
}
_INITIAL = 3  # letters
_HEADING = re.compile(r"heading (\d)$|title$", re.I)
_MAX_DEPTH = 100
_LEVELS = frozenset("0123456789")  # of lists, from the outermost


def read_docx(data: bytes, name: str) -> ReadDocument:
    document = _open(data, name)
    walk, parts = _DocxWalk(document), dict(_parts_of(document))
    walk.read(document.element.body)
    walk.read_notes(parts)
    walk.log_other_parts(parts)
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


_PLACES = tuple(f"{W}{name}" for name in ("bookmarkStart", "bookmarkEnd", "proofErr", "commentRangeEnd"))


def _first_heading(builder: TextBuilder) -> str:
    block = next((block for block in builder.blocks[:5] if block.kind is BlockKind.HEADING), None)
    return builder.text[block.start : block.end] if block else ""


def _date(moment: datetime | None) -> str | None:
    return moment.date().isoformat() if moment else None


def _join_paragraphs(root: _Element) -> None:
    """Move the content of paragraphs whose mark was deleted into the paragraph that follows, which they begin."""
    for paragraph in list(root.iter(f"{W}p")):
        following, parent = paragraph.getnext(), paragraph.getparent()
        while following is not None and following.tag in _PLACES:
            following = following.getnext()
        is_ended = all(paragraph.find(f"{W}pPr/{W}rPr/{W}{name}") is None for name in ("del", "moveFrom"))
        if is_ended or parent is None or following is None or following.tag != f"{W}p":
            continue
        content = [child for child in paragraph if child.tag != f"{W}pPr"]
        at = 0 if following.find(f"{W}pPr") is None else 1
        following[at:at] = content
        parent.remove(paragraph)


def _style_sheet(document: Document) -> _Element:
    """Return the styles.

    They are empty if the document has none, since python-docx would then open its own default file.
    """
    try:
        part = document.part.part_related_by(RELATIONSHIP_TYPE.STYLES)
    except KeyError:
        part = None
    return part.element if isinstance(part, XmlPart) else etree.Element(f"{W}styles")


def _style_names(styles: _Element) -> Iterator[tuple[str, str]]:
    """Yield the id of each style and its name in lower case."""
    for style in styles.iter(f"{W}style"):
        name = style.find(f"{W}name")
        yield (
            str(style.get(f"{W}styleId", "")),
            "" if name is None else str(name.get(f"{W}val", "")).lower(),
        )


class _DocxWalk:
    def __init__(self, document: Document) -> None:
        self.builder, self.log = TextBuilder(), DroppedLog()
        styles = _style_sheet(document)
        self._styles = dict(_style_names(styles))
        hiding = Hiding(styles)
        _join_paragraphs(document.element.body)
        marks = find_hand_set_marks(document.element.body, hiding)
        self._lines = LineReader(hiding, self.log, marks)
        self._list = object()
        self._initial = ""  # a drop cap, with which the next paragraph begins

    def read(self, parent: _Element, depth: int = 0) -> None:
        for element in select_shown_children(parent):
            if element.tag == f"{W}p":
                self._paragraph(element)
            elif element.tag == f"{W}tbl":
                self._table(element)
            elif element.tag == f"{W}altChunk":
                self.log.count(HiddenReason.UNREAD, 1, 0)
            elif element.tag == f"{M}oMathPara":
                self.builder.add(BlockKind.PARAGRAPH, self._lines.read(element))
            elif depth < _MAX_DEPTH and not self._lines.is_hidden(element):
                self.read(element, depth + 1)
            self._read_boxes(depth)

    def read_notes(self, parts: Mapping[str, _Element]) -> None:
        """Append the notes that the text refers to, each with its mark."""
        self.builder.end_sections()
        notes = {
            (kind, str(note.get(f"{W}id", ""))): note
            for kind in ("footnote", "endnote")
            if f"{kind}s" in parts
            for note in parts[f"{kind}s"].iterchildren(f"{W}{kind}")
        }
        for reference, mark in list(self._lines.notes.items()):
            note = notes.get(reference)
            if note is not None:
                _join_paragraphs(note)
            for number, paragraph in enumerate(() if note is None else note.iter(f"{W}p")):
                said = self._lines.read(paragraph)
                label = f"[{mark}] " if mark and number == 0 and said else ""
                self.builder.add(BlockKind.PARAGRAPH, label + said)
                self._read_boxes(0)

    def log_other_parts(self, parts: Mapping[str, _Element]) -> None:
        """Log comments and running headers, which are not part of the text."""
        for name, why in _NOT_READ.items():
            texts = {join_words([part]) for key, part in parts.items() if key.rstrip("0123456789") == name}
            if name == "comments":
                texts = {
                    join_words([comment]) for key, part in parts.items() if key == name for comment in part
                }
            for words in sorted(texts):
                if any(map(str.isalpha, words)):
                    self.log.note(why, words)

    def _read_boxes(self, depth: int) -> None:
        while self._lines.boxes and depth < _MAX_DEPTH:
            self.read(self._lines.boxes.pop(0), depth + 1)

    def _paragraph(self, paragraph: _Element) -> None:
        style = self._style(paragraph)
        heading = _HEADING.match(style)
        text = self._initial + self._lines.read(paragraph, is_name=heading is not None)
        self._initial = ""
        if paragraph.find(f"{W}pPr/{W}framePr[@{W}dropCap]") is not None and len(text) <= _INITIAL:
            self._initial = text
            return
        if heading:
            self.builder.add_heading(text, int(heading[1] or 1))
        elif "list" in style or paragraph.find(f"{W}pPr/{W}numPr") is not None:
            self.builder.add(BlockKind.LIST, text, level=self._list_level(paragraph), group=self._list)
        else:
            self._list = object()
            self.builder.add(_kind_of(style), text)

    def _style(self, paragraph: _Element) -> str:
        style = paragraph.find(f"{W}pPr/{W}pStyle")
        identifier = "" if style is None else str(style.get(f"{W}val", ""))
        return self._styles.get(identifier, identifier.lower())

    def _list_level(self, paragraph: _Element) -> int:
        level = paragraph.find(f"{W}pPr/{W}numPr/{W}ilvl")
        value = "0" if level is None else str(level.get(f"{W}val", "0"))
        return (int(value) if value in _LEVELS else 0) + 1

    def _table(self, table: _Element) -> None:
        grid = build_grid(
            list(grid_rows(table, self._lines.is_hidden, lambda cell: self._lines.read(cell, is_name=True)))
        )
        self.builder.table(grid.headers, grid.rows, caption=grid.title)


def _parts_of(document: Document) -> Iterator[tuple[str, _Element]]:
    """Return the notes, comments, headers and footers of a document by name: "footnotes", "header1"."""
    for number, relation in enumerate(document.part.rels.values()):
        kind = str(relation.reltype).rpartition("/")[2]
        if relation.is_external or kind not in _PARTS:
            continue
        part = relation.target_part
        try:
            root = part.element if isinstance(part, XmlPart) else parse_xml(part.blob)
        except etree.XMLSyntaxError:
            continue
        yield (f"{kind}{number}" if kind in ("header", "footer") else kind), root


def _kind_of(style: str) -> BlockKind:
    if "quote" in style:
        return BlockKind.QUOTE
    if "caption" in style:
        return BlockKind.CAPTION
    if "code" in style or "preformatted" in style or "macro" in style:
        return BlockKind.CODE
    return BlockKind.PARAGRAPH
