"""Reads XLSX: each visible sheet, as tables under its name.

Values as displayed; formulas are not computed.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.chartsheet import Chartsheet
from openpyxl.reader.excel import ExcelReader
from openpyxl.utils import column_index_from_string
from openpyxl.utils.exceptions import InvalidFileException

from research.parsing.clean_text import clean, squash
from research.parsing.formats.hidden_characters import note_carriers
from research.parsing.formats.parse_raised_figures import write_lowered, write_raised
from research.parsing.formats.parse_xlsx_drawings import SheetDrawings, XlsxDrawings
from research.parsing.formats.parse_xlsx_layout import Merge, Place, VisibleSheet, add_sheet
from research.parsing.formats.parse_xlsx_numbers import show_value
from research.parsing.frozen_text_builder import TextBuilder
from research.parsing.hidden_text import DroppedLog, HiddenReason
from research.parsing.parsed_document import BlockKind, ReadDocument
from research.parsing.parsed_media_types import XLSX
from research.parsing.partial_reading import describe_part
from research.runtime.sandbox.sandbox_read_error import ReadError

if TYPE_CHECKING:
    from openpyxl.cell import Cell, MergedCell
    from openpyxl.styles import Color, Font, PatternFill
    from openpyxl.styles.proxy import StyleProxy
    from openpyxl.workbook import Workbook
    from openpyxl.worksheet.worksheet import Worksheet

_MAX_ROWS = 20_000  # of all sheets
_MAX_COLUMNS = 200
_TINY = 1.0  # points: type that nobody reads
_BROKEN = (
    zipfile.BadZipFile,
    InvalidFileException,
    KeyError,
    ValueError,
    TypeError,
    AttributeError,
    IndexError,
    OSError,
    SyntaxError,
)
_FORMULA_WITHOUT_VALUE = re.compile(
    rb"<(?:\w+:)?f\b(?:[^<>]*/>|[^<>]*>[^<]*</(?:\w+:)?f>)\s*(?:<(?:\w+:)?v\s*/>|<(?:\w+:)?v>\s*</(?:\w+:)?v>)?\s*</(?:\w+:)?c>"
)
# What Excel writes before a comment that programs without threads would not show.
_THREAD = re.compile(r"^\[Threaded comment\].*?\n(?:Comment|Kommentar|Commentaire|Comentario):\s*", re.DOTALL)
_PAGE_CODE = re.compile(r"&(?:\[\w+\]|[A-Z])")  # the number of the page, the date, the name of the sheet
# Control characters as codes, which XML cannot hold (ECMA-376, part 1, 22.9.2.19).
_CONTROL = re.compile(r"_x(00[01][\da-fA-F]|007[fF]|00[89][\da-fA-F])_")


def read_xlsx(data: bytes, name: str) -> ReadDocument:
    try:
        book = _load(data, data_only=True, rich_text=True)
        formulas = _find_formulas(data)
    except _BROKEN as error:
        raise ReadError(
            "unreadable", f"“{name}” is damaged or was cut off: its archive cannot be opened."
        ) from error
    builder, log = TextBuilder(), DroppedLog()
    read = total = widest = 0
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        drawings = XlsxDrawings(archive)
        sheets: list[Worksheet | Chartsheet] = [book[title] for title in book.sheetnames]
        for title, worksheet in zip(book.sheetnames, sheets, strict=True):
            if isinstance(worksheet, Chartsheet):
                shown = worksheet.sheet_state == "visible"
                _add(builder, title, VisibleSheet([]), drawings.read(title, log, is_shown=shown))
                continue
            rows, width = _measure(worksheet)
            total, widest = total + rows, max(widest, width)
            if read >= _MAX_ROWS:
                continue
            over = drawings.read(worksheet.title, log, is_shown=worksheet.sheet_state == "visible")
            sheet = _SheetReader(worksheet, log, formulas, over.threads).read().take_rows(_MAX_ROWS - read)
            read += rows if rows <= _MAX_ROWS - read else sum(map(any, sheet.rows))
            _add(builder, worksheet.title, sheet, over)
            _log_running_heads(worksheet, log)
    return ReadDocument(
        text=builder.text, media_type=XLSX, title=book.properties.title or "", author=book.properties.creator or "",
        blocks=tuple(builder.blocks), tables=tuple(builder.tables), dropped=log.entries,
        notes=(*describe_part(read, total, "rows"), *describe_part(min(widest, _MAX_COLUMNS), widest, "columns")),
    )  # fmt: skip


def _add(builder: TextBuilder, title: str, sheet: VisibleSheet, over: SheetDrawings) -> None:
    if any(map(any, sheet.rows)) or sheet.loose_notes or over.boxes or over.chart_titles:
        builder.add_heading(title, 1)
    add_sheet(builder, sheet)
    for text in over.boxes:
        builder.add(BlockKind.PARAGRAPH, text)
    for text in over.chart_titles:
        builder.add(BlockKind.CAPTION, text)


def _log_running_heads(worksheet: Worksheet, log: DroppedLog) -> None:
    """Log what is printed above and below each page of the sheet."""
    for name in ("oddHeader", "oddFooter", "evenHeader", "evenFooter", "firstHeader", "firstFooter"):
        parts = (
            getattr(worksheet, name).left,
            getattr(worksheet, name).center,
            getattr(worksheet, name).right,
        )
        words = squash(" ".join(_PAGE_CODE.sub("", part.text or "") for part in parts))
        if any(map(str.isalpha, words)):
            log.note(HiddenReason.RUNNING_HEAD, words)


def _measure(worksheet: Worksheet) -> tuple[int, int]:
    """Return how many rows of a sheet that is seen hold something, and its last column that does."""
    if worksheet.sheet_state != "visible":
        return 0, 0
    filled = [place for place, cell in worksheet._cells.items() if cell.value is not None]
    return len({row for row, _ in filled}), max((column for _, column in filled), default=0)


class _WorkbookReader(ExcelReader):
    """Reads workbooks with a chart sheet whose drawing is missing, too, where openpyxl fails."""

    def read_chartsheet(self, sheet: object, rel: object) -> None:
        with suppress(AttributeError):  # the sheet itself is there by then
            super().read_chartsheet(sheet, rel)  # type: ignore[arg-type]


def _load(data: bytes, *, data_only: bool = False, rich_text: bool = False) -> Workbook:
    reader = _WorkbookReader(io.BytesIO(data), data_only=data_only, keep_links=False, rich_text=rich_text)
    reader.read()
    return reader.wb


def _find_formulas(data: bytes) -> Workbook | None:
    """Return the workbook with its formulas if one of them has no stored value.

    Reading it twice takes twice the time.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        sheets = (archive.read(part) for part in archive.namelist() if part.startswith("xl/worksheets/"))
        has_any = any(_FORMULA_WITHOUT_VALUE.search(sheet) for sheet in sheets)
    return _load(data) if has_any else None


