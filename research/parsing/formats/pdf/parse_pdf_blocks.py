"""Finds paragraphs, headings and list items by the geometry of lines, without headers and page numbers."""

from __future__ import annotations

import re
import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from research.parsing.formats.pdf.parse_pdf_lines import PdfLine
from research.parsing.formats.pdf.parse_pdf_tables import PageTable
from research.parsing.formats.pdf.parse_raised_pdf_figures import note_mark
from research.parsing.parsed_document import BlockKind

_PAGE_NUMBER = re.compile(
    r"(?:[–—-]\s?)?(?:page\s+)?(?:\d{1,4}|[ivxlc]{1,7}|(?:[A-Z]|\d{1,2})-\d{1,3})(?:\s+(?:of|/)\s+\d{1,4})?(?:\s?[–—-])?",
    re.I,
)
_ITEM = re.compile(r"(?:[☒☐•●▪■◦‣⁃∙o➢–*-]|\(?\d{1,2}[.)]|\(?[a-z][.)]|\([ivx]+\))\s+\S|[•●▪■◦‣∙☒☐]$")
_NUMBERED = re.compile(r"(?:appendix\s+[A-Z]\b|(?:chapter|section)\s+\d+|[A-Z]?\d+(?:\.\d+)*\.?)\s+\S", re.I)
_NUMBER = re.compile(r"[A-Z]?\d+(?:\.\d+)*")
_CONTENTS_LINE = re.compile(r"(?:\.{4,}|(?:\s\.){4,}|…{2,}|(?:_{5,}))\s*(?:[\divxlcA-Z-]{1,7})?$")
_CAPTION = re.compile(
    r"(?:Table|Figure|Fig\.|Listing|Algorithm)\s+[A-Z]?[\d.-]*\d\b[.:]?(?:\s+[–—-])?\s+\(?[A-Z]"
)
_NOTE = re.compile(r"(?:\d{1,3}|[a-z]|[*†‡§]+)[.)]?\s")
_TERMINAL = re.compile(r"[.!?:;][\"”’')\]]*$")
_DIGITS = re.compile(r"\d+")
_EDGE = 0.12  # share of the page height that headers and footers occupy
_MAX_HEADING = 160
_NOTE_SIZE = 0.93  # relative to the size of the body text


@dataclass(slots=True)
class LineBlock:
    """Lines that belong together."""

    kind: BlockKind
    lines: list[PdfLine] = field(default_factory=list)
    level: int | None = None

    @property
    def last(self) -> PdfLine:
        return self.lines[-1]


@dataclass(frozen=True, slots=True)
class Typography:
    body_size: float
    pitch: dict[int, float]  # size in half points → usual distance of baselines
    right_margin: dict[int, float]  # page → right end of its full lines

    def line_pitch(self, line: PdfLine) -> float:
        return self.pitch.get(_half_points(line.size), line.size * 1.2)


def is_at_edge(line: PdfLine, heights: Sequence[float]) -> bool:
    """Return True if a line is where running headers and footers are."""
    return not _EDGE < line.baseline / max(1.0, heights[line.page]) < 1 - _EDGE


def is_page_number(text: str) -> bool:
    return bool(_PAGE_NUMBER.fullmatch(text))


