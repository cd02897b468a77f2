"""An HTML element's content as typed blocks, in document order."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from lxml import etree
from lxml.etree import _Element

from research.parsing.clean_text import clean, squash, word_set
from research.parsing.formats.html.tree import is_element
from research.parsing.parsed_document import BlockKind
from research.parsing.text_builder import TextBuilder

_BLOCKS = word_set(
    "address article aside blockquote body caption center dd details div dl dt fieldset figcaption",
    "figure footer form h1 h2 h3 h4 h5 h6 header hr html legend li main menu ol p pre section summary",
    "table tbody td tfoot th thead tr ul",
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_LISTS = frozenset({"ul", "ol", "dl", "menu"})
_MAX_DEPTH = 200  # deeper markup is read as flat text
_EMPTY_LINE = re.compile(r"\n[ \t\r\f\v]*\n")


@dataclass(frozen=True, slots=True)
class _Place:
    """The position of the walk in the document: the kind of block that inline text becomes here."""

    kind: BlockKind = BlockKind.PARAGRAPH
    level: int | None = None
    group: object = None
    depth: int = 0


class HtmlFlow:
    """Walks a pruned element once and fills a builder."""

    def __init__(self, builder: TextBuilder) -> None:
        self._builder = builder
        self._inline: list[str] = []

    def read(self, element: _Element) -> None:
        self._walk(element, _Place())
        self._flush(_Place())

    def _walk(self, element: _Element, place: _Place) -> None:
        if place.depth > _MAX_DEPTH:
            self._inline.append(" ".join(map(str, element.itertext())))
            return
        self._inline.append(_collapse(element.text))
        for child in element:
            self._child(child, place)
            self._inline.append(_collapse(child.tail))

    def _child(self, child: _Element, place: _Place) -> None:
        if not is_element(child):
            return
        deeper = replace(place, depth=place.depth + 1)
        if child.tag == "br":
            self._inline.append("\n")
        elif child.tag == "sup" and _is_power(child, self._inline):
            self._inline.append("^")
            self._walk(child, deeper)
        elif child.tag in _BLOCKS:
            self._flush(place)
            self._block(child, deeper)
        else:
            self._walk(child, deeper)

    def _block(self, element: _Element, place: _Place) -> None:
        tag = str(element.tag)
        if tag in _HEADINGS:
            self._builder.heading(_flat(element), _HEADINGS[tag])
        elif tag == "pre":
            self._builder.add(BlockKind.CODE, clean("".join(map(str, element.itertext()))))
        elif tag == "table" and not _is_layout(element):
            self._table(element)
        else:
            inside = self._place_inside(tag, place)
            self._walk(element, inside)
            self._flush(inside)

    def _place_inside(self, tag: str, place: _Place) -> _Place:
        if tag in _LISTS:
            is_nested = place.kind is BlockKind.LIST
            group = place.group if is_nested else object()
            return replace(
                place, kind=BlockKind.LIST, level=(place.level or 0) + 1 if is_nested else 1, group=group
            )
        if tag == "blockquote":
            return replace(place, kind=BlockKind.QUOTE, level=None, group=None)
        if tag in ("figcaption", "caption"):
            return replace(place, kind=BlockKind.CAPTION, level=None, group=None)
        return place

    def _flush(self, place: _Place) -> None:
        text = clean("".join(self._inline))
        self._inline.clear()
        for piece in _EMPTY_LINE.split(text):
            self._builder.add(place.kind, piece, level=place.level, group=place.group)

    def _table(self, table: _Element) -> None:
        caption = table.find("caption")
        rows = [_cells(row) for row in table.iter("tr")]
        is_header = [_is_header_row(row) for row in table.iter("tr")]
        headers = rows[0] if rows and is_header[0] else []
        self._builder.table(
            headers, rows[bool(headers) :], caption=_flat(caption) if caption is not None else ""
        )


def _cells(row: _Element) -> list[str]:
    return [_flat(cell) for cell in row if cell.tag in ("td", "th")]


def _is_header_row(row: _Element) -> bool:
    parent = row.getparent()
    if parent is not None and parent.tag == "thead":
        return True
    cells = [cell.tag for cell in row]
    return bool(cells) and all(tag == "th" for tag in cells)


def _is_layout(table: _Element) -> bool:
    """A table that only arranges other content: nested tables, code, headings, or one column."""
    if table.get("role") in ("presentation", "none"):
        return True
    if next(table.iter("pre", "h1", "h2", "h3"), None) is not None or table.find(".//table") is not None:
        return True
    return max((len(_cells(row)) for row in table.iter("tr")), default=0) < 2


def _flat(element: _Element) -> str:
    """An element's words as one line; blocks and line breaks inside part words."""
    parts: list[str] = []
    for event, node in etree.iterwalk(element, events=("start", "end")):
        if node.tag in _BLOCKS or node.tag == "br":
            parts.append(" ")
        if event == "start":
            if node.tag == "sup" and _is_power(node, parts):
                parts.append("^")
            parts.append(node.text or "")
        elif node is not element:
            parts.append(node.tail or "")
    return squash(clean("".join(parts)))


def _is_power(sup: _Element, before: list[str]) -> bool:
    """2<sup>17</sup> must not read as 217; a linked number is a footnote mark."""
    base = "".join(before[-3:]).rstrip()[-1:]
    is_number = "".join(map(str, sup.itertext())).strip().isdigit()
    return base.isdigit() and is_number and sup.find(".//a") is None


def _collapse(text: str | None) -> str:
    """Line ends of the source are spaces on the page; only <br> makes lines."""
    return re.sub(r"\s+", " ", text) if text else ""
