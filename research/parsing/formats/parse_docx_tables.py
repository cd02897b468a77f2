"""Reads tables of a Word document as rows of a grid, with merged cells and heads of several rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from lxml.etree import _Element

from research.parsing.formats.parse_docx_runs import W, select_shown_children
from research.parsing.parsed_table_grid import GridCell, GridRow

_FIRST_ROW = 0x0020  # of a table's look, as a number
_DEEPEST = 20


@dataclass(slots=True)
class _DocxCell:
    text: str
    column: int
    width: int
    rows: int = 1


def grid_rows(
    table: _Element, is_hidden: Callable[[_Element], bool], read_cell: Callable[[_Element], str]
) -> Iterator[GridRow]:
    rows = [row for row in _find(table, "tr") if not is_hidden(row)]
    heads = _count_head_rows(table, rows)
    above: dict[int, _DocxCell] = {}  # the cells that the next row may go on, by their column
    lines: list[tuple[list[_DocxCell], int]] = []
    for row in rows:
        before = _number(row, f"{W}trPr/{W}gridBefore", 0)
        cells, column, here = list[_DocxCell](), before, dict[int, _DocxCell]()
        for cell in _find(row, "tc"):
            if is_hidden(cell):
                continue
            width = max(1, _number(cell, f"{W}tcPr/{W}gridSpan", 1))
            merge = _merge_of(cell, "vMerge")
            if _merge_of(cell, "hMerge") == "continue" and cells:
                cells[-1].width += width
            elif merge == "continue" and column in above:
                above[column].rows += 1
                here[column] = above[column]
            else:
                cells.append(_DocxCell(read_cell(cell), column, width))
                if merge:
                    here[column] = cells[-1]
            column += width
        above = here
        lines.append((cells, before))
    for index, (cells, before) in enumerate(lines):
        yield GridRow(
            [GridCell(cell.text, cell.rows, cell.width) for cell in cells], index < heads, before=before
        )


def _find(parent: _Element, name: str, depth: int = 0) -> Iterator[_Element]:
    """Yield rows or cells, also those in content controls and wrappers, but not those of nested tables."""
    for child in select_shown_children(parent):
        if child.tag == f"{W}{name}":
            yield child
        elif child.tag not in (f"{W}tr", f"{W}tc", f"{W}del", f"{W}moveFrom") and depth < _DEEPEST:
            yield from _find(child, name, depth + 1)


def _count_head_rows(table: _Element, rows: Sequence[_Element]) -> int:
    """Return the number of head rows.

    These are the rows repeated on each page or, if there are none, the first if the table's look has one (the
    default).
    """
    marked = 0
    while marked < len(rows) and rows[marked].find(f"{W}trPr/{W}tblHeader") is not None:
        marked += 1
    if marked:
        return marked
    look = table.find(f"{W}tblPr/{W}tblLook")
    if look is None or len(rows) < 2 or not _has_first_row(look):
        return 0
    is_title = len(list(_find(rows[0], "tc"))) == 1 < len(list(_find(rows[1], "tc")))
    return 2 if is_title and len(rows) > 2 else 1


def _has_first_row(look: _Element) -> bool:
    said = look.get(f"{W}firstRow")
    if said is not None:
        return said not in ("0", "false", "off")
    try:
        return bool(int(str(look.get(f"{W}val", "0"))[:6], 16) & _FIRST_ROW)
    except ValueError:
        return False


def _merge_of(cell: _Element, name: str) -> str:
    found = cell.find(f"{W}tcPr/{W}{name}")
    return "" if found is None else str(found.get(f"{W}val", "continue"))


def _number(element: _Element, path: str, default: int) -> int:
    found = element.find(path)
    said = "" if found is None else str(found.get(f"{W}val", ""))[:6]
    return int(said) if said.isascii() and said.isdigit() else default
