"""Reads PDFs: the text of each page, with a map from every offset back to pdfium's characters."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from research.parsing.clean_text import clean, squash
from research.parsing.formats.pdf.parse_hidden_pdf_layers import Layers
from research.parsing.formats.pdf.parse_hidden_pdf_text import find_hidden_places, find_hidden_text
from research.parsing.formats.pdf.parse_pdf_annotations import Annotations, read_annotations
from research.parsing.formats.pdf.parse_pdf_blocks import (
    LineBlock,
    Typography,
    is_contents_line,
    outline_key,
    passages,
    typography,
    without_running_lines,
)
from research.parsing.formats.pdf.parse_pdf_drawn_objects import DrawnObjects, PaintBox, collect_drawn_objects
from research.parsing.formats.pdf.parse_pdf_form_fields import place_fields
from research.parsing.formats.pdf.parse_pdf_lines import PageLine, PdfLine, Segment, page_lines, type_of
from research.parsing.formats.pdf.parse_pdf_metadata import file_date, find_publication_date, title
from research.parsing.formats.pdf.parse_pdf_page_labels import page_labels
from research.parsing.formats.pdf.parse_pdf_reading_order import arrange
from research.parsing.formats.pdf.parse_pdf_tables import PageTable, continues_table, is_continued
from research.parsing.formats.pdf.parse_pdf_text_direction import ReadingFrame, frame_of
from research.parsing.formats.pdf.parse_raised_pdf_figures import find_notes, settle_shifts
from research.parsing.formats.pdf.parse_shifted_pdf_text import find_shifts, find_struck
from research.parsing.frozen_text_builder import CELL_JOIN, TextBuilder
from research.parsing.hidden_text import DroppedLog, HiddenReason
from research.parsing.parsed_document import BlockKind, DocumentTable, ParsedPage, ReadDocument
from research.parsing.parsed_media_types import PDF
from research.runtime.sandbox.sandbox_read_error import ReadError

MAX_PAGES = 2_000
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_WORD_AT_END = re.compile(r"[^\W\d_]+(?=-$)")
_WORD_AT_START = re.compile(r"[^\W\d_]+")
_MAX_OUTLINE = 5_000


@dataclass
class _PageMap:
    """The state of one page while the text is built."""

    width: float
    height: float
    text_height: float = 0.0  # in the direction in which lines follow each other
    has_text: bool = False
    is_scan: bool = False
    is_drawn: bool = False  # it has something other than text
    passwords: int = 0  # fields whose values are never shown
    start: int | None = None
    runs: list[tuple[int, int, int]] = field(default_factory=list)


def open_pdf(data: bytes, name: str) -> pdfium.PdfDocument:
    """Open a PDF. Raises ReadError with the reason if pdfium can't."""
    try:
        return pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        if pdfium_c.FPDF_GetLastError() == pdfium_c.FPDF_ERR_PASSWORD or "password" in str(error).lower():
            raise ReadError("encrypted", f"“{name}” is protected by a password.") from error
        if pdfium_c.FPDF_GetLastError() == pdfium_c.FPDF_ERR_SECURITY:
            raise ReadError("encrypted", f"“{name}” is encrypted with a key, not a password.") from error
        if b"%%EOF" not in data[-2048:]:
            raise ReadError("truncated", f"“{name}” was cut off: its end is missing.") from error
        raise ReadError("unreadable", f"“{name}” is damaged and cannot be opened as PDF.") from error


def read_pdf(data: bytes, name: str) -> ReadDocument:
    pdf = open_pdf(data, name)
    try:
        return _read(pdf, name)
    finally:
        pdf.close()


