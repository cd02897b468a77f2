"""Extracts the lines of text of PDF pages, with their position and type size, by pdfium."""

from __future__ import annotations

import ctypes
import math
import re
import statistics
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from research.parsing.clean_text import clean
from research.parsing.formats.pdf.parse_pdf_drawn_objects import PaintBox, PdfTextObject, find_text_object
from research.parsing.formats.pdf.parse_pdf_text_direction import ReadingFrame

LINE_HYPHEN = "\ufffe"  # what pdfium reports for a hyphen at the end of a line
# pdfium joins the two halves of a hyphenated word: the mark between them is a line break too.
_LINE = re.compile(f"[^\r\n{LINE_HYPHEN}]+{LINE_HYPHEN}?")
_NOTHING = "\u200b"  # stands in for pdfium's indexes without a character
_SHOWN_WORDS = re.compile(f"[^\\s{_NOTHING}](?:.*[^\\s{_NOTHING}])?", re.S)
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_HYPHENS = (LINE_HYPHEN, "-", "\u00ad", "\u2010", "\u2011")
_SHOWN = r"[\x21-\x7e\xa1-\xac\xae-\u02ff\u2010-\u2027\u2030-\u205e]+"
_PLAIN = re.compile(f"{_SHOWN}(?: {_SHOWN})*")
# Spaced-out letters ("W E L L S"), which pdfium takes for words.
_SPACED = re.compile(r"(?:\S {1,3}){4,}\S")
_MIN_GAP = 0.95  # times the type size: pieces further apart may belong to different columns
_LEVEL = 1.5  # points, between baselines of one row at most
_LOOSE = 0.75  # type sizes per character: a line with gaps inside one text object
_LIGATURES = {
    0xFB00: "ff",
    0xFB01: "fi",
    0xFB02: "fl",
    0xFB03: "ffi",
    0xFB04: "ffl",
    0xFB05: "st",
    0xFB06: "st",
}
# Bullets of the Symbol and Wingdings fonts, which pdfium passes on as private-use characters.
_PRIVATE_BULLETS = dict.fromkeys(
    (0xF03C, 0xF06C, 0xF06E, 0xF071, 0xF076, 0xF0A7, 0xF0A8, 0xF0B2, 0xF0B7, 0xF0D8, 0xF0FC, 0xF0FE), "•"
)
_READ_AS = _LIGATURES | _PRIVATE_BULLETS


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of text on a page; `char_index` is its first pdfium character, one for each, None for joins."""

    text: str
    page: int  # index from 0
    char_index: int | None
    shift: int = 0  # RAISED or LOWERED, of figures


@dataclass(frozen=True, slots=True)
class PdfLine:
    """One line in reading order. Coordinates in points, origin bottom left."""

    page: int  # index from 0
    segments: tuple[Segment, ...]
    left: float
    right: float
    baseline: float
    size: float  # type size in points
    is_bold: bool
    has_line_hyphen: bool  # the line ends in a hyphen that may only split a word
    is_turned: bool = False  # not in the page's reading direction

    @property
    def text(self) -> str:
        if len(self.segments) == 1:
            return self.segments[0].text
        return "".join(segment.text for segment in self.segments)


@dataclass(frozen=True, slots=True)
class PageLine:
    """A line as pdfium reports it, with its parts where gaps divide it."""

    whole: PdfLine
    parts: tuple[PdfLine, ...] = ()

    @property
    def pieces(self) -> tuple[PdfLine, ...]:
        return self.parts or (self.whole,)


@dataclass(frozen=True, slots=True)
class PageType:
    """The type of a page, from its objects; `shifts` is keyed by pdfium's character indexes."""

    frame: ReadingFrame
    shifts: Mapping[int, int] = field(default_factory=dict)
    gaps: frozenset[int] = frozenset()  # baselines, in points, of rows with gaps
    turned: frozenset[int] = frozenset()  # addresses of the texts in another direction


def type_of(texts: Sequence[PdfTextObject], frame: ReadingFrame, shifts: Mapping[int, int]) -> PageType:
    turned = frozenset(text.address for text in texts if text.turn != frame.turn)
    return PageType(frame, shifts, frozenset(_rows_with_gaps(texts, frame)), turned)


def _rows_with_gaps(texts: Sequence[PdfTextObject], frame: ReadingFrame) -> Iterator[int]:
    rows: dict[int, list[tuple[float, float, float]]] = {}
    for text in texts:
        if text.turn == frame.turn:
            box = frame.box(text.box)
            baseline = frame.place(text.x, text.y)[1]
            extent = box.left, box.right, text.size
            for row in {round(baseline - _LEVEL), round(baseline + _LEVEL)}:
                rows.setdefault(row, []).append(extent)
    for row, found in rows.items():
        found.sort()
        reach = found[0][1]
        for left, right, size in found[1:]:
            if left - reach > 0.8 * _MIN_GAP * size:
                yield row
                break
            reach = max(reach, right)


