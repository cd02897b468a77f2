"""Reads what stands over and beside the cells of a workbook: text boxes, titles of charts, threads of comments.

openpyxl drops them. Each is a part of its own, which the parts that show it name in their relationships.
"""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field

from lxml import etree
from lxml.etree import _Element
from openpyxl.utils.cell import column_index_from_string, coordinate_from_string

from research.parsing.clean_text import clean, squash
from research.parsing.formats.css.parse_css_colors import BLACK, WHITE, Color, alike, color
from research.parsing.formats.hidden_characters import note_carriers
from research.parsing.formats.parse_raised_figures import write_lowered, write_raised
from research.parsing.hidden_text import DroppedLog, HiddenReason

_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing}"
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_MAX_PART = 20_000_000  # bytes
_TINY = 100  # hundredths of a point: type that nobody reads
_THEME = {"bg1": WHITE, "lt1": WHITE, "tx1": BLACK, "dk1": BLACK}


@dataclass(slots=True)
class SheetDrawings:
    """The texts over a sheet: paragraphs of its text boxes from the top, titles of its charts, threads by cell."""

    boxes: list[str] = field(default_factory=list)
    chart_titles: list[str] = field(default_factory=list)
    threads: dict[tuple[int, int], str] = field(default_factory=dict)


class XlsxDrawings:
    """The drawings of a workbook, read for one sheet after the other."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._names = frozenset(archive.namelist())
        self._sheets = dict(self._find_sheets()) if self._has_any() else {}

    def read(self, title: str, log: DroppedLog, *, is_shown: bool) -> SheetDrawings:
        """Return what stands over the sheet with this title; what is hidden, or cannot be read, is logged."""
        found = SheetDrawings()
        for kind, part in self._related(self._sheets.get(title, "")):
            root = self._parse(part)
            if root is None:
                continue
            if kind == "threadedComment":
                found.threads.update(_read_threads(root))
            elif kind == "drawing":
                boxes = list(_read_boxes(root, log))
                if is_shown:
                    found.boxes += boxes
                    found.chart_titles += self._read_charts(part, log)
                else:
                    log.note(HiddenReason.STYLE, " ".join(boxes))
        return found

    def _has_any(self) -> bool:
        return any(name.startswith(("xl/drawings/", "xl/threadedComments/")) for name in self._names)

    def _find_sheets(self) -> Iterator[tuple[str, str]]:
        """Yield the title and the part of each sheet."""
        parts = {ident: part for _, part, ident in self._relationships("xl/workbook.xml")}
        root = self._parse("xl/workbook.xml")
        for sheet in () if root is None else root.iter("{*}sheet"):
            yield str(sheet.get("name", "")), parts.get(str(sheet.get(f"{_R}id", "")), "")

    def _related(self, part: str) -> Iterator[tuple[str, str]]:
        return ((kind, target) for kind, target, _ in self._relationships(part))

    def _relationships(self, part: str) -> Iterator[tuple[str, str, str]]:
        """Yield the kind, the name and the id of each part inside the file that a part refers to."""
        folder, name = posixpath.split(part)
        root = self._parse(f"{folder}/_rels/{name}.rels")
        for relation in () if root is None else root.iter("{*}Relationship"):
            if relation.get("TargetMode") == "External":
                continue
            target = posixpath.normpath(posixpath.join("/", folder, str(relation.get("Target", ""))))
            kind = str(relation.get("Type", "")).rpartition("/")[2]
            yield kind, target.lstrip("/"), str(relation.get("Id", ""))

    def _parse(self, part: str) -> _Element | None:
        """Return the root of a part; None if it is missing or damaged: the cells are read all the same."""
        if part not in self._names or self._archive.getinfo(part).file_size > _MAX_PART:
            return None
        parser = etree.XMLParser(
            resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False,
            remove_comments=True, remove_pis=True,
        )  # fmt: skip
        try:
            return etree.fromstring(self._archive.read(part), parser)
        except (etree.XMLSyntaxError, zipfile.BadZipFile, OSError, ValueError):
            return None

    def _read_charts(self, drawing: str, log: DroppedLog) -> Iterator[str]:
        """Yield the titles of charts and their axes. Series that stand in no cell of the file are not read."""
        for kind, part in self._related(drawing):
            root = self._parse(part) if kind in ("chart", "chartEx", "diagramData") else None
            if root is None:
                continue
            for title in root.iter(f"{_CHART}title"):
                if text := squash(" ".join(_paragraphs(title, log))):
                    yield text
            if kind != "chart" or _has_own_figures(root):
                log.count(
                    HiddenReason.UNREAD, 1, 0, " ".join(text.text or "" for text in root.iter(f"{_A}t"))
                )


def _has_own_figures(chart: _Element) -> bool:
    has_written = next(chart.iter(f"{_CHART}numLit"), None) is not None
    return has_written or any("[" in (formula.text or "") for formula in chart.iter(f"{_CHART}f"))


def _read_threads(root: _Element) -> dict[tuple[int, int], str]:
    """Return the comments of each cell with the answers to them, by row and column from 1."""
    threads: dict[tuple[int, int], list[str]] = {}
    for comment in root.iter("{*}threadedComment"):
        text = squash(clean("".join(part.text or "" for part in comment.iter("{*}text"))))
        try:
            letters, row = coordinate_from_string(str(comment.get("ref", "")))
        except ValueError:
            continue
        if text:
            threads.setdefault((row, column_index_from_string(letters)), []).append(text)
    return {place: " ".join(texts) for place, texts in threads.items()}


def _read_boxes(root: _Element, log: DroppedLog) -> Iterator[str]:
    """Yield the paragraphs of the text boxes in the order of their rows and columns."""
    for anchor in sorted(root, key=_place):
        yield from _shape_texts(anchor, log)


def _place(anchor: _Element) -> tuple[int, int]:
    start = anchor.find(f"{_DRAWING}from")
    said = ["" if start is None else start.findtext(f"{_DRAWING}{way}", "") for way in ("row", "col")]
    row, column = (int(number[:9]) if number.isascii() and number.isdigit() else 0 for number in said)
    return row, column


def _shape_texts(anchor: _Element, log: DroppedLog) -> Iterator[str]:
    waiting = [anchor]
    while waiting:
        node = waiting.pop()
        body = node.find(f"{_DRAWING}txBody") if node.tag == f"{_DRAWING}sp" else None
        if _is_hidden(node):
            log.note(HiddenReason.STYLE, " ".join(text.text or "" for text in node.iter(f"{_A}t")))
        elif body is not None:
            # The text of a linked shape is that of a cell.
            if not node.get("textlink"):
                yield from _paragraphs(body, log, _fill(node.find(f"{_DRAWING}spPr"), WHITE))
        else:
            waiting.extend(_shown_children(node))


def _shown_children(node: _Element) -> list[_Element]:
    """Return the children from the last to the first; of alternatives the first."""
    return list(node)[:1] if node.tag == f"{_MC}AlternateContent" else list(node)[::-1]


def _is_hidden(shape: _Element) -> bool:
    about = shape.find(f"*/{_DRAWING}cNvPr")
    return about is not None and about.get("hidden") in ("1", "true")


def _paragraphs(body: _Element, log: DroppedLog, paper: Color | None = None) -> Iterator[str]:
    """Yield the paragraphs of a text without what is struck, tiny or in the color of the shape."""
    for paragraph in body.iter(f"{_A}p"):
        line = ""
        for run in paragraph:
            said = "\n" if run.tag == f"{_A}br" else run.findtext(f"{_A}t", "")
            look = run.find(f"{_A}rPr")
            why = None if look is None else _find_reason(look, paper)
            if why is not None:
                log.note(why, said)
                continue
            shift = "" if look is None else str(look.get("baseline", ""))
            if said and shift.lstrip("-").isdigit() and int(shift):
                line += write_lowered(line, said) if shift.startswith("-") else write_raised(line, said, "")
            else:
                line += said
        note_carriers(line, log)
        if text := squash(clean(line)):
            yield text


def _find_reason(look: _Element, paper: Color | None) -> HiddenReason | None:
    if look.get("strike", "noStrike") != "noStrike":
        return HiddenReason.STRUCK
    size = str(look.get("sz", ""))
    if size.isdigit() and int(size) <= _TINY:
        return HiddenReason.SIZE
    ink = _fill(look, None)
    return HiddenReason.COLOR if ink and paper and alike(ink, paper) else None


def _fill(properties: _Element | None, without: Color | None) -> Color | None:
    """Return the plain color of a fill; `without` if there is none; None for gradients and changed colors."""
    if properties is None:
        return without
    named = properties.find(f"{_A}solidFill/*")
    if named is None:
        is_filled = any(
            properties.find(f"{_A}{kind}Fill") is not None for kind in ("grad", "blip", "patt", "grp")
        )
        return None if is_filled else without
    if len(named):
        return None
    value = str(named.get("lastClr") or named.get("val", ""))
    return _THEME.get(value) or color(f"#{value.lower()}")
