"""Lines of text on PDF pages with their place and type size, as pdfium finds them."""

from __future__ import annotations

import ctypes
import math
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from research.parsing.clean_text import clean

LINE_HYPHEN = "\ufffe"  # what pdfium reports for a hyphen at the end of a line
# pdfium joins the two halves of a word parted at a line's end: the mark between them is a line end too.
_LINE = re.compile(f"[^\r\n{LINE_HYPHEN}]+{LINE_HYPHEN}?")
_NOTHING = "\u200b"  # a place of pdfium's that has no character
_SHOWN_WORDS = re.compile(f"[^\\s{_NOTHING}](?:.*[^\\s{_NOTHING}])?", re.S)
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_HYPHENS = (LINE_HYPHEN, "-", "\u00ad", "\u2010", "\u2011")
_LETTER = re.compile(r"[^\W_]")
_SHOWN = r"[\x21-\x7e\xa1-\xac\xae-\u02ff\u2010-\u2027\u2030-\u205e]+"
_PLAIN = re.compile(f"{_SHOWN}(?: {_SHOWN})*")
# Bullets of the Symbol and Wingdings fonts, which pdfium passes on as private-use characters.
_PRIVATE_BULLETS = dict.fromkeys(
    (0xF03C, 0xF06C, 0xF06E, 0xF071, 0xF076, 0xF0A7, 0xF0A8, 0xF0B2, 0xF0B7, 0xF0D8, 0xF0FC, 0xF0FE), "•"
)


@dataclass(frozen=True, slots=True)
class Segment:
    """Some text of a page; `char_index` is its first pdfium character, one character each, None for joins."""

    text: str
    page: int  # index from 0
    char_index: int | None


@dataclass(frozen=True, slots=True)
class Line:
    """One line in reading order. Coordinates in points, origin bottom left."""

    page: int  # index from 0
    segments: tuple[Segment, ...]
    left: float
    right: float
    baseline: float
    size: float  # type size in points
    is_bold: bool
    has_line_hyphen: bool  # the line ends in a hyphen that may only part a word

    @property
    def text(self) -> str:
        return "".join(segment.text for segment in self.segments)


def page_lines(
    text_page: pdfium.PdfTextPage, page: int, hidden: frozenset[int] = frozenset()
) -> Iterator[Line]:
    """The page's lines; empty for a page without text. `hidden` are pdfium's indexes of what is left out."""
    raw = _page_text(text_page)
    if hidden:
        raw = "".join(_NOTHING if index in hidden else one for index, one in enumerate(raw))
    for match in _LINE.finditer(raw):
        words = _SHOWN_WORDS.search(match[0])
        if words:
            yield _line(text_page, page, words[0], match.start() + words.start())


def _page_text(text_page: pdfium.PdfTextPage) -> str:
    """One character for each pdfium character index."""
    count = text_page.count_chars()
    text: str = text_page.get_text_range() if count else ""
    if len(text) == count:
        return text
    # pdfium leaves some characters out of the string (or it has pairs of surrogates): ask for each.
    codes = (pdfium_c.FPDFText_GetUnicode(text_page.raw, index) for index in range(count))
    each = "".join(chr(code) if code else _NOTHING for code in codes)
    return _PAIR.sub(_whole, each)


def _whole(pair: re.Match[str]) -> str:
    """The character beyond U+FFFF that pdfium counts as two; the second place is nothing."""
    return pair[0].encode("utf-16", "surrogatepass").decode("utf-16") + _NOTHING


def _line(text_page: pdfium.PdfTextPage, page: int, words: str, start: int) -> Line:
    has_hyphen = words[-1] in _HYPHENS and len(words) > 1 and words[-2].isalnum()
    last = start + len(words.rstrip(LINE_HYPHEN)) - 1
    # A bullet or symbol comes from a font of other measures: type size is a letter's.
    letters = [match.start() for match in _LETTER.finditer(words)] or [0]
    first_letter = start + letters[0]
    return Line(
        page=page,
        segments=tuple(_segments(words[:-1] + "-" if has_hyphen else words, page, start)),
        left=_edges(text_page, start)[0], right=_edges(text_page, last)[1],
        baseline=_baseline(text_page, first_letter), size=_type_size(text_page, first_letter),
        is_bold=_is_bold(text_page, first_letter) and _is_bold(text_page, start + letters[-1]),
        has_line_hyphen=has_hyphen,
    )  # fmt: skip


def _segments(words: str, page: int, start: int) -> Iterator[Segment]:
    if _PLAIN.fullmatch(words):
        yield Segment(words, page, start)
        return
    text, first, last = "", start, " "
    for piece, index in _clusters(words):
        as_read = clean(piece.translate(_PRIVATE_BULLETS)) if not piece.isspace() else " "
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


def _clusters(words: str) -> Iterator[tuple[str, int]]:
    """A base with the marks that follow it, and its place."""
    begin = 0
    for index in range(1, len(words) + 1):
        if index == len(words) or not unicodedata.combining(words[index]):
            yield words[begin:index], begin
            begin = index


def _edges(text_page: pdfium.PdfTextPage, index: int) -> tuple[float, float]:
    """Left and right of one character."""
    box = pdfium_c.FS_RECTF()
    pdfium_c.FPDFText_GetLooseCharBox(text_page.raw, index, ctypes.byref(box))
    return box.left, box.right


def _baseline(text_page: pdfium.PdfTextPage, index: int) -> float:
    x, y = ctypes.c_double(), ctypes.c_double()
    pdfium_c.FPDFText_GetCharOrigin(text_page.raw, index, ctypes.byref(x), ctypes.byref(y))
    return y.value


def _type_size(text_page: pdfium.PdfTextPage, index: int) -> float:
    """The font's size as drawn: many files set size 1 and scale by the text matrix."""
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