class _SheetReader:
    """Reads what a sheet shows; what it hides (rows, columns, cells) is logged."""

    def __init__(
        self,
        worksheet: Worksheet,
        log: DroppedLog,
        formulas: Workbook | None,
        threads: Mapping[Place, str],
    ) -> None:
        self._worksheet, self._log, self._threads = worksheet, log, threads
        self._formulas = formulas[worksheet.title] if formulas is not None else None
        self._styles: dict[int, tuple[str, HiddenReason | None]] = {}
        self._hidden_columns = set(_find_hidden_columns(worksheet))

    def read(self) -> VisibleSheet:
        texts: dict[Place, str] = {}
        computed, notes = set[Place](), dict[Place, str]()
        # Its own iterator makes a cell for each place up to the last row that was ever formatted.
        for place, cell in sorted(self._worksheet._cells.items()):
            if place[1] > _MAX_COLUMNS:
                continue
            if text := self._show(cell):
                texts[place] = text
            elif self._formulas is not None and self._is_computed(place):
                computed.add(place)
            if note := _comment_of(cell):
                notes[place] = note
        notes |= self._threads
        return self._arrange(texts, computed, notes)

    def _arrange(
        self, found: dict[Place, str], computed: set[Place], notes: dict[Place, str]
    ) -> VisibleSheet:
        """Number the visible rows and columns, with one empty row for several; log the hidden ones."""
        by_row: dict[int, list[int]] = {}
        for row, column in sorted({*found, *computed}):
            by_row.setdefault(row, []).append(column)
        for row, filled in by_row.items():
            hidden = [column for column in filled if self._is_hidden(row) or column in self._hidden_columns]
            self._log.note(HiddenReason.STYLE, " ".join(found.get((row, column), "") for column in hidden))
        rows = self._number_rows(
            [row for row, filled in by_row.items() if not self._hidden_columns.issuperset(filled)]
        )
        used = {column for row in rows for column in by_row[row]} - self._hidden_columns
        shown = [
            column for column in range(1, max(used, default=0) + 1) if column not in self._hidden_columns
        ]
        columns = {column: at for at, column in enumerate(shown)}
        texts = [[""] * len(columns) for _ in range(max(rows.values(), default=-1) + 1)]
        for row, at in rows.items():
            for column in by_row[row]:
                if column in columns:
                    texts[at][columns[column]] = found.get((row, column), "")

        def place_of(cell: Place) -> Place | None:
            return (rows[cell[0]], columns[cell[1]]) if cell[0] in rows and cell[1] in columns else None

        def is_shown(cell: Place) -> bool:
            return not self._is_hidden(cell[0]) and cell[1] not in self._hidden_columns

        self._log.note(
            HiddenReason.STYLE, " ".join(note for cell, note in notes.items() if not is_shown(cell))
        )
        merges = (
            self._place_merge(each.bounds, rows, columns) for each in self._worksheet.merged_cells.ranges
        )
        return VisibleSheet(
            texts,
            [merge for merge in merges if merge is not None],
            {spot: note for cell, note in notes.items() if (spot := place_of(cell))},
            frozenset(spot for cell in computed if (spot := place_of(cell))),
            [note for cell, note in notes.items() if is_shown(cell) and place_of(cell) is None],
        )

    def _number_rows(self, filled: Sequence[int]) -> dict[int, int]:
        """Map each visible filled row to its position.

        One position stays free where visible empty rows separate them.
        """
        numbers: dict[int, int] = {}
        last = place = 0
        for row in filled:
            if not self._is_hidden(row):
                between = range(last + 1, min(row, last + 1_000))
                place += bool(last and not all(map(self._is_hidden, between)))
                numbers[row], last, place = place, row, place + 1
        return numbers

    def _place_merge(
        self, bounds: tuple[int, int, int, int], rows: dict[int, int], columns: dict[int, int]
    ) -> Merge | None:
        left, top, right, bottom = bounds
        inside = [rows[row] for row in range(top, min(bottom, top + _MAX_ROWS) + 1) if row in rows]
        across = [
            columns[column] for column in range(left, min(right, _MAX_COLUMNS) + 1) if column in columns
        ]
        is_first_seen = top in rows and left in columns
        return Merge(inside[0], across[0], inside[-1], across[-1]) if is_first_seen else None

    def _is_hidden(self, row: int) -> bool:
        if self._worksheet.sheet_state != "visible":
            return True
        dimensions = self._worksheet.row_dimensions
        return row in dimensions and (bool(dimensions[row].hidden) or dimensions[row].height == 0)

    def _is_computed(self, place: Place) -> bool:
        """Return True for a formula without a stored value, which is logged."""
        cell = self._formulas._cells.get(place) if self._formulas is not None else None
        if cell is None or cell.data_type != "f" or self._worksheet._cells[place].value is not None:
            return False
        formula = getattr(cell.value, "text", None) or cell.value
        self._log.note(HiddenReason.FORMULA, f"{cell.coordinate}: {formula}")
        return True

    def _show(self, cell: Cell | MergedCell) -> str:
        value = cell.value
        if value is None:
            return ""
        code, reason = self._style(cell)
        if isinstance(value, CellRichText):
            value = self._read_runs(value)
        if isinstance(value, str):
            value = _decode_controls(value)
        text = show_value(value, code)
        if isinstance(value, str):
            note_carriers(text, self._log)
            text = clean(text)
        if not text and str(value).strip():
            self._log.note(HiddenReason.STYLE, show_value(value, "General"))
        if reason is not None and text:
            self._log.note(reason, text)
            return ""
        return text if text.strip() else ""

    def _read_runs(self, runs: CellRichText) -> str:
        """Return the text of a cell without struck words, raised and lowered figures with their marks."""
        line = ""
        for at, run in enumerate(runs):
            font, after = (
                run.font if isinstance(run, TextBlock) else InlineFont(),
                "".join(map(str, runs[at + 1 :])),
            )
            if font.strike:
                self._log.note(HiddenReason.STRUCK, str(run))
            elif font.vertAlign == "superscript":
                line += write_raised(line, str(run), after, is_name=True)
            elif font.vertAlign == "subscript":
                line += write_lowered(line, str(run))
            else:
                line += str(run)
        return line

    def _style(self, cell: Cell | MergedCell) -> tuple[str, HiddenReason | None]:
        """Return the number format of a cell, and why its text is hidden.

        Both are the same for all cells of a style.
        """
        if cell.style_id not in self._styles:
            self._styles[cell.style_id] = cell.number_format, _find_reason(cell.font, cell.fill)
        return self._styles[cell.style_id]