def page_lines(
    text_page: pdfium.PdfTextPage, page: int, of_page: PageType, hidden: frozenset[int] = frozenset()
) -> Iterator[PageLine]:
    """Yield the lines of a page; none for a page without text. `hidden`: pdfium's indexes of omitted characters."""
    raw = _page_text(text_page)
    if hidden:
        raw = "".join(_NOTHING if index in hidden else character for index, character in enumerate(raw))
    for match in _LINE.finditer(raw):
        words = _SHOWN_WORDS.search(match[0])
        if words:
            yield _page_line(text_page, page, words[0], match.start() + words.start(), of_page)


def _page_line(
    text_page: pdfium.PdfTextPage, page: int, words: str, start: int, of_page: PageType
) -> PageLine:
    whole = _line(text_page, page, words, start, of_page)
    row = round(whole.baseline)
    loose = whole.right - whole.left > _LOOSE * whole.size * len(words)
    is_level = abs(_baseline(text_page, start + len(words) - 1, of_page.frame) - whole.baseline) < _LEVEL
    if whole.is_turned or not (loose or not is_level or of_page.gaps.intersection(range(row - 2, row + 3))):
        return PageLine(whole)
    places = list(_parts_between_gaps(text_page, words, start, whole.size, of_page.frame))
    if len(places) == 1:
        return PageLine(whole)
    return PageLine(
        whole,
        tuple(_line(text_page, page, words[first:last], start + first, of_page) for first, last in places),
    )


def _parts_between_gaps(
    text_page: pdfium.PdfTextPage, words: str, start: int, size: float, frame: ReadingFrame
) -> Iterator[tuple[int, int]]:
    begin = 0
    for blank in re.finditer(rf"[\s{_NOTHING}]+", words):
        before = _letter_box(text_page, start + blank.start() - 1, frame)
        after = _letter_box(text_page, start + blank.end(), frame)
        if after.left - before.right > _MIN_GAP * size or after.right < before.left:
            yield begin, blank.start()
            begin = blank.end()
    yield begin, len(words)


def _page_text(text_page: pdfium.PdfTextPage) -> str:
    """Return a string with one character for each pdfium character index."""
    count = text_page.count_chars()
    text: str = text_page.get_text_range() if count else ""
    if len(text) == count:
        return text
    # pdfium leaves some characters out of the string (or it has pairs of surrogates): ask for each.
    codes = (pdfium_c.FPDFText_GetUnicode(text_page.raw, index) for index in range(count))
    each = "".join(chr(code) if code else _NOTHING for code in codes)
    return _PAIR.sub(_whole, each)


def _whole(pair: re.Match[str]) -> str:
    """Return a character beyond U+FFFF, which pdfium counts as two; the second position stays empty."""
    return pair[0].encode("utf-16", "surrogatepass").decode("utf-16") + _NOTHING


def _line(text_page: pdfium.PdfTextPage, page: int, words: str, start: int, of_page: PageType) -> PdfLine:
    has_hyphen = words[-1] in _HYPHENS and len(words) > 1 and words[-2].isalnum()
    frame = of_page.frame
    last = start + len(words.rstrip(LINE_HYPHEN)) - 1
    shifts = of_page.shifts
    if shifts and shifts.keys().isdisjoint(range(start, start + len(words))):
        shifts = {}
    # Bullets and symbols come from other fonts and raised figures are smaller: the type size is a letter's.
    first_letter = start + _first_letter(words, range(len(words)), start, shifts)
    last_letter = start + _first_letter(words, range(len(words) - 1, -1, -1), start, shifts)
    if _SPACED.fullmatch(words):
        words = _close_up(text_page, words, start, frame)
    segments = _segments(words[:-1] + "-" if has_hyphen else words, page, start)
    return PdfLine(
        page=page,
        segments=tuple(_split_at_shifts(segments, shifts) if shifts else segments),
        left=_letter_box(text_page, start, frame).left, right=_letter_box(text_page, last, frame).right,
        baseline=_baseline(text_page, first_letter, frame), size=_type_size(text_page, first_letter),
        is_bold=_is_bold(text_page, first_letter) and _is_bold(text_page, last_letter),
        has_line_hyphen=has_hyphen,
        is_turned=bool(of_page.turned) and find_text_object(text_page, first_letter) in of_page.turned,
    )  # fmt: skip