def _read(pdf: pdfium.PdfDocument, name: str) -> ReadDocument:
    count = len(pdf)
    if count > MAX_PAGES:
        raise ReadError("too_large", f"“{name}” has {count:,} pages; the limit is {MAX_PAGES:,}.")
    log = DroppedLog()
    pages, maps = _all_pages(pdf, log)
    items = list(arrange(pages))
    lines = [item for item in items if isinstance(item, PdfLine)]
    if not items:
        raise _build_empty_error(name, log, is_drawn=any(page.is_drawn for page in maps))
    heights = [page.text_height for page in maps]
    labels = page_labels(pdf, lines, heights)
    kept = list(_without_running_items(items, heights))
    style = typography([item for item in kept if isinstance(item, PdfLine)])
    builder = TextBuilder()
    _write(builder, _settle(kept, style.body_size, heights), maps, style, _outline(pdf))
    about = {key: squash(clean(value)) for key, value in pdf.get_metadata_dict().items()}
    return ReadDocument(
        text=builder.text, media_type=PDF, title=title(about["Title"], lines),
        author=about["Author"].replace(";?", "; "), published=find_publication_date(lines),
        modified=file_date(about["ModDate"] or about["CreationDate"]),
        blocks=tuple(builder.blocks), pages=tuple(_pages(maps, labels, len(builder.text))),
        tables=tuple(builder.tables),
        notes=(*_describe_scanned_pages(maps), *_describe_recognized_pages(maps), *_describe_passwords(maps)),
        dropped=log.entries,
    )  # fmt: skip


def _build_empty_error(name: str, log: DroppedLog, *, is_drawn: bool) -> ReadError:
    if log.entries:
        return ReadError("empty", f"“{name}” contains only hidden text.")
    if not is_drawn:
        return ReadError("empty", f"“{name}” has only blank pages.")
    return ReadError(
        "scanned", f"“{name}” contains only images, no text. Run OCR on it, then upload the result."
    )


def _all_pages(pdf: pdfium.PdfDocument, log: DroppedLog) -> tuple[list[list[PageLine]], list[_PageMap]]:
    pages: list[list[PageLine]] = []
    maps: list[_PageMap] = []
    layers = Layers()
    pdf.init_forms()
    for index in range(len(pdf)):
        try:
            page = pdf[index]
        except pdfium.PdfiumError:  # one broken page must not lose the others
            maps.append(_PageMap(0.0, 0.0))
            pages.append([])
            continue
        lines, of_page = _read_page(pdf, page, index, layers, log)
        pages.append(lines)
        maps.append(of_page)
        page.close()
    return pages, maps


def _read_page(
    pdf: pdfium.PdfDocument, page: pdfium.PdfPage, index: int, layers: Layers, log: DroppedLog
) -> tuple[list[PageLine], _PageMap]:
    shown = PaintBox(*page.get_cropbox())
    off = layers.find_undrawn_objects(page)
    objects = collect_drawn_objects(page, off)
    hidden = find_hidden_text(objects, off, shown)
    frame = frame_of(objects.texts, shown)
    beside = read_annotations(page, pdf.formenv)
    text_page = page.get_textpage()
    unread = find_hidden_places(text_page, hidden, log) | _find_struck(text_page, objects, beside, frame, log)
    of_page = type_of(objects.texts, frame, find_shifts(text_page, objects.texts, frame))
    lines = list(page_lines(text_page, index, of_page, unread))
    text_page.close()
    for words in beside.comments:
        log.note(HiddenReason.COMMENT, words)
    for words in beside.hidden:
        log.note(HiddenReason.RENDERING, words)
    width, height = page.get_size()
    text_height = frame.height if frame.turn else height
    has_text = bool(lines or beside.fields)
    lines = place_fields(lines, beside.fields, index, frame)
    return lines, _PageMap(
        width,
        height,
        text_height,
        has_text=has_text,
        is_scan=hidden.is_scan,
        is_drawn=bool(objects.shapes or objects.rules),
        passwords=beside.passwords,
    )


def _find_struck(
    text_page: pdfium.PdfTextPage,
    objects: DrawnObjects,
    beside: Annotations,
    frame: ReadingFrame,
    log: DroppedLog,
) -> frozenset[int]:
    """Return pdfium's indexes of the characters that are struck through, by a line or an annotation."""
    rules = [*objects.rules, *(_strike_of(box) for box in beside.struck)]
    struck = find_struck(text_page, objects.texts, rules, frame) if rules else []
    for indexes in struck:
        codes = (pdfium_c.FPDFText_GetUnicode(text_page.raw, index) for index in indexes)
        log.note(HiddenReason.STRUCK, "".join(chr(code) for code in codes if code))
    return frozenset(index for indexes in struck for index in indexes)


def _strike_of(box: PaintBox) -> PaintBox:
    middle = box.bottom + 0.4 * (box.top - box.bottom)
    return PaintBox(box.left, middle - 0.2, box.right, middle + 0.2)


