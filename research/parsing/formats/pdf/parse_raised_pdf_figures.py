"""Interprets raised figures as powers, ordinals, or marks of notes at the foot of the page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from research.parsing.formats.pdf.parse_pdf_lines import PdfLine, Segment
from research.parsing.formats.pdf.parse_shifted_pdf_text import LOWERED, RAISED

_MARK = re.compile(r"\(?(\d{1,3}|[a-z]|[*†‡§¶]{1,3})[.)]?(?=\s|$)")
_POWER = re.compile(r"[+\-−–]?\d+")
_MARKS = re.compile(r"\d{1,3}(?:\s?[,–-]\s?\d{1,3})*,?|[a-z](?:,[a-z])*|[*†‡§¶]{1,3}")
_LETTER = re.compile(r"[a-z](?:,\s?[a-z])*", re.I)
_NOTES = re.compile(r"\d+|[a-z]|[*†‡§¶]+")
_BASE_TEN = re.compile(r"(?<![\d.,])10$")
_UNIT = re.compile(r"(?:^|[\d\s/·(*])(?:[kcdmµμn]?m|ft|in|yd|mi|s|h|l|L|g|kg|mol|ha|K|Pa|N|J|W|V)$")
_VARIABLE = re.compile(r"(?:^|[^\w])[^\W\d_]$")
_ORDINAL = re.compile(r"st|nd|rd|th|er|e|re|ère|ème|o|a|os|as|de|ste|º|ª", re.I)
_COUNTED = re.compile(r"(?<![\d.,])\d{1,2}$")  # of longer figures, a raised letter is the mark of a note
_SMALL = 0.93  # relative to the type size of the text: notes are set smaller
_FOOT = 0.45  # of the page's height: notes are below


def find_notes(lines: Sequence[PdfLine], body_size: float, heights: Sequence[float]) -> dict[int, set[str]]:
    """Return the marks of the notes at the foot of each page."""
    marks: dict[int, set[str]] = {}
    for line in lines:
        if (mark := note_mark(line, body_size, heights[line.page])) is not None:
            marks.setdefault(line.page, set()).add(mark)
    return marks


def note_mark(line: PdfLine, body_size: float, height: float) -> str | None:
    """Return the mark that a note at the foot of a page begins with."""
    if line.is_turned or not line.segments:
        return None
    if line.segments[0].shift == RAISED and len(line.segments) > 1:
        found = _MARKS.fullmatch(line.segments[0].text.strip("() "))
        return found[0] if found else None
    if line.size > _SMALL * body_size or line.baseline > _FOOT * height:
        return None
    begin = _MARK.match(line.text)
    return begin[1] if begin and len(line.text) > begin.end() + 3 else None


def settle_shifts(
    lines: Iterable[PdfLine], notes: dict[int, set[str]], *, is_cell: bool = False
) -> Iterator[PdfLine]:
    """Yield the lines with raised and lowered figures separated from what precedes them.

    `is_cell`: they are those of a table's cell, in which a letter raised behind a figure is the mark of a note.
    """
    for line in lines:
        if any(segment.shift for segment in line.segments):
            settled = tuple(_settle(line, notes.get(line.page, set()), is_cell=is_cell))
            yield replace(line, segments=settled)
        else:
            yield line


def _settle(line: PdfLine, notes: set[str], *, is_cell: bool) -> Iterator[Segment]:
    before = ""
    parts = list(_level_runs(line.segments))
    for place, (shift, segments) in enumerate(parts):
        words = "".join(segment.text for segment in segments)
        plain = [replace(segment, shift=0) for segment in segments]
        following = parts[place + 1][1][0].text if place + 1 < len(parts) else ""
        if not shift or not words.strip():
            yield from plain
        elif not before.strip():
            yield from plain
            if following and not following[0].isspace():
                yield Segment(" ", line.page, None)
        elif shift == LOWERED:
            if before[-1].isdigit() and words[0].isdigit():
                yield Segment("_", line.page, None)
            yield from plain
        elif not (is_cell and before[-1].isdigit() and _LETTER.fullmatch(words.strip())):
            yield from _settle_raised(before, words, plain, notes)
        before += words


def _settle_raised(before: str, words: str, plain: Sequence[Segment], notes: set[str]) -> Iterator[Segment]:
    stripped, page = words.strip(), plain[0].page
    if is_power(before, stripped, notes):
        yield Segment("^", page, None)
        yield from plain
    elif not _MARKS.fullmatch(stripped) or (
        _COUNTED.search(before) and _ORDINAL.fullmatch(stripped) and stripped not in notes
    ):
        yield from plain
    elif not set(_NOTES.findall(stripped)) <= notes:
        if stripped[0].isalnum() and (stripped[0].isdigit() or before[-1].isdigit()):
            yield Segment("[", page, None)
            yield from plain
            yield Segment("]", page, None)
        else:
            yield from plain


def is_power(before: str, said: str, notes: set[str]) -> bool:
    """Return True if raised figures are an exponent and not the marks of notes."""
    if not _POWER.fullmatch(said):
        return False
    if _BASE_TEN.search(before) or not said[0].isdigit():
        return True
    if _UNIT.search(before) and said in ("2", "3"):
        return True
    return said not in notes and (before[-1].isdigit() or bool(_VARIABLE.search(before)) or before[-1] == ")")


def _level_runs(segments: Sequence[Segment]) -> Iterator[tuple[int, list[Segment]]]:
    run: list[Segment] = []
    for segment in segments:
        if run and run[0].shift != segment.shift:
            yield run[0].shift, run
            run = []
        run.append(segment)
    if run:
        yield run[0].shift, run
