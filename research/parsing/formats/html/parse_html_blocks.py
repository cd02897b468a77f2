"""Converts an HTML element's content to typed blocks, in document order."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import groupby

from lxml import etree
from lxml.etree import _Element

from research.parsing.clean_text import clean, squash, word_set
from research.parsing.formats.html.parse_html_tables import grid_rows, is_layout, is_table
from research.parsing.formats.html.parsed_html_tree import is_element, words
from research.parsing.formats.parse_raised_figures import find_marks, write_lowered, write_raised
from research.parsing.formats.parse_text_tables import read_figures
from research.parsing.formats.parse_xlsx_layout import VisibleSheet, add_sheet
from research.parsing.frozen_text_builder import TextBuilder
from research.parsing.parsed_document import BlockKind
from research.parsing.parsed_table_grid import build_grid

_BLOCKS = word_set(
    "address article aside blockquote body caption center dd details div dl dt fieldset figcaption",
    "figure footer form h1 h2 h3 h4 h5 h6 header hr html legend li main menu ol p pre section summary",
    "table tbody td tfoot th thead tr ul",
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_LISTS = frozenset({"ul", "ol", "dl", "menu"})
_SCRIPTS = frozenset({"sup", "sub"})
_NEAR = 8  # pieces of a line before a raised figure
_MAX_DEPTH = 200  # deeper markup is read as flat text
_EMPTY_LINE = re.compile(r"\n[ \t\r\f\v]*\n")


@dataclass(frozen=True, slots=True)
class _WalkPosition:
    """The position of the walk in the document: the kind of block that inline text becomes here."""

    kind: BlockKind = BlockKind.PARAGRAPH
    level: int | None = None
    group: object = None
    depth: int = 0


class HtmlFlow:
    """Walks a pruned element once and fills a builder. `notes` are the marks of the page's notes."""

    def __init__(self, builder: TextBuilder, notes: frozenset[str] = frozenset()) -> None:
        self._builder = builder
        self._notes = notes
        self._inline: list[str] = []

    def read(self, element: _Element) -> None:
        self._walk(element, _WalkPosition())
        self._flush(_WalkPosition())

    def _walk(self, element: _Element, place: _WalkPosition) -> None:
        if place.depth > _MAX_DEPTH:
            self._inline.append(" ".join(map(str, element.itertext())))
            return
        self._inline.append(_collapse(element.text))
        for child in element:
            self._child(child, place)
            self._inline.append(_collapse(child.tail))

    def _child(self, child: _Element, place: _WalkPosition) -> None:
        if not is_element(child):
            return
        deeper = replace(place, depth=place.depth + 1)
        if child.tag == "br":
            self._inline.append("\n")
        elif child.tag in _SCRIPTS:
            self._inline.append(_write_script(child, self._inline, self._notes))
        elif child.tag in _BLOCKS or child.get("role") == "table":
            self._flush(place)
            self._block(child, deeper)
        else:
            self._walk(child, deeper)

    def _block(self, element: _Element, place: _WalkPosition) -> None:
        tag = str(element.tag)
        if tag in _HEADINGS:
            self._builder.add_heading(flatten(element, self._notes), _HEADINGS[tag])
        elif tag == "pre":
            self._preformatted(clean("".join(map(str, element.itertext()))))
        elif is_table(element) and not is_layout(element):
            self._table(element)
        else:
            inside = self._place_inside(tag, place)
            self._walk(element, inside)
            self._flush(inside)

    def _preformatted(self, text: str) -> None:
        """Add code, and the tables that stand in it between empty lines."""
        pieces = _EMPTY_LINE.split(text) if "  " in text else []
        tables = [read_figures(piece.strip("\n").expandtabs().splitlines()) for piece in pieces]
        if not any(tables):
            self._builder.add(BlockKind.CODE, text)
            return
        for is_code, group in groupby(zip(pieces, tables, strict=True), key=lambda pair: not pair[1]):
            if is_code:
                self._builder.add(BlockKind.CODE, "\n\n".join(piece for piece, _ in group))
            else:
                for _, rows in group:
                    add_sheet(self._builder, VisibleSheet(rows))

    def _place_inside(self, tag: str, place: _WalkPosition) -> _WalkPosition:
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

    def _flush(self, place: _WalkPosition) -> None:
        text = clean("".join(self._inline))
        self._inline.clear()
        for piece in _EMPTY_LINE.split(text):
            self._builder.add(place.kind, piece, level=place.level, group=place.group)

    def _table(self, table: _Element) -> None:
        caption = table.find("caption")
        grid = build_grid(list(grid_rows(table, lambda cell: flatten(cell, self._notes, is_name=True))))
        titles = [flatten(caption, self._notes) if caption is not None else "", grid.title]
        self._builder.table(grid.headers, grid.rows, caption=" ".join(filter(None, titles)))


def find_notes(body: _Element) -> frozenset[str]:
    """Return the marks that are raised at the beginning of the page's notes."""
    found: set[str] = set()
    for sup in body.iter("sup"):
        previous, parent = sup.getprevious(), sup.getparent()
        before = (parent.text if previous is None and parent is not None else "") or ""
        before = (previous.tail or "") if previous is not None else before
        begins = not before.strip() and (previous is None or previous.tag in _BLOCKS or previous.tag == "br")
        follows = before.rstrip()[-1:] in (".", "!", "?", ";", ")") and before[-1:].isspace()
        is_inline = parent is not None and parent.tag not in _BLOCKS
        if (begins and not is_inline and (sup.tail or "").strip()) or follows:
            found |= find_marks(words(sup))
    return frozenset(found)


def flatten(element: _Element, notes: frozenset[str] = frozenset(), *, is_name: bool = False) -> str:
    """Return an element's text as one line; blocks and line breaks inside it separate words."""
    parts: list[str] = []
    walk = etree.iterwalk(element, events=("start", "end"))
    for event, node in walk:
        if node.tag in _BLOCKS or node.tag == "br":
            parts.append(" ")
        if event == "start" and node.tag in _SCRIPTS and node is not element:
            parts.append(_write_script(node, parts, notes, is_name=is_name))
            walk.skip_subtree()
        elif event == "start":
            parts.append(node.text or "")
        elif node is not element:
            parts.append(node.tail or "")
    return squash(clean("".join(parts)))


def _write_script(
    script: _Element, before: list[str], notes: frozenset[str], *, is_name: bool = False
) -> str:
    """Return a raised or lowered element's text, with those that follow it directly; these are emptied."""
    script_text, last = words(script), script
    while (following := last.getnext()) is not None and following.tag == script.tag and not last.tail:
        script_text += words(following)
        last = following
        for child in list(following):
            following.remove(child)
        following.text = ""
    line = "".join(before[-_NEAR:])
    if script.tag == "sub":
        return write_lowered(line, script_text)
    parent = script.getparent()
    is_link = (
        script.get("href") is not None
        or script.find(".//a") is not None
        or (
            parent is not None and parent.tag == "a" and not squash(f"{parent.text or ''}{script.tail or ''}")
        )
    )
    return write_raised(line, script_text, last.tail or "", notes, is_link=is_link, is_name=is_name)


def _collapse(text: str | None) -> str:
    """Collapse whitespace: line breaks in the source are spaces on the page, only <br> makes lines."""
    return re.sub(r"\s+", " ", text) if text else ""