def _first_letter(words: str, places: range, start: int, shifts: Mapping[int, int]) -> int:
    """Return the place of the first letter, preferably one neither raised nor lowered; 0 if there is none."""
    found = -1
    for place in places:
        if words[place].isalnum():
            if start + place not in shifts:
                return place
            found = place if found < 0 else found
    return max(found, 0)


def _close_up(text_page: pdfium.PdfTextPage, words: str, start: int, frame: ReadingFrame) -> str:
    """Join spaced letters into words, which wider gaps separate."""
    places = [match.start() for match in re.finditer(r"\S", words)]
    boxes = [_letter_box(text_page, start + place, frame) for place in places]
    gaps = [after.left - before.right for before, after in zip(boxes, boxes[1:], strict=False)]
    usual = statistics.median_low(gaps)
    letters = list(words)
    for place, following, gap in zip(places, places[1:], gaps, strict=False):
        if gap <= 1.6 * max(usual, 0.1):
            letters[place + 1 : following] = _NOTHING * (following - place - 1)
    return "".join(letters)


def _split_at_shifts(segments: Iterator[Segment], shifts: Mapping[int, int]) -> Iterator[Segment]:
    """Split segments where raised or lowered characters begin and end."""
    for segment in segments:
        first, index = 0, segment.char_index
        if index is None:
            yield segment
            continue
        at = [shifts.get(index + place, 0) for place in range(len(segment.text))]
        for place in range(1, len(at) + 1):
            if place == len(at) or at[place] != at[first]:
                yield Segment(segment.text[first:place], segment.page, index + first, at[first])
                first = place


def _segments(words: str, page: int, start: int) -> Iterator[Segment]:
    if _PLAIN.fullmatch(words):
        yield Segment(words, page, start)
        return
    text, first, last = "", start, " "
    for piece, index in _clusters(words):
        as_read = _read_piece(piece)
        if as_read == " " and last == " ":
            as_read = ""
        last = as_read[-1:] or last
        if len(as_read) == 1 and len(piece) == 1 and start + index == first + len(text):
            text += as_read
            continue
        if text:
            yield Segment(text, page, first)
        text, first = as_read, start + index
        if len(as_read) > 1 or len(piece) > 1:  # one shape for several characters: no one-to-one run
            yield from (Segment(character, page, first) for character in as_read)
            text, first = "", start + index + len(piece)
    if text:
        yield Segment(text, page, first)


@lru_cache(4096)
def _read_piece(piece: str) -> str:
    return clean(piece.translate(_READ_AS)) if not piece.isspace() else " "


def _clusters(words: str) -> Iterator[tuple[str, int]]:
    """Yield each base character with its combining marks, and its position."""
    begin = 0
    for index in range(1, len(words) + 1):
        if index == len(words) or not unicodedata.combining(words[index]):
            yield words[begin:index], begin
            begin = index


def _letter_box(text_page: pdfium.PdfTextPage, index: int, frame: ReadingFrame) -> PaintBox:
    box = pdfium_c.FS_RECTF()
    pdfium_c.FPDFText_GetLooseCharBox(text_page.raw, index, ctypes.byref(box))
    return frame.box(PaintBox(box.left, box.bottom, box.right, box.top))


def _baseline(text_page: pdfium.PdfTextPage, index: int, frame: ReadingFrame) -> float:
    x, y = ctypes.c_double(), ctypes.c_double()
    pdfium_c.FPDFText_GetCharOrigin(text_page.raw, index, ctypes.byref(x), ctypes.byref(y))
    return frame.place(x.value, y.value)[1]


def _type_size(text_page: pdfium.PdfTextPage, index: int) -> float:
    """Return the type size as drawn: many files set size 1 and scale by the text matrix."""
    matrix = pdfium_c.FS_MATRIX()
    scale = 1.0
    if pdfium_c.FPDFText_GetMatrix(text_page.raw, index, ctypes.byref(matrix)):
        scale = math.hypot(matrix.c, matrix.d)
    nominal: float = pdfium_c.FPDFText_GetFontSize(text_page.raw, index)
    return nominal * scale


def _is_bold(text_page: pdfium.PdfTextPage, index: int) -> bool:
    name = ctypes.create_string_buffer(96)
    flags = ctypes.c_int()
    pdfium_c.FPDFText_GetFontInfo(text_page.raw, index, name, 96, ctypes.byref(flags))
    lowered = name.value.lower()
    return b"bold" in lowered or b"black" in lowered or b"heavy" in lowered or lowered.startswith(b"cmbx")
