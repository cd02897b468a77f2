"""PDF: the words of each page, with a map from every offset back to pdfium's characters."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from research.parsing.clean_text import clean, squash
from research.parsing.formats.pdf.drawn_objects import PaintBox, collect_drawn_objects
from research.parsing.formats.pdf.hidden import hidden_places, hidden_text
from research.parsing.formats.pdf.layers import Layers
from research.parsing.formats.pdf.layout import (
    LineBlock,
    is_contents_line,
    outline_key,
    passages,
    without_running_lines,
)
from research.parsing.formats.pdf.lines import Line, Segment, page_lines
from research.parsing.formats.pdf.metadata import file_date, find_publication_date, title
from research.parsing.hidden_text import DroppedLog
from research.parsing.media_types import PDF
from research.parsing.parsed_document import BlockKind, Page, ReadDocument
from research.parsing.text_builder import TextBuilder
from research.sandbox.read_error import ReadError

MAX_PAGES = 2_000
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_WORD_AT_END = re.compile(r"[^\W\d_]+(?=-$)")
_WORD_AT_START = re.compile(r"[^\W\d_]+")
_MAX_OUTLINE = 5_000


@dataclass
class _PageMap:
    """The state of one page while the text grows."""

    width: float
    height: float
    has_text: bool = False
    is_scan: bool = False
    start: int | None = None
    runs: list[tuple[int, int, int]] = field(default_factory=list)


def open_pdf(data: bytes, name: str) -> pdfium.PdfDocument:
    """Raises ReadError with the reason when pdfium cannot open the file."""
    try:
        return pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        if pdfium_c.FPDF_GetLastError() == pdfium_c.FPDF_ERR_PASSWORD or "password" in str(error).lower():
            raise ReadError("encrypted", f"“{name}” is protected by a password.") from error
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
        raise ReadError("too_large", f"“{name}” has {count:,} pages; {MAX_PAGES:,} can be read.")
    log = DroppedLog()
    lines, maps = _all_lines(pdf, log)
    if not lines:
        raise _nothing_seen(name, log)
    builder = TextBuilder()
    _write(builder, without_running_lines(lines, [page.height for page in maps]), maps, _outline(pdf))
    about = {key: squash(clean(value)) for key, value in pdf.get_metadata_dict().items()}
    return ReadDocument(
        text=builder.text, media_type=PDF, title=title(about["Title"], lines),
        author=about["Author"].replace(";?", "; "), published=find_publication_date(lines),
        modified=file_date(about["ModDate"] or about["CreationDate"]),
        blocks=tuple(builder.blocks), pages=tuple(_pages(maps, len(builder.text))),
        notes=(*_describe_scanned_pages(maps), *_describe_recognized_pages(maps)), dropped=log.entries,
    )  # fmt: skip


def _nothing_seen(name: str, log: DroppedLog) -> ReadError:
    if log.entries:
        return ReadError("empty", f"“{name}” holds only text that no reader of it sees.")
    return ReadError("scanned", f"“{name}” holds no text, only images: it would need text recognition.")


def _all_lines(pdf: pdfium.PdfDocument, log: DroppedLog) -> tuple[list[Line], list[_PageMap]]:
    lines: list[Line] = []
    maps: list[_PageMap] = []
    layers = Layers()
    for index in range(len(pdf)):
        try:
            page = pdf[index]
        except pdfium.PdfiumError:  # one broken page must not lose the others
            maps.append(_PageMap(0.0, 0.0))
            continue
        text_page = page.get_textpage()
        off = layers.find_undrawn_objects(page)
        objects = collect_drawn_objects(page, off)
        hidden = hidden_text(objects, off, PaintBox(*page.get_cropbox()))
        found = list(page_lines(text_page, index, hidden_places(text_page, hidden, log)))
        width, height = page.get_size()
        maps.append(_PageMap(width, height, has_text=bool(found), is_scan=hidden.is_scan))
        lines.extend(found)
        text_page.close()
        page.close()
    return lines, maps


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
    builder: TextBuilder, lines: Sequence[Line], maps: list[_PageMap], outline: dict[str, int]
) -> None:
    words = _vocabulary(lines)
    group: object = None
    for passage in passages(lines, outline):
        group = group or object() if passage.kind is BlockKind.LIST else None
        segments = list(_join_lines(passage, words))
        text = "".join(segment.text for segment in segments)
        _write_passage(builder, passage, text, group)
        _map(segments, builder.length - len(text), maps)


def _write_passage(builder: TextBuilder, passage: LineBlock, text: str, group: object) -> None:
    page = passage.lines[0].page + 1
    if passage.kind is BlockKind.HEADING:
        builder.heading(text, passage.level or 1, page=page)
    elif is_contents_line(text):
        builder.loose(text)
    else:
        level = 1 if passage.kind is BlockKind.LIST else None
        builder.add(passage.kind, text, level=level, page=page, group=group)


def _vocabulary(lines: Sequence[Line]) -> Counter[str]:
    """Words that stand whole on a line, to tell a parted word from a compound."""
    words: Counter[str] = Counter()
    for line in lines:
        found = _WORD.findall(line.text.casefold())
        words.update(found[:-1] if line.has_line_hyphen else found)
    return words


def _join_lines(passage: LineBlock, words: Counter[str]) -> Iterator[Segment]:
    """The passage's segments with a space, a hyphen or nothing where lines meet; whitespace squashed."""
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


def _pages(maps: Sequence[_PageMap], length: int) -> Iterator[Page]:
    """Pages in order; a page without words of its own is an empty range where the next one starts."""
    starts, following = [], length
    for page in reversed(maps):
        following = page.start if page.start is not None else following
        starts.append(following)
    starts.reverse()
    for number, (page, start, end) in enumerate(zip(maps, starts, [*starts[1:], length], strict=True), 1):
        yield Page(number, start, end, page.width, page.height, tuple(page.runs))


def _describe_scanned_pages(maps: Sequence[_PageMap]) -> tuple[str, ...]:
    scanned = [number for number, page in enumerate(maps, 1) if not page.has_text]
    if not scanned:
        return ()
    named = ", ".join(map(str, scanned[:10])) + (" …" if len(scanned) > 10 else "")
    return (f"No text on {len(scanned)} of {len(maps)} pages (images or blank): {named}.",)


def _describe_recognized_pages(maps: Sequence[_PageMap]) -> tuple[str, ...]:
    count = sum(page.is_scan for page in maps)
    words = "The words of one page were" if count == 1 else f"The words of {count} pages were"
    return (f"{words} recognized in an image by whoever made the file.",) if count else ()