def _without_running_items(
    items: Sequence[PdfLine | PageTable], heights: Sequence[float]
) -> Iterator[PdfLine | PageTable]:
    """Yield the items without running headers and page numbers.

    A table that continues on later pages is joined.
    """
    kept = set(map(id, without_running_lines([item for item in items if isinstance(item, PdfLine)], heights)))
    table: PageTable | None = None
    between: list[PdfLine] = []
    aside: list[PdfLine] = []  # stamps between the parts of a table
    for item in items:
        if isinstance(item, PdfLine):
            if id(item) in kept:
                (aside if item.is_turned else between).append(item)
            continue
        repeats = not between or (len(between) == 1 and is_continued(between[0].text))
        if table is not None and repeats and continues_table(table, item):
            table.body.extend(item.body)
            between = []
            continue
        if table is not None:
            yield table
        yield from (*between, *aside)
        table, between, aside = item, [], []
    if table is not None:
        yield table
    yield from (*between, *aside)


def _settle(
    items: Sequence[PdfLine | PageTable], body_size: float, heights: Sequence[float]
) -> list[PdfLine | PageTable]:
    """Return the items with raised and lowered figures separated, given the notes of their pages."""
    notes = find_notes([item for item in items if isinstance(item, PdfLine)], body_size, heights)
    settled: list[PdfLine | PageTable] = []
    for item in items:
        if isinstance(item, PdfLine):
            settled += settle_shifts([item], notes)
            continue
        for row in (*item.head, *item.body):
            row.cells = [list(settle_shifts(cell, notes, is_cell=True)) for cell in row.cells]
        settled.append(item)
    return settled


def _outline(pdf: pdfium.PdfDocument) -> dict[str, int]:
    levels: dict[str, int] = {}
    for number, bookmark in enumerate(pdf.get_toc(max_depth=20)):
        if number >= _MAX_OUTLINE:
            break
        key = outline_key(bookmark.get_title() or "")
        if len(key) > 3:
            levels.setdefault(key, min(6, bookmark.level + 1))
    return levels


def _write(
    builder: TextBuilder,
    items: Sequence[PdfLine | PageTable],
    maps: list[_PageMap],
    style: Typography,
    outline: dict[str, int],
) -> None:
    words = _vocabulary([item for item in items if isinstance(item, PdfLine)])
    group: object = None
    caption = ""
    for passage in passages(items, style, outline, [page.text_height for page in maps]):
        if isinstance(passage, PageTable):
            _write_table(builder, passage, caption, words, maps)
            group, caption = None, ""
            continue
        group = group or object() if passage.kind is BlockKind.LIST else None
        segments = list(_join_lines(passage, words))
        text = "".join(segment.text for segment in segments)
        _write_passage(builder, passage, text, group)
        _map(segments, builder.length - len(text), maps)
        if not passage.lines[0].is_turned:
            caption = text if passage.kind is BlockKind.CAPTION else ""


def _write_table(
    builder: TextBuilder, table: PageTable, caption: str, words: Counter[str], maps: list[_PageMap]
) -> None:
    """Write a table, the column names first; each row is one block."""
    group, first = object(), len(builder.blocks)
    names = _write_row(builder, table.name_lines, table.page, group, words, maps) if any(table.names) else ()
    rows = tuple(_write_row(builder, row.cells, row.page, group, words, maps) for row in table.body)
    if len(builder.blocks) > first:
        start = builder.blocks[first].start
        builder.tables.append(DocumentTable(caption, names, rows, start, builder.length))


def _write_row(
    builder: TextBuilder,
    cells: Sequence[list[PdfLine]],
    page: int,
    group: object,
    words: Counter[str],
    maps: list[_PageMap],
) -> tuple[str, ...]:
    """Write a row and return its cells as written."""
    joined = [list(_join_lines(LineBlock(BlockKind.TABLE, cell), words)) for cell in cells]
    texts = tuple(squash(_words(cell)) for cell in joined)
    row, place = squash(CELL_JOIN.join(texts)), 0
    block = builder.add(BlockKind.TABLE, row, page=page + 1, group=group)
    if block is None:
        return texts
    for cell, text in zip(joined, texts, strict=True):
        if text:
            place = row.index(text, place)
            _map(cell if text == _words(cell) else [Segment(text, page, None)], block.start + place, maps)
            place += len(text)
    return texts