def _comment_of(cell: Cell | MergedCell) -> str:
    return squash(clean(_THREAD.sub("", cell.comment.text))) if cell.comment is not None else ""


def _decode_controls(text: str) -> str:
    """Return the text with the control characters that XML cannot hold; other codes stay as people wrote them."""
    return _CONTROL.sub(lambda code: chr(int(code[1], 16)), text) if "_x" in text else text


def _find_reason(font: Font | StyleProxy, fill: PatternFill | StyleProxy) -> HiddenReason | None:
    if font.strike:
        return HiddenReason.STRUCK
    if font.sz is not None and font.sz <= _TINY:
        return HiddenReason.SIZE
    is_filled = getattr(fill, "fill_type", None) == "solid"
    behind = (
        _color(fill.fgColor) if is_filled else "FFFFFF" if getattr(fill, "fill_type", None) is None else ""
    )
    return HiddenReason.COLOR if behind and _color(font.color) == behind else None


def _color(color: Color | None) -> str:
    """Return RRGGBB if the file specifies it, also for the theme's white, or "theme 4"; else ""."""
    if color is None:
        return ""
    if color.type == "rgb" and isinstance(color.rgb, str):
        return color.rgb[-6:].upper()
    if color.type == "theme" and not color.tint:
        return "FFFFFF" if color.theme == 0 else f"theme {color.theme}"
    return ""


def _find_hidden_columns(worksheet: Worksheet) -> Iterator[int]:
    """Yield the hidden columns. The file has one entry for adjacent columns of the same width."""
    for letter, dimension in worksheet.column_dimensions.items():
        if dimension.hidden or dimension.width == 0:
            first = dimension.min or column_index_from_string(letter)
            yield from range(first, min(dimension.max or first, _MAX_COLUMNS) + 1)
