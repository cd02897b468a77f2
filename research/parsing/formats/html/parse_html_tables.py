"""Reads the rows and cells of tables in a page, and tells data tables from layout tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from lxml.etree import _Element

from research.parsing.formats.html.parsed_html_tree import elements, is_element, words
from research.parsing.parsed_table_grid import GridCell, GridRow

_HEAD, _FOOT = 0, 1_000_000  # row groups: bodies come between them, wherever the foot is in the source
_CELLS = frozenset({"td", "th"})
_HEADS = frozenset({"columnheader", "rowheader"})
_ROLES = frozenset({"cell", "gridcell", *_HEADS})
_OF_PAGE = ("pre", "h1", "h2", "h3", "article", "main", "form")
_BOLD = frozenset({"b", "strong"})
_BOLD_STYLE = re.compile(r"font-weight\s*:\s*(?:bold|[6-9]00)", re.IGNORECASE)
_MAX_NESTED = 0.5  # share of the words
_PROSE = 60  # words: a longer cell is a part of the page


def is_table(element: _Element) -> bool:
    return element.tag == "table" or (
        element.get("role") == "table" and next(iter(_role_rows(element)), None) is not None
    )


def is_layout(table: _Element) -> bool:
    """Return True for a table that only arranges other content: headings, code, one column or mostly other tables."""
    if table.get("role") in ("presentation", "none"):
        return True
    if any(_belongs(part, table) for part in table.iter(*_OF_PAGE)):
        return True
    cells = [list(_cells_of(row)) for row, _ in _rows(table)]
    if max(map(len, cells), default=0) < 2:
        return True
    nested = elements(table, ".//table")
    if not nested:
        return False
    if any(cell.tag == "th" for row in cells for cell in row) or table.find("caption") is not None:
        return False
    inside = sum(len(words(inner_table)) for inner_table in nested if _belongs(inner_table, table))
    has_prose = any(len(words(cell).split()) > _PROSE for row in cells for cell in row)
    return has_prose or inside > _MAX_NESTED * len(words(table))


def grid_rows(table: _Element, read_cell: Callable[[_Element], str]) -> Iterator[GridRow]:
    """Yield the rows in the order of a browser, which puts the foot last."""
    rows = sorted(_rows(table), key=lambda row_and_group: row_and_group[1])
    is_marked = any(_is_head(cell) for row, _ in rows for cell in _cells_of(row))
    for row, group in rows:
        is_head = not is_marked and _is_bold_row(row)
        cells = [
            GridCell(read_cell(cell), _span(cell, "row"), _span(cell, "col"), is_head or _is_head(cell))
            for cell in _cells_of(row)
        ]
        yield GridRow(cells, is_header=group == _HEAD, group=group)


def _rows(table: _Element) -> Iterator[tuple[_Element, int]]:
    """Yield the table's own rows, each with the number of its group."""
    if table.tag != "table":
        for row in _role_rows(table):
            yield row, 1
        return
    groups = {"thead": _HEAD, "tfoot": _FOOT}
    for number, part in enumerate(table, 1):
        if part.tag == "tr":
            yield part, 1
        elif part.tag in ("thead", "tbody", "tfoot"):
            for row in part.iterchildren("tr"):
                yield row, groups.get(str(part.tag), number)


def _role_rows(table: _Element) -> Iterator[_Element]:
    return (row for row in elements(table, ".//*[@role='row']"))


def _cells_of(row: _Element) -> Iterator[_Element]:
    if row.tag == "tr":
        yield from (cell for cell in row if cell.tag in _CELLS)
    else:
        yield from (cell for cell in row.iterdescendants() if is_element(cell) and cell.get("role") in _ROLES)


def _is_head(cell: _Element) -> bool:
    return cell.tag == "th" or cell.get("role") in _HEADS


def _is_bold_row(row: _Element) -> bool:
    """Return True for a row of bold words, which names the columns of a table without header cells."""
    filled = [cell for cell in _cells_of(row) if words(cell).strip()]
    return len(filled) > 1 and all(map(_is_bold, filled))


def _is_bold(cell: _Element) -> bool:
    bold = [part for part in cell.iter() if is_element(part) and (part.tag in _BOLD or _is_bold_style(part))]
    row = cell.getparent()
    if row is not None and _is_bold_style(row):
        return True
    return any("".join(words(part).split()) == "".join(words(cell).split()) for part in bold)


def _is_bold_style(element: _Element) -> bool:
    return _BOLD_STYLE.search(element.get("style") or "") is not None


def _span(cell: _Element, way: str) -> int:
    number = (cell.get(f"{way}span") or cell.get(f"aria-{way}span") or "1").strip()[:9]
    return int(number) if number.isascii() and number.isdigit() else 1


def _belongs(part: _Element, table: _Element) -> bool:
    """Return True if the element belongs to the table itself and not to a nested one."""
    return next(part.iterancestors("table"), None) is table