def _words(segments: Sequence[Segment]) -> str:
    return "".join(segment.text for segment in segments)


def _write_passage(builder: TextBuilder, passage: LineBlock, text: str, group: object) -> None:
    page = passage.lines[0].page + 1
    if passage.kind is BlockKind.HEADING:
        builder.add_heading(text, passage.level or 1, page=page)
    elif is_contents_line(text) or passage.lines[0].is_turned:
        builder.loose(text)
    else:
        level = 1 if passage.kind is BlockKind.LIST else None
        builder.add(passage.kind, text, level=level, page=page, group=group)


def _vocabulary(lines: Sequence[PdfLine]) -> Counter[str]:
    """Count the words that are whole on a line, to tell hyphenated words from compounds."""
    words: Counter[str] = Counter()
    for line in lines:
        found = _WORD.findall(line.text.casefold())
        words.update(found[:-1] if line.has_line_hyphen else found)
    return words


def _join_lines(passage: LineBlock, words: Counter[str]) -> Iterator[Segment]:
    """Yield the segments, joined across lines by a space, a hyphen or nothing; whitespace is collapsed."""
    for number, line in enumerate(passage.lines):
        following = passage.lines[number + 1] if number + 1 < len(passage.lines) else None
        if following is None or not line.has_line_hyphen:
            yield from line.segments
            if following is not None:
                yield Segment(" ", line.page, None)
        elif _keeps_hyphen(line.text, following.text, words):
            yield from line.segments
        else:
            yield from _without_last(line.segments)


def _keeps_hyphen(text: str, following: str, words: Counter[str]) -> bool:
    first, second = _WORD_AT_END.search(text), _WORD_AT_START.match(following)
    if not first or not second or not second[0][0].islower():
        return True
    before, after = first[0].casefold(), second[0].casefold()
    if before + after in words:
        return words[f"{before}-{after}"] > words[before + after]
    return f"{before}-{after}" in words or (
        before in words and after in words and min(len(before), len(after)) > 2
    )


def _without_last(segments: Sequence[Segment]) -> Iterator[Segment]:
    yield from segments[:-1]
    last = segments[-1]
    if len(last.text) > 1:
        yield Segment(last.text[:-1], last.page, last.char_index)


def _map(segments: Sequence[Segment], start: int, maps: list[_PageMap]) -> None:
    for segment in segments:
        page = maps[segment.page]
        if page.start is None:
            page.start = start
        if segment.char_index is not None:
            page.runs.append((start, segment.char_index, len(segment.text)))
        start += len(segment.text)


def _pages(maps: Sequence[_PageMap], labels: Sequence[str], length: int) -> Iterator[ParsedPage]:
    """Yield the pages in order; a page without text is an empty range where the next one starts."""
    starts, following = [], length
    for page in reversed(maps):
        following = page.start if page.start is not None else following
        starts.append(following)
    starts.reverse()
    ends = [*starts[1:], length]
    for number, (page, label, start, end) in enumerate(zip(maps, labels, starts, ends, strict=True), 1):
        yield ParsedPage(number, start, end, page.width, page.height, tuple(page.runs), label)


def _describe_scanned_pages(maps: Sequence[_PageMap]) -> tuple[str, ...]:
    scanned = [number for number, page in enumerate(maps, 1) if not page.has_text]
    if not scanned:
        return ()
    named = ", ".join(map(str, scanned[:10])) + (" …" if len(scanned) > 10 else "")
    return (f"No text on {len(scanned)} of {len(maps)} pages (images or blank): {named}.",)


def _describe_recognized_pages(maps: Sequence[_PageMap]) -> tuple[str, ...]:
    count = sum(page.is_scan for page in maps)
    pages = "one page" if count == 1 else f"{count} pages"
    return (f"The text of {pages} comes from OCR that is part of the file.",) if count else ()


def _describe_passwords(maps: Sequence[_PageMap]) -> tuple[str, ...]:
    count = sum(page.passwords for page in maps)
    words = (
        "The value of one password field was" if count == 1 else f"The values of {count} password fields were"
    )
    return (f"{words} left out.",) if count else ()