def without_running_lines(lines: Sequence[PdfLine], heights: Sequence[float]) -> list[PdfLine]:
    """Drop page numbers, and lines that appear on many pages with nothing but a number changed."""
    keys = [_place_key(line) for line in lines]
    pages_of: dict[tuple[str, int], set[int]] = {}
    for key, line in zip(keys, lines, strict=True):
        pages_of.setdefault(key, set()).add(line.page)
    kept = []
    for key, line in zip(keys, lines, strict=True):
        at_edge = is_at_edge(line, heights)
        repeats = len(pages_of[key])
        is_running = repeats >= 3 if at_edge else repeats >= max(4, len(heights) // 2)
        # Rows of figures look alike without their digits: only text can be a running line.
        is_running = is_running and any(map(str.isalpha, line.text))
        if not is_running and not (at_edge and is_page_number(line.text)):
            kept.append(line)
    return kept or list(lines)


def _place_key(line: PdfLine) -> tuple[str, int]:
    """Return the key that a running line has in common on its pages: its words and its height."""
    return _DIGITS.sub("#", line.text.casefold()), round(line.baseline / 4)


def typography(lines: Sequence[PdfLine]) -> Typography:
    sizes: Counter[int] = Counter()
    distances: dict[int, list[float]] = {}
    rights: dict[int, list[float]] = {}
    for line, following in zip_longest(lines, lines[1:]):
        sizes[_half_points(line.size)] += sum(len(segment.text) for segment in line.segments)
        rights.setdefault(line.page, []).append(line.right)
        if following and following.page == line.page and abs(following.size - line.size) < 0.6:
            distance = line.baseline - following.baseline
            if 0.5 * line.size < distance < 2.2 * line.size:
                distances.setdefault(_half_points(line.size), []).append(distance)
    body = sizes.most_common(1)[0][0] / 2 if sizes else 10.0
    pitch = {size: statistics.median_low(values) for size, values in distances.items()}
    margins = {page: max(values) for page, values in rights.items()}
    return Typography(body, pitch, margins)


def passages(
    items: Sequence[PdfLine | PageTable], style: Typography, outline: dict[str, int], heights: Sequence[float]
) -> Iterator[LineBlock | PageTable]:
    """Group lines; `outline` maps squashed titles of the document's bookmarks to their levels.

    Notes and stamps beside the text of a page come before the passage that continues on the next page.
    """
    lines = [item for item in items if isinstance(item, PdfLine)]
    ranks = _heading_ranks(lines, style)
    aside = _lines_aside(lines, style, heights)
    waiting: dict[int, list[PdfLine]] = {}
    for line in lines:
        if id(line) in aside:
            waiting.setdefault(line.page, []).append(line)
    for passage in _group([item for item in items if id(item) not in aside], style, outline, ranks):
        last = passage.body[-1].page if isinstance(passage, PageTable) else passage.last.page
        for page in sorted(page for page in waiting if page < last):
            yield from _group(waiting.pop(page), style, {}, [])
        yield passage
    for page in sorted(waiting):
        yield from _group(waiting.pop(page), style, {}, [])


def _lines_aside(lines: Sequence[PdfLine], style: Typography, heights: Sequence[float]) -> dict[int, int]:
    """Map lines that are not part of the running text, notes and rotated text, to their pages."""
    aside: dict[int, int] = {}
    before: PdfLine | None = None  # the note's last line
    for line in lines:
        if line.is_turned:
            aside[id(line)] = line.page
            continue
        begins = note_mark(line, style.body_size, heights[line.page]) is not None
        is_small = line.size <= _NOTE_SIZE * style.body_size
        goes_on = before is not None and before.page == line.page and before.baseline > line.baseline
        before = line if is_small and (begins or goes_on) else None
        if before is not None:
            aside[id(line)] = line.page
    return aside


def _group(
    items: Iterable[PdfLine | PageTable], style: Typography, outline: dict[str, int], ranks: Sequence[int]
) -> Iterator[LineBlock | PageTable]:
    current: LineBlock | None = None
    for item in items:
        if isinstance(item, PageTable):
            if current:
                yield current
            current = None
            yield item
            continue
        kind, level = _classify(item, style, outline, ranks)
        if current and _continues(current, item, kind, level, style):
            current.lines.append(item)
            continue
        if current:
            yield current
        current = LineBlock(kind, [item], level)
    if current:
        yield current


def is_contents_line(text: str) -> bool:
    """Return True for a line of a table of contents: leaders and a page number."""
    return bool(_CONTENTS_LINE.search(text))


def outline_key(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "", title.casefold())


def _half_points(size: float) -> int:
    return round(size * 2)


def _heading_ranks(lines: Sequence[PdfLine], style: Typography) -> list[int]:
    """Return the type sizes above the body's, largest first, in half points; at most six."""
    sizes = {_half_points(line.size) for line in lines if _is_large(line, style)}
    return sorted(sizes, reverse=True)[:6]


def _is_large(line: PdfLine, style: Typography) -> bool:
    return line.size >= style.body_size * 1.12 and len(line.text) <= _MAX_HEADING


def _classify(
    line: PdfLine, style: Typography, outline: dict[str, int], ranks: Sequence[int]
) -> tuple[BlockKind, int | None]:
    text = line.text
    if line.is_turned:
        return BlockKind.PARAGRAPH, None
    if (level := outline.get(outline_key(text))) is not None and not is_contents_line(text):
        return BlockKind.HEADING, level
    if _CAPTION.match(text) and len(text) < _MAX_HEADING:
        return BlockKind.CAPTION, None
    if _looks_like_heading(line, style):
        return BlockKind.HEADING, _heading_level(line, ranks)
    if _ITEM.match(text):
        return BlockKind.LIST, None
    return BlockKind.PARAGRAPH, None


def _looks_like_heading(line: PdfLine, style: Typography) -> bool:
    text = line.text
    if is_contents_line(text) or len(text) > _MAX_HEADING or not any(map(str.isalpha, text)):
        return False
    if line.size < style.body_size * 0.85 or text[-1] in ".,;" or text[0].islower():
        return False
    if _is_large(line, style):
        return True
    return line.is_bold and len(text) < 100 and (bool(_NUMBERED.match(text)) or text[-1] != ":")


def _heading_level(line: PdfLine, ranks: Sequence[int]) -> int:
    number = _NUMBER.match(line.text)
    if number and _NUMBERED.match(line.text):
        return min(6, number[0].count(".") + 1)
    size = _half_points(line.size)
    return min(6, ranks.index(size) + 1 if size in ranks else len(ranks) + 1)


def _continues(
    current: LineBlock, line: PdfLine, kind: BlockKind, level: int | None, style: Typography
) -> bool:
    last = current.last
    if last.is_turned or line.is_turned or _is_note_start(line, style):
        return False
    same_row = line.page == last.page and abs(line.baseline - last.baseline) < 0.4 * last.size
    if is_contents_line(last.text) or is_contents_line(line.text):
        return False
    if BlockKind.HEADING in (current.kind, kind):
        return current.kind is kind and _same_heading(last, line, same_row=same_row)
    if same_row:
        return True
    if kind is BlockKind.LIST:
        return False
    return _continues_text(current, line, style)


def _is_note_start(line: PdfLine, style: Typography) -> bool:
    return line.size <= _NOTE_SIZE * style.body_size and bool(_NOTE.match(line.text))


def _same_heading(last: PdfLine, line: PdfLine, *, same_row: bool) -> bool:
    if same_row:
        return True
    close = line.page == last.page and 0 < last.baseline - line.baseline < 1.6 * last.size
    return (
        close
        and abs(last.size - line.size) < 0.6
        and last.is_bold == line.is_bold
        and not _NUMBERED.match(line.text)
    )


def _continues_text(current: LineBlock, line: PdfLine, style: Typography) -> bool:
    last = current.last
    if abs(last.size - line.size) > 0.12 * last.size:
        return False
    is_finished = bool(_TERMINAL.search(last.text))
    if line.page != last.page or line.baseline > last.baseline:  # next page or column
        return not is_finished
    if last.baseline - line.baseline > 1.35 * style.line_pitch(last):
        return False
    width = max(1.0, style.right_margin[last.page] - min(last.left, line.left))
    ends_early = style.right_margin[last.page] - last.right > 0.15 * width
    is_indented = line.left > last.left + 0.6 * last.size and current.kind is BlockKind.PARAGRAPH
    return not (is_finished and (ends_early or is_indented))
